"""Avalon's night: who closes their eyes, who opens them, and whose thumb goes up, as the roles in the deal ask for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.roles import SIDE_OF, Role, Side
from roundtable.games.quests.tables import SIDES_BY_COUNT
from roundtable.narrator.cues import Line, Part, note, say
from roundtable.narrator.languages import AND, Both, listed, same

Roles = frozenset[Role]

# Seconds to wait after each kind of cue, whatever the deal.
SETTLE, LOOK, MOVE = 5, 8, 3

CARDS = {
    Role.SERVANT: (
        Both("1 Loyal Servant", "1 Bề Tôi Trung Thành"),
        Both("{n} Loyal Servants", "{n} Bề Tôi Trung Thành"),
    ),
    Role.MINION: (Both("1 Minion of Mordred", "1 Tay Sai"), Both("{n} Minions of Mordred", "{n} Tay Sai")),
}


def avalon_script(setup: AvalonSetup) -> Iterator[Line]:
    """Every cue in order; all eyes are open before the first one and after the last (A26)."""
    yield from before_the_night(setup)
    dealt = frozenset(setup.all_roles)
    yield night(
        "all_close",
        Both(
            "Everybody, close your eyes and hold a closed fist out in front of you.",
            "Tất cả mọi người nhắm mắt lại, nắm bàn tay và đưa ra trước mặt.",
        ),
        SETTLE,
    )
    yield from evil_meets(dealt)
    if Role.MERLIN in dealt:
        yield from merlin_looks(dealt)
    if Role.PERCIVAL in dealt and seen_by_percival(dealt):
        yield from percival_looks(dealt)
    yield night("all_open", Both("Everybody, open your eyes.", "Tất cả mở mắt ra."))


def night(act: str, words: Both, pause: int = 0) -> Line:
    return say(Part.NIGHT, act, words, pause)


# The night


def evil_meets(dealt: Roles) -> Iterator[Line]:
    """A6, A7: Oberon keeps his eyes shut."""
    evil = Both("Evil except Oberon", "Phe Đỏ trừ Oberon") if Role.OBERON in dealt else Both("Evil", "Phe Đỏ")
    look = Both(
        "{evil}, open your eyes and look round for your fellows.",
        "{evil} mở mắt ra, nhìn quanh để nhận biết đồng đội.",
    )
    yield night("evil_opens", look.filled(evil=evil), LOOK)
    yield night("evil_closes", Both("{evil}, close your eyes.", "{evil} nhắm mắt lại.").filled(evil=evil), MOVE)


def merlin_looks(dealt: Roles) -> Iterator[Line]:
    """A7, A8: Oberon shows himself to Merlin, Mordred does not. Thumbs go up while every eye is shut."""
    thumb = Both(
        "{evil}, put your thumb up, so that Merlin will know you.",
        "{evil} giơ ngón cái lên làm dấu để Merlin nhận biết.",
    )
    look = Both("Merlin, open your eyes and see who is Evil.", "Merlin mở mắt ra nhận biết Phe Đỏ.")
    yield night("evil_shows", thumb.filled(evil=shown_to_merlin(dealt)), MOVE)
    yield night("merlin_opens", look, LOOK)
    yield night("evil_hides", Both("Evil, make a fist again.", "Phe Đỏ nắm tay lại."), MOVE)
    yield night("merlin_closes", Both("Merlin, close your eyes.", "Merlin nhắm mắt lại."), MOVE)


def shown_to_merlin(dealt: Roles) -> Both:
    match Role.MORDRED in dealt, Role.OBERON in dealt:
        case True, True:
            return Both("Evil except Mordred, Oberon included", "Phe Đỏ trừ Mordred, kể cả Oberon,")
        case True, False:
            return Both("Evil except Mordred", "Phe Đỏ trừ Mordred")
        case False, True:
            return Both("Evil, Oberon included", "Phe Đỏ, kể cả Oberon,")
        case _:
            return Both("Evil", "Phe Đỏ")


def percival_looks(dealt: Roles) -> Iterator[Line]:
    """A9, A27: Merlin and Morgana, or the one of them that is in the deal."""
    seen = seen_by_percival(dealt)
    shown = listed((same(role) for role in seen), AND)
    thumb = Both(
        "{shown}, put your thumb up, so that Percival will know you.",
        "{shown} giơ ngón cái lên làm dấu để Percival nhận biết.",
    )
    look = Both("Percival, open your eyes and see {shown}{doubt}.", "Percival mở mắt ra nhận biết {shown}{doubt}.")
    doubt = Both(", not knowing who is who", ", nhưng không biết ai là ai") if len(seen) == 2 else same("")
    yield night("percivals_show", thumb.filled(shown=shown), MOVE)
    yield night("percival_opens", look.filled(shown=shown, doubt=doubt), LOOK)
    yield night("percivals_hide", Both("{shown}, make a fist again.", "{shown} nắm tay lại.").filled(shown=shown), MOVE)
    yield night("percival_closes", Both("Percival, close your eyes.", "Percival nhắm mắt lại."), MOVE)


def seen_by_percival(dealt: Roles) -> tuple[Role, ...]:
    return tuple(role for role in (Role.MERLIN, Role.MORGANA) if role in dealt)


# Before the night


def before_the_night(setup: AvalonSetup) -> Iterator[Line]:
    yield say(Part.TABLE, "roles", roles_in_the_deal(setup))
    if not setup.merlin:
        yield say(Part.TABLE, "no_shot", NO_SHOT)
    if setup.has_duty:
        left_out = Both(", but for Oberon's,", " (trừ lá Oberon)") if Role.OBERON in setup.all_roles else same("")
        yield note(Part.TABLE, "draw_duty", DRAW_DUTY.filled(left_out=left_out))
    yield say(Part.TABLE, "look", LOOK_AT_YOUR_CARD)
    if setup.has_duty:
        yield say(Part.TABLE, "duty", DUTY)
    yield say(Part.TABLE, "leader", FIRST_LEADER)
    if setup.lady:
        yield say(Part.TABLE, "lady", FIRST_LADY)  # A23


def roles_in_the_deal(setup: AvalonSetup) -> Both:
    """A10: everybody knows which cards were dealt, and how many of each."""
    good, evil = SIDES_BY_COUNT[setup.seats]
    words = Both(
        "We are {seats}: {good} Good and {evil} Evil. Good has {good_cards}. Evil has {evil_cards}.",
        "Chúng ta có {seats} người: {good} Phe Xanh và {evil} Phe Đỏ. "
        "Phe Xanh có {good_cards}. Phe Đỏ có {evil_cards}.",
    )
    good_cards, evil_cards = (cards_of(setup, side) for side in Side)
    return words.filled(seats=setup.seats, good=good, evil=evil, good_cards=good_cards, evil_cards=evil_cards)


def cards_of(setup: AvalonSetup, side: Side) -> Both:
    counted = Counter(role for role in setup.all_roles if SIDE_OF[role] is side)
    return listed((card_named(role, count) for role, count in counted.items()), AND)


def card_named(role: Role, count: int) -> Both:
    if role not in CARDS:
        return same(role)
    one, several = CARDS[role]
    return one if count == 1 else several.filled(n=count)


LOOK_AT_YOUR_CARD = Both(
    "Look at your card where nobody else can see it, and lay it face down.",
    "Mỗi người bí mật xem lá nhân vật của mình, đừng để ai thấy, rồi úp xuống.",
)
FIRST_LEADER = Both(
    "A fair draw names the first leader.",
    "Chọn ngẫu nhiên đội trưởng đầu tiên, người đó giữ thẻ Chỉ Huy.",
)
FIRST_LADY = Both(
    "The player on the first leader's right holds the Lady of the Lake.",
    "Người ngồi bên phải đội trưởng đầu tiên giữ lá Thiếu Nữ Bên Hồ.",
)
NO_SHOT = Both(
    "Nobody will be assassinated: three successful quests win for Good at once.",
    "Ván này không có ám sát: đủ 3 nhiệm vụ thành công là Phe Xanh thắng ngay.",
)
DUTY = Both(
    "If a dagger came with your card, the last blow will be yours. Keep that to yourself.",
    "Ai nhận được con dao cùng lá bài của mình thì sẽ là người ra tay ám sát. Hãy giữ kín.",
)
DRAW_DUTY = Both(
    "You cannot draw who has the Assassin's duty, for you would learn who is Evil: let the deal do it. The cards that "
    "`roundtable deal avalon` writes with assassin=duty tell that player. With a paper deck, put each card into an "
    "envelope before you deal. Mix Evil's envelopes{left_out} face down, slip a dagger into one, and a blank slip of "
    "the same size into all other envelopes, Good's too. Then mix everything and hand it out.",
    "Quản trò không thể tự bốc xem ai lãnh việc ám sát, vì sẽ biết ai là Phe Đỏ: hãy để việc chia bài lo. "
    "Bài do `roundtable deal avalon` chia với assassin=duty sẽ báo riêng cho người đó. Nếu dùng bài giấy thì trước khi "
    "chia, bỏ mỗi lá vào một phong bì. Xào úp các phong bì của Phe Đỏ{left_out}, bỏ hình con dao vào một phong bì, "
    "còn mọi phong bì khác, kể cả của Phe Xanh, bỏ một mảnh giấy trắng cùng cỡ. Sau đó xào chung rồi phát.",
)
