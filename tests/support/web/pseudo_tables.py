"""Games in the test language, phase by phase: every seat is played over the client, and some are looked at."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import Page, expect

from support.web.at_table import settled
from support.web.hands import Hand, approve
from support.web.polling import run_clock_until
from support.web.pseudo_visitor import LONG, NAMES, OPEN_ALL, Visitor, close_sheet, hold_role, tool
from support.web.quest_table import QuestTable
from support.web.rooms import Person, join, start_game


def quest_table(
    visit: Visitor, game: str, seats: int, fails: dict[int, int], **options: object
) -> tuple[list[Person], QuestTable]:
    people = start_game(visit.server.url, game, seats, NAMES[:seats], options)
    return people, QuestTable(visit.hands_of(people), fails)


def avalon(visit: Visitor) -> None:
    people, table = quest_table(
        visit, "avalon", 7, {2: 1}, lady=True, excalibur="both", choose_quests=True, vote_seconds=LONG
    )
    leader = visit.sit(people[table.view.leader])
    expect(settled(leader, "[data-task=team]")).to_be_visible()
    visit.look(leader, "team")
    for seat in range(2):
        leader.locator("[data-pick]").nth(seat).click()
    leader.locator("[data-excalibur]").first.click()
    visit.look(leader, "team-picked")
    table.reach("vote")
    expect(settled(leader, "[data-task=ballot]")).to_be_visible()
    visit.look(leader, "ballot")
    table.reach("quest")
    on_quest, holder = (
        sorted(table.view.proposal.team - {table.view.proposal.excalibur})[0],
        table.view.proposal.excalibur,
    )
    page, sword = visit.sit(people[on_quest], holds_clock=True), visit.sit(people[holder], holds_clock=True)
    wall = visit.open(f"/tv/{people[0].code}", holds_clock=True)
    expect(page.locator("[data-task=cards]")).to_be_visible()
    visit.look(page, "cards")
    page.locator("[data-task] [data-card=Fail]").click()
    visit.look(page, "cards-refused")
    table.reach("excalibur")
    expect(sword.locator("[data-task=aim]")).to_be_visible()
    sword.clock.run_for(1_000)
    sword.locator("[data-pick]").first.click()
    visit.look(sword, "excalibur")
    table.finish_phase()
    for shown, state in ((page, "quest-result"), (wall, "tv-quest-result")):
        expect(shown.locator("[data-reveal=QuestResolved]")).to_be_visible()
        visit.look(shown, state)
    table.reach("lady")
    keeper = visit.sit(people[table.view.lady])
    expect(keeper.locator("[data-task=aim]")).to_be_visible()
    visit.look(keeper, "lady")
    table.finish_phase()
    hold_role(keeper)
    visit.look(keeper, "lady-role")
    table.reach("assassination")
    shoot(visit, people, table)


def shoot(visit: Visitor, people: Sequence[Person], table: QuestTable) -> None:
    assassin = next(seat for seat, hand in enumerate(table.hands) if seat in table.view.phase.awaited)
    page = visit.sit(people[assassin], holds_clock=True)
    expect(page.locator("[data-task=aim]")).to_be_visible()
    page.locator("[data-pick]").first.click()
    visit.look(page, "assassination")
    page.locator("[data-task] [data-move]").first.click()
    expect(page.locator("[data-confirm]")).to_be_visible()
    visit.look(page, "assassination-sure")
    page.locator("[data-confirm]").click()
    expect(page.locator("[data-reveal=MerlinShot]")).to_be_visible()
    visit.look(page, "assassination-shown")
    after = visit.sit(people[0])
    expect(after.locator("#who-was-who")).to_be_visible()
    visit.look(after, "after")
    replay(visit, after, "after")


def replay(visit: Visitor, page: Page, state: str) -> None:
    """The deal, and the end of the replay, when all roles are written under the names; and the check of the deal."""
    page.keyboard.press("End")
    page.locator("section[aria-labelledby=fair] button").click()
    expect(page.locator("[data-check]").first).to_be_visible()
    page.evaluate(OPEN_ALL)
    visit.look(page, f"{state}-replayed")


def thavalon(visit: Visitor) -> None:
    people, table = quest_table(visit, "thavalon", 8, {3: 1, 4: 1}, clock=False, no_target_call=True)
    page = visit.sit(people[0])
    expect(settled(page)).to_be_visible()
    hold_role(page)
    visit.look(page, "thavalon-role")
    page.keyboard.up("Enter")
    table.reach("reckoning")
    expect(page.locator("[data-task=window]")).to_be_visible()
    visit.look(page, "window")
    tool(page, "declare")
    visit.look(page, "declare")
    page.locator("[data-declaration]").first.click()
    expect(page.locator("[data-confirm]")).to_be_visible()
    visit.look(page, "declare-sure")
    page.locator("[data-cancel]").click()
    close_sheet(page)
    table.finish_phase()
    assassin = visit.sit(people[table.view.assassin])
    expect(assassin.locator("[data-task=aim]")).to_be_visible()
    visit.look(assassin, "thavalon-assassination")
    people[0].ask("CallItOff")


def history(visit: Visitor) -> None:
    people, table = quest_table(visit, "avalon", 10, {1: 1})
    table.hands[1].says("table", NAMES[1])
    table.hands[2].remarks("i_am", word="Percival")
    table.finish_phase()
    table.finish_phase()
    table.hands[3].remarks("i_saw", about=4, word="Evil")
    table.finish_phase()
    table.reach("vote")
    approve(*table.hands[1:5])
    page = visit.sit(people[9])
    expect(settled(page, "[data-task=ballot]")).to_be_visible()
    tool(page, "history")
    visit.look(page, "history")
    close_sheet(page)
    tool(page, "notes")
    visit.look(page, "notes")
    close_sheet(page)
    tool(page, "chat")
    page.locator("[data-claim]").click()
    visit.look(page, "chat")
    wall = visit.open(f"/tv/{people[0].code}")
    expect(wall.locator(".board")).to_be_visible()
    visit.look(wall, "tv")
    watcher = visit.sit(join(visit.server.url, people[0].code, NAMES[0] + NAMES[1], watch=True))
    expect(watcher.locator("[data-phase]")).to_be_visible()
    visit.look(watcher, "watching")


def saviom(visit: Visitor) -> None:
    times = {"early_end": True, "day_seconds": LONG, "defense_seconds": LONG, "night_seconds": LONG}
    options = {"mode": "advanced", "reveal_on_death": "role", **times}
    people = start_game(visit.server.url, "saviom", 9, NAMES[:9], options)
    hands = visit.hands_of(people)
    wolf = next(seat for seat, hand in enumerate(hands) if hand.role == "Wolf")
    me = next(seat for seat, hand in enumerate(hands) if hand.role == "Citizen")
    page = visit.sit(people[me], holds_clock=True)
    accuse(hands, wolf, me)
    expect(page.locator("[data-leaning]")).to_be_visible()
    visit.look(page, "day")
    page.clock.run_for(1_000)
    page.locator(f"[data-pick='{wolf}']").click()
    visit.look(page, "day-picked")
    hands[me].does("Accuse", target=wolf)
    hands[me].does("LockIn")
    expect(page.locator("[data-phase=defense]")).to_be_visible()
    visit.look(page, "defense")
    accused = visit.sit(people[wolf])
    expect(accused.locator("[data-phase=defense]")).to_be_visible()
    visit.look(accused, "defense-accused")
    for seat, hand in enumerate(hands):
        if seat != wolf:
            hand.does("Judge", eliminate=True)
            hand.does("LockIn")
    expect(page.locator("[data-reveal]")).to_be_visible()
    visit.look(page, "verdict")
    at_night(visit, people, page)


def accuse(hands: Sequence[Hand], target: int, silent: int) -> None:
    for seat, hand in enumerate(hands):
        if seat != silent:
            hand.does("Accuse", target=target if seat != target else silent)
            hand.does("LockIn")


def at_night(visit: Visitor, people: Sequence[Person], page: Page) -> None:
    run_clock_until(page, page.locator("[data-phase=night] [data-task=night]"))
    visit.look(page, "night")
    hold_role(page)
    visit.look(page, "night-role")
    page.keyboard.up("Enter")
    tool(page, "history")
    visit.look(page, "night-history")
    close_sheet(page)
    wall = visit.open(f"/tv/{people[0].code}")
    expect(wall.locator(".board")).to_be_visible()
    visit.look(wall, "tv-night")
    people[0].ask("CallItOff")
    expect(wall.locator("[data-finale]")).to_be_visible()
    visit.look(wall, "tv-over")
    run_clock_until(page, page.locator("#who-was-who"))
    visit.look(page, "after-called-off")
