"""What the rules demand of a narrator's script at a table, line by line: who is told what, in which order, with which
waits. It is written from the rulebooks, without a look at how a script is made.

`wrong_lines` compares a script with it. The phrases of a line are what it may not leave out, in English and Vietnamese.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from roundtable.core.setup import Setup
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.roles import Role
from roundtable.games.quests.tables import SIDES_BY_COUNT, TEAM_SIZES
from roundtable.games.saviom.setup import ADVANCED, CLASSIC, SaviomSetup
from roundtable.games.thavalon.setup import EVIL_POOL, GOOD_POOL, LOVERS, ThavalonSetup
from roundtable.text.narration import Cue
from roundtable.text.script import Night

How = Literal["say", "if", "note"]  # always read out; read out where it applies; for the narrator alone
SHOW, LOOK, MOVE, SETTLE = 15, 8, 3, 5  # seconds: for one's card, for other players, for a thumb, for all eyes


class Demand(NamedTuple):
    """A line that the rules demand."""

    part: str
    act: str
    en: str
    vi: str
    pause: int = 0
    how: How = "say"
    dark: bool = False


def wrong_lines(setup: Setup, lang: str, night: Night, cues: Sequence[Cue]) -> list[str]:
    """What is wrong with a script, in words; nothing where it is as the rules demand."""
    demanded = list(demands(setup, night))
    wrong = [
        f"{demand} is not met by {cue}"
        for demand, cue in zip(demanded, cues, strict=False)
        if differ(demand, cue, lang)
    ]
    return wrong + ([f"{len(cues)} lines, not {len(demanded)}"] if len(cues) != len(demanded) else [])


def differ(demand: Demand, cue: Cue, lang: str) -> bool:
    how: How = "note" if not cue.aloud else "if" if cue.by_hand else "say"
    said = (cue.part, cue.act, cue.pause, how, cue.dark)
    phrase = demand.en if lang == "en" else demand.vi
    return said != (demand.part, demand.act, demand.pause, demand.how, demand.dark) or not re.fullmatch(
        phrase, cue.text
    )


def demands(setup: Setup, night: Night) -> Iterator[Demand]:
    match setup:
        case AvalonSetup():
            return avalon(setup, night)
        case ThavalonSetup():
            return thavalon(setup, night)
        case SaviomSetup():
            return saviom(setup, night)
    raise TypeError(f"There are no rules for {setup}.")


def listing(words: Iterable[object], last: str) -> str:
    """The words in any order; `last` stands before the last of them."""
    named = [re.escape(str(word)) for word in words]
    return rf"(?:(?:{'|'.join(named)})(?:, | {last} |)){{{len(named)}}}"


def cards(setup: AvalonSetup, evil: bool, lang: str) -> str:
    """A10: every card of a side with its number."""
    several = {
        Role.SERVANT: {"en": ("Loyal Servant", "Loyal Servants"), "vi": ("Bề Tôi Trung Thành",) * 2},
        Role.MINION: {"en": ("Minion of Mordred", "Minions of Mordred"), "vi": ("Tay Sai",) * 2},
    }
    bad = {Role.ASSASSIN, Role.MORGANA, Role.MORDRED, Role.OBERON, Role.MINION}
    counted = Counter(role for role in setup.all_roles if (role in bad) is evil)
    names = [
        f"{count} {several[role][lang][count > 1]}" if role in several else role for role, count in counted.items()
    ]
    return listing(names, {"en": "and", "vi": "và"}[lang])


# Avalon


def avalon(setup: AvalonSetup, night: Night) -> Iterator[Demand]:
    """A4, A10, A23, A26, A27."""
    on_phones, duty = night == "phones", setup.merlin and setup.assassin == "duty"
    good, evil = SIDES_BY_COUNT[setup.seats]
    good_en, evil_en, good_vi, evil_vi = (
        cards(setup, is_evil, lang) for lang in ("en", "vi") for is_evil in (False, True)
    )
    en = rf".* {setup.seats} .*: {good} Good and {evil} Evil\. Good has {good_en}\. Evil has {evil_en}\."
    vi = rf".* {setup.seats} .*: {good} Phe Xanh và {evil} Phe Đỏ\. Phe Xanh có {good_vi}\. Phe Đỏ có {evil_vi}\."
    yield Demand("table", "roles", en, vi)
    if not setup.merlin:
        yield Demand("table", "no_shot", ".*no assassination.* win.* Good .*", ".*không có ám sát.* Phe Xanh thắng.*")
    if duty and not on_phones:
        oberon = Role.OBERON in setup.all_roles
        yield Demand(
            "table",
            "draw_duty",
            f".*roundtable deal avalon.*dagger.*{'Oberon.*blank slip.' if oberon else 'hand it out.'}",
            f".*roundtable deal avalon.*con dao.*{'Oberon.*giấy trắng.' if oberon else 'phát.'}",
            how="note",
        )
    yield look(on_phones)
    if duty:
        yield Demand(
            "table",
            "duty",
            f"If {'your phone shows a dagger' if on_phones else 'a dagger came with your card'}, you will strike.*",
            f".*{'điện thoại của bạn hiện con dao' if on_phones else 'nhận được con dao'}.* ám sát.*",
        )
    drawn = ("was drawn with the roles.*phones.*", ".*đã được bốc.*điện thoại.*")
    by_hand = ("is drawn at random.", "Chọn ngẫu nhiên đội trưởng đầu tiên.*")
    english, vietnamese = drawn if on_phones else by_hand
    yield Demand("table", "leader", f"The first leader {english}", vietnamese)
    if setup.lady:
        yield Demand("table", "lady", ".* right .*Lady of the Lake.", ".*bên phải.*Thiếu Nữ Bên Hồ.")
        if setup.lady_may_pass:
            yield Demand("table", "lady_may_pass", ".*may also keep her.*", ".*có thể giữ lại.*")
    if setup.identity_claims == "forbidden":
        shown = ("phone showed", "điện thoại") if on_phones else ("you saw tonight", "đêm nay")
        yield Demand(
            "table",
            "no_claims",
            f".*don’t say which role or side.*{shown[0]}.*",
            f".*đừng nói mình là ai.*{shown[1]}.*",
        )
    if not on_phones:
        yield from avalons_night(set(setup.all_roles))


def look(on_phones: bool) -> Demand:
    if on_phones:
        return Demand(
            "table", "look", "Look at your phone in secret: .*your role.*", ".*xem riêng điện thoại.*vai.*", SHOW
        )
    return Demand("table", "look", "Look at your card in secret.*", ".*bí mật xem lá bài.*", SHOW)


def avalons_night(dealt: set[Role]) -> Iterator[Demand]:
    """A6 to A9, A26."""

    def order(act: str, en: str, vi: str, pause: int) -> Demand:
        return Demand("night", act, en, vi, pause, dark=True)

    but = ("Evil except Oberon", "Phe Đỏ trừ Oberon") if Role.OBERON in dealt else ("Evil", "Phe Đỏ")
    yield order(
        "all_close", "Everyone, close your eyes and hold a fist out.*", "Tất cả mọi người nhắm mắt lại, nắm.*", SETTLE
    )
    yield order("evil_opens", f"{but[0]}, open your eyes.*allies.", f"{but[1]} mở mắt ra.*đồng đội.", LOOK)
    yield order("evil_closes", f"{but[0]}, close your eyes.", f"{but[1]} nhắm mắt lại.", MOVE)
    if Role.MERLIN in dealt:
        who_en = "Evil" + " except Mordred" * (Role.MORDRED in dealt) + ", Oberon included" * (Role.OBERON in dealt)
        who_vi = "Phe Đỏ" + " trừ Mordred" * (Role.MORDRED in dealt) + ", kể cả Oberon," * (Role.OBERON in dealt)
        yield order(
            "evil_shows", f"{who_en}, put your thumb up.*Merlin.*", f"{who_vi} giơ ngón cái lên.*Merlin.*", MOVE
        )
        yield order("merlin_opens", "Merlin, open your eyes.*Evil.", "Merlin mở mắt ra.*Phe Đỏ.", LOOK)
        yield order("evil_hides", "Evil, make a fist again.", "Phe Đỏ nắm tay lại.", MOVE)
        yield order("merlin_closes", "Merlin, close your eyes.", "Merlin nhắm mắt lại.", MOVE)
    seen = [role for role in (Role.MERLIN, Role.MORGANA) if role in dealt]
    if Role.PERCIVAL in dealt and seen:
        en, vi, both = " and ".join(seen), " và ".join(seen), len(seen) == 2
        yield order(
            "percivals_show", f"{en}, put your thumb up.*Percival.*", f"{vi} giơ ngón cái lên.*Percival.*", MOVE
        )
        unsure = (", but not which is which.", ", nhưng không biết ai là ai.") if both else (".", ".")
        yield order(
            "percival_opens",
            rf"Percival, open your eyes and see {en}{unsure[0]}",
            rf"Percival mở mắt ra nhận biết {vi}{unsure[1]}",
            LOOK,
        )
        yield order("percivals_hide", f"{en}, make a fist again.", f"{vi} nắm tay lại.", MOVE)
        yield order("percival_closes", "Percival, close your eyes.", "Percival nhắm mắt lại.", MOVE)
    yield Demand("night", "all_open", "Everyone, open your eyes.", "Tất cả mở mắt ra.")


# THavalon


def thavalon(setup: ThavalonSetup, night: Night) -> Iterator[Demand]:
    """T13: from the number of players and the house rules alone."""
    arthur, agravaine = (may_declare(setup, role) for role in (Role.ARTHUR, Role.AGRAVAINE))
    yield from thavalons_table(setup, night)
    yield from thavalons_proposal(setup, arthur, agravaine)
    yield from thavalons_vote(setup)
    yield from thavalons_mission(setup, agravaine)
    yield from thavalons_call(setup)


def may_declare(setup: ThavalonSetup, role: Role) -> bool:
    """Whether the role can be dealt and declarations are on (T2, T26)."""
    usual = setup.seats >= (7 if role is Role.ARTHUR else 8)
    return setup.declarations and (usual if setup.pool is None else role in setup.pool)


def pool_of(setup: ThavalonSetup, side: dict[Role, range]) -> list[Role]:
    """T2, T26."""
    return [
        role for role, counts in side.items() if (setup.seats in counts if setup.pool is None else role in setup.pool)
    ]


def thavalons_table(setup: ThavalonSetup, night: Night) -> Iterator[Demand]:
    on_phones = night == "phones"
    evil = 4 if setup.seats == 9 and setup.nine_evil == 4 else SIDES_BY_COUNT[setup.seats][1]
    if not on_phones:
        yield Demand(
            "table", "deal", ".*their own card, on paper or on their phone.*", ".*lá bài của riêng mình.*", how="note"
        )
    shown = (
        ("Look at your phone in secret", "điện thoại của mình")
        if on_phones
        else ("Look at your own card in secret", "lá bài của mình")
    )
    yield Demand(
        "table",
        "cards",
        f"{shown[0]}.*No one closes their eyes.*",
        f".*tự xem {shown[1]}.*Không ai phải nhắm mắt.*",
        SHOW,
    )
    counts = (setup.seats, setup.seats - evil, evil)
    yield Demand(
        "table",
        "sides",
        ".* {} .*: {} Good and {} Evil.*".format(*counts),
        ".* {} .*: {} Phe Xanh và {} Phe Đỏ.*".format(*counts),
    )
    good_pool, evil_pool = pool_of(setup, GOOD_POOL), pool_of(setup, EVIL_POOL)
    together = (
        "; the lovers Tristan and Iseult come together or not at all",
        "; cặp Tình Nhân Tristan và Iseult có cả hai hoặc không có ai",
    )
    lovers = together if set(good_pool) >= LOVERS else ("", "")
    (good_en, evil_en), (good_vi, evil_vi) = (
        [listing(pool, last) for pool in (good_pool, evil_pool)] for last in ("and", "và")
    )
    en = rf"Good was drawn from {good_en}{lovers[0]}(?:\.|,) Evil (?:was drawn )?from {evil_en}\..*"
    vi = rf"Phe Xanh được rút từ {good_vi}{lovers[1]}(?:\.|,) Phe Đỏ được rút từ {evil_vi}\..*"
    yield Demand("table", "pools", en, vi)
    yield Demand("table", "dagger", "One Evil player.*Assassin.*", "Một người Phe Đỏ.*Assassin.*")
    sizes = [str(size) for size in TEAM_SIZES[setup.seats]]
    fourth = (
        ("fourth mission needs two Fails.*", "thứ tư cần hai lá Thất Bại.*")
        if setup.seats >= 7
        else ("assassination.", "ám sát.")
    )
    en, vi = (f"{', '.join(sizes[:4])}{comma} {last} {sizes[4]}" for comma, last in ((",?", "and"), ("", "và")))
    yield Demand(
        "table", "missions", rf".* {en} players\..*Evil.*{fourth[0]}", rf".* {vi} người\..*Phe Đỏ.*{fourth[1]}"
    )
    if setup.proposals == "five_rejections":
        yield Demand(
            "table", "vote_track", ".*five teams.*rejected, Evil wins.", ".*năm đội bị từ chối thì Phe Đỏ thắng."
        )
    else:
        first = (
            (".* 2 leaders.*a single vote.*", ".* 2 đội trưởng.*bỏ phiếu một lần.*")
            if setup.first_round == "paired"
            else (".* 2 proposals. The second is not voted on.*", ".* 2 lần đề cử. Lần thứ hai không bỏ phiếu.*")
        )
        yield Demand("table", "first_round", *first)
        yield Demand(
            "table",
            "later_rounds",
            f"Every later round has {evil + 1} proposals.*without a vote.",
            f"Mỗi vòng sau có {evil + 1} lần.*",
        )
    yield Demand(
        "table", "leader", "The first leader was drawn.*to the left.", "Đội trưởng đầu tiên đã được bốc.*bên trái."
    )


def window(setup: ThavalonSetup, part: str, act: str, en: str, vi: str) -> Demand:
    """T21: as long for everyone, whether the role was dealt or not."""
    if setup.clock:
        return Demand(part, act, rf"{en} (?:for )?20 seconds\. Anyone.*", rf"{vi} trong 20 giây\. Ai.*", 20, "if")
    return Demand(
        part, act, rf"{en} until everyone has said to go on\. Anyone.*", rf"{vi} cho tới khi.*\. Ai.*", 0, "if"
    )


def thavalons_proposal(setup: ThavalonSetup, arthur: bool, agravaine: bool) -> Iterator[Demand]:
    yield Demand("proposal", "propose", "Leader, name your team.*", "Mời đội trưởng chọn đội.*")
    if arthur:  # T16
        yield Demand(
            "proposal",
            "when_arthur",
            ".*exactly two missions have failed.*whether or not.*",
            ".*đúng hai nhiệm vụ thất bại.*",
            how="note",
        )
        yield Demand(
            "proposal",
            "arthur",
            "Until the votes are shown.*Arthur may declare if he is in the game.",
            "Trước khi lật phiếu.*nếu có Arthur.*",
            how="if",
        )
        yield Demand(
            "proposal",
            "after_arthur",
            ".*his vote counts twice.*fifth mission.",
            ".*phiếu của Arthur tính gấp đôi.*thứ năm.",
            how="note",
        )
    if agravaine:  # T21
        yield Demand(
            "proposal",
            "when_stands",
            ".*succeeded despite a Fail.*full time.",
            ".*thành công dù có lá Thất Bại.*chờ cho đủ.",
            how="note",
        )
        yield window(setup, "proposal", "stands", "This proposal stands", "Đề cử này giữ nguyên")
        yield Demand(
            "proposal",
            "after_stands",
            ".*the mission has failed.*proposes again at no cost.*",
            ".*nhiệm vụ đó thành thất bại.*không mất lượt.*",
            how="note",
        )


def thavalons_vote(setup: ThavalonSetup) -> Iterator[Demand]:
    if setup.first_round == "paired":  # T14
        yield Demand("vote", "paired", "In the first round, hear both.*", "Ở vòng đầu, nghe đủ hai lần.*", how="note")
    if setup.proposals == "limited":
        yield Demand("vote", "last", "The last proposal.* no vote.*", "Lần đề cử cuối.* không bỏ phiếu.*", how="note")
    yield Demand(
        "vote",
        "vote",
        "Everyone, vote in secret to approve or reject.*",
        "Tất cả bí mật bỏ phiếu đồng ý hoặc từ chối.*",
    )
    yield Demand(
        "vote",
        "count",
        "More than half of all votes.*a tie rejects.*",
        "Hơn nửa tổng số phiếu.*hòa phiếu là từ chối.*",
        how="note",
    )
    if setup.proposals == "five_rejections":
        yield Demand("vote", "fifth", ".*fifth rejection.*:", ".*từ chối thứ năm.*:", how="note")
        yield Demand(
            "vote", "lost", "Five teams.*rejected: Evil wins.*", "Năm đội đã bị từ chối: Phe Đỏ thắng.*", how="if"
        )


def thavalons_mission(setup: ThavalonSetup, agravaine: bool) -> Iterator[Demand]:
    reverse = setup.reversal  # T17
    yield Demand("mission", "lay", "Team, .*one card face down.*", "Mời đội: .*úp một lá nhiệm vụ.*")
    yield Demand("mission", "shuffle", "Shuffle the cards.*", "Xào kỹ.*", how="note")
    tally = (
        (r" Fail, \[number\] Reverse\.", r" Thất Bại, \[số lá\] Đảo Ngược\.")
        if reverse
        else (r" Fail\.", r" Thất Bại\.")
    )
    yield Demand(
        "mission",
        "result",
        rf"There were \[number\] Success, \[number\]{tally[0]}.*",
        rf"Có \[số lá\] Thành Công, \[số lá\]{tally[1]}.*",
        how="if",
    )
    judged = (
        (
            "It failed with a Fail and an even number of Reverses.*odd number.",
            "Thất bại khi có lá Thất Bại và số lá Đảo Ngược chẵn.*lẻ.",
        )
        if reverse
        else ("It failed with one Fail or more.", "Thất bại khi có ít nhất một lá Thất Bại.")
    )
    yield Demand("mission", "judge", *judged, how="note")
    if setup.seats >= 7:  # T20
        fourth = (
            (
                "The fourth failed with two or more Fails and an even.*exactly one Fail and an odd.*",
                "Nhiệm vụ thứ tư.*từ hai lá.*chẵn.*đúng một lá.*lẻ.",
            )
            if reverse
            else ("The fourth failed with two Fails or more.", "Nhiệm vụ thứ tư.*ít nhất hai lá.*")
        )
        yield Demand("mission", "judge_fourth", *fourth, how="note")
    if agravaine:
        yield Demand(
            "mission",
            "when_reckoning",
            ".*third success, and there was a Fail.*",
            ".*thành công thứ ba mà có lá Thất Bại.*",
            how="note",
        )
        yield window(setup, "mission", "reckoning", "We wait", "Chúng ta chờ")
    yield Demand("mission", "score", "Three successes: the assassination.*", "Ba thành công: sang ám sát.*", how="note")
    yield Demand(
        "mission", "failed", "Three missions have failed: Evil wins.*", "Ba nhiệm vụ thất bại: Phe Đỏ thắng.*", how="if"
    )


def thavalons_call(setup: ThavalonSetup) -> Iterator[Demand]:
    """T22 to T24."""
    yield Demand(
        "assassination",
        "show_sides",
        ".*Evil, show which side.*not your roles.*Assassin.*",
        ".*Phe Đỏ lộ diện.*không nói vai.*Assassin.*",
    )
    yield Demand("assassination", "confer", "Evil may talk.*", "Phe Đỏ được bàn riêng.*")
    calls = [("one player as Merlin", "chỉ một người là Merlin")]
    if setup.targets == "all":
        if setup.seats == 5 if setup.pool is None else Role.NIMUE in setup.pool:
            calls.append(("one player as Nimue", "chỉ một người là Nimue"))
        calls.append(("two players as the Lovers", "chỉ hai người là cặp Tình Nhân"))
    if setup.no_target_call:
        calls.append(
            ("no one, because none of them is in the game", "không chỉ ai, vì trong ván không có ai trong số đó")
        )
    en, vi = (listing(words, last) for words, last in zip(zip(*calls, strict=True), ("or", "hoặc"), strict=True))
    yield Demand(
        "assassination", "call", f"Assassin, make your one call: {en}.", f"Assassin, .*một lần duy nhất: {vi}."
    )
    yield Demand("assassination", "right", "If .*exactly those roles:", "Nếu .*đúng là các vai đó:", how="note")
    yield Demand("assassination", "evil_wins", "The call is right: Evil wins.", "Chỉ đúng: Phe Đỏ thắng.", how="if")
    yield Demand("assassination", "wrong", "Otherwise:", "Nếu không:", how="note")
    yield Demand("assassination", "good_wins", "The call is wrong: Good wins.", "Chỉ sai: Phe Xanh thắng.", how="if")
    yield Demand("assassination", "turn_up", "Everyone, turn up your card.", "Tất cả lật bài.", how="if")


# Saviom


def saviom(setup: SaviomSetup, night: Night) -> Iterator[Demand]:
    """S4 to S15."""
    counts = (CLASSIC if setup.mode == "classic" else ADVANCED)[setup.seats]
    wolves, citizens, *rest = counts
    named = [
        (wolves, "(?:Wolf|Wolves)", "Sói"),
        (citizens, "Citizens?", "Dân Làng"),
        *((1, *one) for one, has in zip((("Protector", "Bảo Vệ"), ("Seer", "Tiên Tri")), rest, strict=False) if has),
    ]
    en, vi = (
        f"(?:(?:{'|'.join(f'{row[0]} {row[place]}' for row in named)})(?:, | and | và |)){{{len(named)}}}"
        for place in (1, 2)
    )
    yield Demand(
        "table", "roles", rf"The town has {setup.seats} people: {en}\.", rf"Làng có {setup.seats} người: {vi}\."
    )
    yield look(night == "phones")
    if night == "eyes":
        yield Demand(
            "table", "all_close", "Everyone, close your eyes.", "Tất cả mọi người nhắm mắt lại.", SETTLE, dark=True
        )
        yield Demand(
            "table",
            "wolves_open",
            "Wolves, open your eyes and find one another. No one is killed yet.",
            "Sói mở mắt ra.*đồng bọn.*chưa cắn ai.",
            LOOK,
            dark=True,
        )
        yield Demand("table", "wolves_close", "Wolves, close your eyes.", "Sói nhắm mắt lại.", MOVE, dark=True)
        yield Demand("table", "all_open", "Everyone, open your eyes.", "Tất cả mở mắt ra.")
    dark, light = [*saviom_night(setup), *dawn(setup)], [*day(setup), *defense(setup)]
    yield from light + dark if setup.begins_with == "day" else dark + light
    yield from saviom_end(setup)


def day(setup: SaviomSetup) -> Iterator[Demand]:
    """S6."""
    seconds = setup.day_seconds
    yield Demand(
        "day",
        "day",
        f"It is day. You have {seconds} seconds.*Point at another living player.*",
        f"Ban ngày.* {seconds} giây.*chỉ tay.*",
        seconds,
    )
    if setup.early_end:
        yield Demand("day", "day_early", "The day ends early.*everyone alive.*", "Ngày kết thúc sớm.*", how="note")
    yield Demand("day", "time_up", "Time is up.*", "Hết giờ.*")
    half = (
        ("of the living point", "người còn sống chỉ")
        if setup.trial_by == "living"
        else ("of the pointing hands", "tay đang giơ chỉ")
    )
    yield Demand(
        "day",
        "trial",
        f"If more than half {half[0]}.*: the defense. Otherwise: the night.",
        f".*hơn nửa số {half[1]}.*biện hộ.*đêm.",
        how="note",
    )


def defense(setup: SaviomSetup) -> Iterator[Demand]:
    """S7."""
    seconds = setup.defense_seconds
    yield Demand(
        "defense",
        "defense",
        rf"\[Name\] is on trial.* {seconds} seconds.*silent.",
        rf"\[Tên\] lên giàn.* {seconds} giây.*im lặng.",
        seconds,
        "if",
    )
    if setup.early_end:
        yield Demand("defense", "defense_early", "The defense ends early.*", "Phần biện hộ kết thúc sớm.*", how="note")
    yield Demand(
        "defense",
        "verdict",
        "Everyone else alive votes.*thumb up spares, thumb down eliminates.*",
        ".*ngón cái lên là tha, ngón cái xuống là loại.*",
    )
    yield Demand(
        "defense", "if_eliminated", ".*more thumbs down than up:", ".*phiếu loại nhiều hơn phiếu tha:", how="note"
    )
    yield death(setup, "defense", "eliminated", r"\[Name\] is eliminated\.", r"\[Tên\] bị loại\.")
    yield Demand("defense", "if_saved", "Otherwise.*:", "Nếu không.*:", how="note")
    yield Demand("defense", "saved", r"\[Name\] is spared\.", r"\[Tên\] được tha\.", how="if")


def saviom_night(setup: SaviomSetup) -> Iterator[Demand]:
    """S8 to S11: the roles of the deal are called every night, whether they live or not, and always as long."""
    order = ("wolves", "protector", "seer") if setup.mode == "advanced" and setup.seats >= 6 else ("wolves",)
    called = [name for name in order if name == "wolves" or ADVANCED[setup.seats][2 + (name == "seer")]]
    wait, more = divmod(setup.night_seconds, len(called))
    own = ("; it may be yourself", " hoặc chính mình") if setup.protect_self else ("", "")
    other = ("a", "") if setup.protect_self else ("another", " khác")
    once = (
        ("", "") if setup.protect_twice else (", but not the one from last night", ", nhưng không phải người đêm trước")
    )
    opens = {
        "wolves": (
            "Wolves, open your eyes.*kill: anyone alive who is not a Wolf.",
            "Sói mở mắt ra.*không phải Sói để cắn.",
        ),
        "protector": (
            rf"Protector, open your eyes and point at {other[0]} living player to protect{own[0]}{once[0]}\.",
            rf"Bảo Vệ mở mắt ra và chỉ một người còn sống{own[1]}{other[1]} để bảo vệ{once[1]}\.",
        ),
        "seer": ("Seer, open your eyes.*another living player to inspect.", "Tiên Tri mở mắt ra.*khác để soi."),
    }
    half = ("pointing Wolves", "Sói đang chỉ tay") if setup.kill_by == "cast" else ("living Wolves", "Sói còn sống")
    choices = {
        "wolves": (f"If more than half of the {half[0]} agree.*", f".*hơn nửa số {half[1]}.*"),
        "protector": (
            "If the Wolves chose that player, no one is killed.",
            "Nếu Sói chọn đúng người đó thì không ai chết.",
        ),
        "seer": (".*thumb up for a Wolf, thumb down for anyone else.*", ".*ngón cái lên là Sói.*"),
    }
    names = {"wolves": ("Wolves", "Sói"), "protector": ("Protector", "Bảo Vệ"), "seer": ("Seer", "Tiên Tri")}
    yield Demand(
        "night",
        "all_close",
        "Night falls. Everyone, the dead too: close your eyes.*",
        "Đêm xuống. Tất cả, kể cả người đã chết, nhắm mắt.*",
        dark=True,
    )
    yield Demand(
        "night",
        "call_the_dead",
        "Read every line every night.*dead.*",
        "Đêm nào cũng đọc đủ từng câu.*đã chết.*",
        how="note",
        dark=True,
    )
    for name in called:
        yield Demand("night", f"{name}_open", *opens[name], wait + more * (name == "wolves"), dark=True)
        yield Demand("night", f"{name}_choice", *choices[name], how="note", dark=True)
        yield Demand(
            "night",
            f"{name}_close",
            f"{names[name][0]}, close your eyes.",
            f"{names[name][1]} nhắm mắt lại.",
            dark=True,
        )


def dawn(setup: SaviomSetup) -> Iterator[Demand]:
    """S11."""
    yield Demand("dawn", "all_open", "It is dawn. Everyone, open your eyes.", "Trời sáng. Tất cả mở mắt ra.")
    yield Demand("dawn", "if_killed", "If someone was killed:", "Nếu có người chết:", how="note")
    yield death(setup, "dawn", "killed", r"\[Name\] was killed in the night\.", r"Đêm qua \[tên\] đã chết\.")
    yield Demand(
        "dawn",
        "if_nobody",
        "If no one was, for whatever reason.*:",
        "Nếu không có ai chết, dù vì lý do gì.*:",
        how="note",
    )
    yield Demand("dawn", "nobody", "No one was killed in the night.", "Đêm qua không ai chết.", how="if")
    yield Demand("dawn", "surrender", "Anyone who surrendered.*", "Ai đầu hàng.*", how="note")


def death(setup: SaviomSetup, part: str, act: str, en: str, vi: str) -> Demand:
    """S11: what a death reveals."""
    told = {
        "none": ("", ""),
        "side": (r" They belonged to the \[Wolves / Citizens\]\.", r" Người này thuộc phe \[Sói / Dân Làng\]\."),
        "role": (r" They were a \[role\]\.", r" Người này là \[vai\]\."),
    }[setup.reveal_on_death]
    return Demand(part, act, en + told[0], vi + told[1], how="if")


def saviom_end(setup: SaviomSetup) -> Iterator[Demand]:
    """S13 to S15."""
    yield Demand("end", "after_a_death", "After every death.*", "Sau mỗi cái chết.*", how="note")
    yield Demand(
        "end",
        "citizens_win",
        "The last Wolf is gone: the Citizens win.",
        "Con Sói cuối cùng.*Dân Làng thắng.",
        how="if",
    )
    yield Demand(
        "end",
        "wolves_win",
        "The Wolves are no longer outnumbered: the Wolves win.",
        "Sói không còn ít hơn.*Phe Sói thắng.",
        how="if",
    )
    yield Demand(
        "end",
        "if_quiet",
        f"After {setup.quiet_limit} days and nights.*:",
        f"Sau {setup.quiet_limit} ngày và đêm.*:",
        how="note",
    )
    yield Demand("end", "quiet", ".*without a winner.", ".*không phe nào thắng.", how="if")
    yield Demand(
        "end",
        "turn_up",
        "The game is over. Everyone, turn up your card.",
        "Ván chơi kết thúc. Tất cả lật bài.",
        how="if",
    )
