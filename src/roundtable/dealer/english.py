"""The cards in English."""

from __future__ import annotations

from roundtable.dealer.words import Lines, Words
from roundtable.games.quests.roles import Role, Side
from roundtable.games.saviom.setup import Role as SaviomRole
from roundtable.games.saviom.setup import Side as SaviomSide
from roundtable.games.thavalon.deal import COLGREVANCE_IS_HIDDEN, TITANIA_IS_AMONG_THEM

ALLIES_BUT_OBERON = "You know the other Evil players, all but Oberon."
ALLIES_BUT_COLGREVANCE = "You see the other Evil players, but never Colgrevance."
A_TARGET = "If three missions succeed, the Assassin can still win for Evil by naming {}."
CITIZENS_GOAL = "You win with the Citizens, when no Wolf is left alive."

AVALON: dict[str, Lines] = {
    Role.MERLIN: (
        "You know who is Evil; only Mordred stays hidden from you.",
        "If three quests succeed, the Assassin can still win for Evil by naming you.",
    ),
    Role.PERCIVAL: ("You see Merlin and Morgana, where they are in the deal, but not which is which.",),
    Role.SERVANT: (
        "You know no side but your own.",
        "Watch the teams, the votes and the quests, and find out whom to trust.",
    ),
    Role.ASSASSIN: (
        "If three quests succeed, you name one player; if that is Merlin, Evil wins after all.",
        ALLIES_BUT_OBERON,
    ),
    Role.MORGANA: ("To Percival you look the same as Merlin.", ALLIES_BUT_OBERON),
    Role.MORDRED: ("Merlin does not see you.", ALLIES_BUT_OBERON),
    Role.OBERON: (
        "You do not know the other Evil players, and they do not know you.",
        "Merlin does see you.",
    ),
    Role.MINION: (ALLIES_BUT_OBERON, "On a quest you play Success or Fail, as it suits you."),
}

THAVALON: dict[str, Lines] = {
    Role.MERLIN: (
        "You see every Evil player but Mordred; Lancelot, if he is here, looks Evil to you but is Good.",
        A_TARGET.format("you as Merlin"),
    ),
    Role.PERCIVAL: ("You see Merlin and Morgana, where they are in the game, but not which is which.",),
    Role.TRISTAN: (
        "Iseult is in the game too: you know each other, and both of you are Good.",
        A_TARGET.format("you two as the Lovers"),
    ),
    Role.ISEULT: (
        "Tristan is in the game too: you know each other, and both of you are Good.",
        A_TARGET.format("you two as the Lovers"),
    ),
    Role.LANCELOT: (
        "On a mission you play Success or Reverse.",
        "To Merlin you look Evil.",
    ),
    Role.NIMUE: (
        "You know which roles are in the game besides yours, but not who has them.",
        A_TARGET.format("you as Nimue"),
    ),
    Role.ARTHUR: (
        "You know which Good roles are in the game besides yours, but not who has them.",
        "While exactly two missions have failed and at most one has succeeded, you may declare",
        "yourself, but not while cards are being played. From then on your votes count twice,",
        "and you go on no mission before the fifth.",
    ),
    Role.TITANIA: ("Evil players see you as one of their own; only Colgrevance is not fooled.",),
    Role.MORDRED: ("Merlin does not see you.", ALLIES_BUT_COLGREVANCE),
    Role.MORGANA: ("To Percival you look the same as Merlin.", ALLIES_BUT_COLGREVANCE),
    Role.MAELAGANT: ("On a mission you play Success, Fail or Reverse.", ALLIES_BUT_COLGREVANCE),
    Role.AGRAVAINE: (
        "On a mission you always play Fail.",
        "When a mission that you were on succeeds despite a Fail, you may declare yourself, until",
        "the vote on the next team opens (or it is sent without one): that mission fails instead.",
        ALLIES_BUT_COLGREVANCE,
    ),
    Role.COLGREVANCE: (
        "The other Evil players do not see you; they are told only that you are in the game.",
        "You know which role each of them has, and Titania does not fool you.",
    ),
}

SAVIOM: dict[str, Lines] = {
    SaviomRole.WOLF: (
        "By night you and the other Wolves choose whom to kill; by day you pass for a Citizen.",
        "You win when as many Wolves as other players are alive, or more.",
    ),
    SaviomRole.CITIZEN: (
        "By day you talk, accuse and judge; by night you sleep.",
        "You win when no Wolf is left alive.",
    ),
    SaviomRole.PROTECTOR: (
        "Each night you choose a player to protect; if the Wolves chose the same one, nobody dies.",
        CITIZENS_GOAL,
    ),
    SaviomRole.SEER: (
        "Each night you choose another player and learn whether that is a Wolf.",
        CITIZENS_GOAL,
    ),
}

ENGLISH = Words(
    you_are="You are {role} [{side}]",
    roles={role: role for role in (*Role, *SaviomRole)},
    sides={side: side for side in (*Side, *SaviomSide)},
    does={"avalon": AVALON, "thavalon": THAVALON, "saviom": SAVIOM},
    seen_as={
        "Evil": "{name} is Evil.",
        "Merlin or Morgana": "{name} is Merlin or Morgana.",
        Role.TRISTAN: "{name} is Tristan.",
        Role.ISEULT: "{name} is Iseult.",
        SaviomRole.WOLF: "{name} is a Wolf.",
    },
    known_as="{name} is {role}",
    sees_nobody="There is nobody here whom you can see.",
    notices={
        COLGREVANCE_IS_HIDDEN: "Colgrevance is in the game as well, and you do not see him.",
        TITANIA_IS_AMONG_THEM: "One of the players you see is Titania, who is Good.",
    },
    is_assassin={
        "avalon": "You are the Assassin as well: if three quests succeed, you name the one you take for Merlin.",
        "thavalon": "You are the Assassin: if three missions succeed, you make the call for Evil.",
    },
    leads="{leader} makes the first proposal.",
    leads_with_lady="{leader} makes the first proposal, and {lady} holds the Lady of the Lake.",
    begins_with={
        "day": "The game begins with a day: talk, and vote for the player you suspect.",
        "night": "The game begins with a night: everybody closes their eyes.",
    },
    spoiler="Player -> Role",
    teams={
        Side.GOOD: "GOOD TEAM:",
        Side.EVIL: "EVIL TEAM:",
        SaviomSide.CITIZENS: "CITIZENS:",
        SaviomSide.WOLVES: "WOLVES:",
    },
    in_the_deal="In the deal: {roles}.",
    cards_lie="{count} cards lie in {folder}: each player reads the file with their own name.",
    then_begin="Then all read {start}, and the game begins. {spoiler} is for after the game.",
    write_down="To check the deal after the game, write this down now: {commitment}",
    seed_paper="""\
Seed: {seed}
Commitment: {commitment}
Agreed on: {agreed}

Is the commitment the one that was written down when the cards were dealt?
Then deal again: the same names and options, --seed with this seed, --out with another folder.
The cards must be the same. How they follow from the seed: docs/fair-deals.md.
""",
    note="Note: {notice}",
)
