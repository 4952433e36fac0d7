"""The cards in Vietnamese, in the words of the Vietnamese edition."""

from __future__ import annotations

from roundtable.dealer.words import Lines, Words
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.roles import Role, Side
from roundtable.games.saviom.setup import Role as SaviomRole
from roundtable.games.saviom.setup import Side as SaviomSide
from roundtable.games.thavalon.deal import COLGREVANCE_IS_HIDDEN, TITANIA_IS_AMONG_THEM
from roundtable.games.thavalon.setup import ThavalonSetup

ALLIES_BUT_OBERON = "Bạn biết các đồng đội Phe Đỏ của mình, trừ Oberon."
ALLIES_BUT_COLGREVANCE = "Bạn nhận ra các đồng đội Phe Đỏ của mình, trừ Colgrevance."
A_TARGET = "Khi đủ 3 Nhiệm Vụ thành công, nếu Assassin chỉ đúng {} thì Phe Đỏ vẫn thắng."
SEES_MERLIN = "Bạn nhận ra Merlin và Morgana (nếu có trong ván), nhưng không phân biệt được ai là ai."
LIKE_MERLIN = "Bạn giả dạng Merlin: Percival không phân biệt được bạn với Merlin."
UNSEEN = "Merlin không nhận ra bạn."
CITIZENS_GOAL = "Bạn cùng phe Dân Làng và thắng khi không còn con Sói nào sống sót."

AVALON: dict[str, Lines] = {
    Role.MERLIN: (
        "Bạn biết ai thuộc Phe Đỏ, chỉ trừ Mordred.",
        "Khi đủ 3 Nhiệm Vụ thành công, nếu Assassin chỉ đúng bạn thì Phe Đỏ vẫn thắng.",
    ),
    Role.PERCIVAL: (SEES_MERLIN,),
    Role.SERVANT: (
        "Bạn không biết thân phận của ai ngoài chính mình.",
        "Hãy để ý cách chọn đội, bỏ phiếu và kết quả Nhiệm Vụ để biết nên tin ai.",
    ),
    Role.ASSASSIN: (
        "Khi đủ 3 Nhiệm Vụ thành công, bạn chỉ định một người: nếu đúng là Merlin thì Phe Đỏ thắng.",
        ALLIES_BUT_OBERON,
    ),
    Role.MORGANA: (LIKE_MERLIN, ALLIES_BUT_OBERON),
    Role.MORDRED: (UNSEEN, ALLIES_BUT_OBERON),
    Role.OBERON: (
        "Bạn không biết đồng đội Phe Đỏ là ai, và họ cũng không biết bạn.",
        "Merlin thì nhận ra bạn.",
    ),
    Role.MINION: (ALLIES_BUT_OBERON, "Khi làm Nhiệm Vụ, bạn chọn lá Thành Công hoặc Thất Bại tùy ý."),
}

THAVALON: dict[str, Lines] = {
    Role.MERLIN: (
        "Bạn nhận ra Phe Đỏ, trừ Mordred; lẫn trong số đó có cả Lancelot (nếu có), dù thuộc Phe Xanh.",
        A_TARGET.format("bạn là Merlin"),
    ),
    Role.PERCIVAL: (SEES_MERLIN,),
    Role.TRISTAN: (
        "Iseult cũng có trong ván: hai bạn biết nhau và đều thuộc Phe Xanh.",
        A_TARGET.format("hai bạn là cặp Tình Nhân"),
    ),
    Role.ISEULT: (
        "Tristan cũng có trong ván: hai bạn biết nhau và đều thuộc Phe Xanh.",
        A_TARGET.format("hai bạn là cặp Tình Nhân"),
    ),
    Role.LANCELOT: (
        "Khi làm Nhiệm Vụ, bạn chọn lá Thành Công hoặc Đảo Ngược.",
        "Trong mắt Merlin, bạn trông như người Phe Đỏ.",
    ),
    Role.NIMUE: (
        "Bạn biết trong ván còn có những nhân vật nào, nhưng không biết ai là ai.",
        A_TARGET.format("bạn là Nimue"),
    ),
    Role.ARTHUR: (
        "Bạn biết Phe Xanh còn có những nhân vật nào, nhưng không biết ai là ai.",
        "Khi có đúng 2 Nhiệm Vụ thất bại và nhiều nhất 1 thành công, bạn được quyền lộ diện,",
        "miễn là không phải lúc đội đang làm Nhiệm Vụ. Từ đó phiếu của bạn tính gấp đôi,",
        "và bạn không được vào đội nào trước Nhiệm Vụ thứ 5.",
    ),
    Role.TITANIA: ("Phe Đỏ nhìn bạn như đồng đội của họ, chỉ Colgrevance là không bị lừa.",),
    Role.MORDRED: (UNSEEN, ALLIES_BUT_COLGREVANCE),
    Role.MORGANA: (LIKE_MERLIN, ALLIES_BUT_COLGREVANCE),
    Role.MAELAGANT: (
        "Khi làm Nhiệm Vụ, bạn chọn lá Thành Công, Thất Bại hoặc Đảo Ngược.",
        ALLIES_BUT_COLGREVANCE,
    ),
    Role.AGRAVAINE: (
        "Khi làm Nhiệm Vụ, bạn luôn phải chọn lá Thất Bại.",
        "Nếu Nhiệm Vụ bạn tham gia vẫn thành công dù có lá Thất Bại, bạn được quyền lộ diện trước khi",
        "đội kế tiếp được bỏ phiếu (hoặc lên đường, nếu không bỏ phiếu): Nhiệm Vụ đó thành thất bại.",
        ALLIES_BUT_COLGREVANCE,
    ),
    Role.COLGREVANCE: (
        "Đồng đội Phe Đỏ không thấy bạn, họ chỉ được báo là bạn có trong ván.",
        "Bạn biết rõ nhân vật của từng người trong số họ, và Titania không lừa được bạn.",
    ),
}

SAVIOM: dict[str, Lines] = {
    SaviomRole.WOLF: (
        "Ban đêm bạn cùng bầy Sói chọn người để cắn; ban ngày bạn giả làm Dân Làng.",
        "Phe Sói thắng khi số Sói còn sống bằng hoặc nhiều hơn số người còn lại.",
    ),
    SaviomRole.CITIZEN: (
        "Ban ngày bạn thảo luận, bỏ phiếu và phán xử; ban đêm bạn ngủ.",
        "Bạn thắng khi không còn con Sói nào sống sót.",
    ),
    SaviomRole.PROTECTOR: (
        "Mỗi đêm bạn chọn một người để bảo vệ; nếu Sói chọn đúng người đó thì không ai chết.",
        CITIZENS_GOAL,
    ),
    SaviomRole.SEER: (
        "Mỗi đêm bạn soi một người khác và biết người đó có phải Sói hay không.",
        CITIZENS_GOAL,
    ),
}

NOTICES = (
    (AvalonSetup(seats=5, lady=True), "Chỉ nên dùng Thiếu Nữ Bên Hồ từ 7 người trở lên."),
    (ThavalonSetup(seats=6), "Chính các tác giả của THavalon cho rằng ván 6 người nghiêng hẳn về Phe Xanh."),
    (ThavalonSetup(seats=9), "Chính các tác giả của THavalon cho rằng ván 9 người nghiêng hẳn về Phe Xanh."),
)

VIETNAMESE = Words(
    you_are="Bạn là {role} [{side}]",
    roles={role: role.value for role in Role}
    | {
        Role.SERVANT: "Bề Tôi Trung Thành",
        Role.MINION: "Tay Sai",
        SaviomRole.WOLF: "Sói",
        SaviomRole.CITIZEN: "Dân Làng",
        SaviomRole.PROTECTOR: "Bảo Vệ",
        SaviomRole.SEER: "Tiên Tri",
    },
    sides={
        Side.GOOD: "Phe Xanh",
        Side.EVIL: "Phe Đỏ",
        SaviomSide.CITIZENS: "Phe Dân Làng",
        SaviomSide.WOLVES: "Phe Sói",
    },
    does={"avalon": AVALON, "thavalon": THAVALON, "saviom": SAVIOM},
    seen_as={
        "Evil": "{name} thuộc Phe Đỏ.",
        "Merlin or Morgana": "{name} là Merlin hoặc Morgana.",
        Role.TRISTAN: "{name} là Tristan.",
        Role.ISEULT: "{name} là Iseult.",
        SaviomRole.WOLF: "{name} là Sói.",
    },
    known_as="{name} là {role}",
    sees_nobody="Ván này không có ai để bạn nhận ra.",
    notices={
        COLGREVANCE_IS_HIDDEN: "Trong ván còn có Colgrevance, nhưng bạn không thấy được người này.",
        TITANIA_IS_AMONG_THEM: "Một trong những người bạn thấy là Titania, thuộc Phe Xanh.",
    },
    is_assassin={
        "avalon": "Bạn cũng là Assassin: khi đủ 3 Nhiệm Vụ thành công, bạn chỉ định người mà bạn cho là Merlin.",
        "thavalon": "Bạn là Assassin: khi đủ 3 Nhiệm Vụ thành công, bạn là người ra tay cho Phe Đỏ.",
    },
    leads="{leader} giữ thẻ Chỉ Huy và chọn đội đầu tiên.",
    leads_with_lady="{leader} giữ thẻ Chỉ Huy và chọn đội đầu tiên, còn {lady} giữ lá Thiếu Nữ Bên Hồ.",
    begins_with={
        "day": "Ván chơi bắt đầu vào ban ngày: mọi người thảo luận và bỏ phiếu cho người mình nghi ngờ.",
        "night": "Ván chơi bắt đầu vào ban đêm: tất cả mọi người nhắm mắt lại.",
    },
    spoiler="Người chơi -> Nhân vật",
    teams={
        Side.GOOD: "PHE XANH:",
        Side.EVIL: "PHE ĐỎ:",
        SaviomSide.CITIZENS: "PHE DÂN LÀNG:",
        SaviomSide.WOLVES: "PHE SÓI:",
    },
    in_the_deal="Trong ván có: {roles}.",
    cards_lie="{count} lá bài nằm trong thư mục {folder}: mỗi người chỉ đọc tệp mang tên mình.",
    then_begin="Sau đó cả bàn đọc {start} và ván chơi bắt đầu. {spoiler} chỉ được mở khi ván đã kết thúc.",
    write_down="Muốn kiểm tra ván chia sau khi chơi xong, hãy ghi lại ngay dòng này: {commitment}",
    seed_paper="""\
Hạt giống: {seed}
Cam kết: {commitment}
Đã thống nhất: {agreed}

Cam kết này có đúng là dòng đã được ghi lại lúc chia bài không?
Nếu đúng, hãy chia lại: cùng tên người chơi và tùy chọn, --seed với hạt giống này, --out với một thư mục khác.
Các lá bài phải giống hệt. Cách các lá bài được suy ra từ hạt giống: docs/fair-deals.md.
""",
    note="Lưu ý: {notice}",
    advice={notice.message: said for setup, said in NOTICES for notice in setup.notices()},
)
