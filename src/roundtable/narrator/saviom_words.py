"""The sentences of Saviom's moderator."""

from __future__ import annotations

from roundtable.games.saviom.setup import Role
from roundtable.narrator.languages import Both

# One of them, several of them.
CARDS = {
    Role.WOLF: (Both("{n} Wolf", "{n} Sói"), Both("{n} Wolves", "{n} Sói")),
    Role.CITIZEN: (Both("{n} Citizen", "{n} Dân Làng"), Both("{n} Citizens", "{n} Dân Làng")),
    Role.PROTECTOR: (Both("{n} Protector", "{n} Bảo Vệ"), Both("{n} Protectors", "{n} Bảo Vệ")),
    Role.SEER: (Both("{n} Seer", "{n} Tiên Tri"), Both("{n} Seers", "{n} Tiên Tri")),
}

# The table

ROLES = Both("The town has {seats} people: {roles}.", "Làng có {seats} người: {roles}.")
LOOK_AT_YOUR_CARD = Both(
    "Look at your card where nobody else can see it, and lay it face down.",
    "Mỗi người bí mật xem lá bài của mình, đừng để ai thấy, rồi úp xuống.",
)
ALL_CLOSE = Both("Everybody, close your eyes.", "Tất cả mọi người nhắm mắt lại.")
WOLVES_MEET = Both(
    "Wolves, open your eyes and find one another. Nobody is killed yet.",
    "Sói mở mắt ra, nhìn quanh để nhận biết đồng bọn. Lúc này chưa cắn ai.",
)
ALL_OPEN = Both("Everybody, open your eyes.", "Tất cả mở mắt ra.")

# Day and defense

DAY = Both(
    "It is day. You have {seconds} seconds to talk. Point at one other living player whom you want on trial; you may "
    "point elsewhere or lower your hand.",
    "Ban ngày bắt đầu. Cả làng có {seconds} giây để thảo luận. Ai muốn đưa một người còn sống khác lên giàn "
    "thì chỉ tay vào người đó; được đổi ý hoặc bỏ tay xuống.",
)
DAY_EARLY = Both(
    "The day ends early once everybody alive has locked in a vote.",
    "Ngày kết thúc sớm khi mọi người còn sống đều đã chốt phiếu.",
)
TIME_UP = Both(
    "Time is up. Keep your hands where they are.",
    "Hết giờ. Giữ nguyên tay đang chỉ.",
)
TRIAL_BY = {
    "living": Both(
        "Somebody with more than half of the living pointing at them: the defense. Otherwise: the night.",
        "Có người bị hơn nửa số người còn sống chỉ vào: sang phần biện hộ. Không có: sang đêm.",
    ),
    "cast": Both(
        "Somebody with more than half of the pointing hands against them: the defense. Otherwise: the night.",
        "Có người bị hơn nửa số tay đang giơ chỉ vào: sang phần biện hộ. Không có: sang đêm.",
    ),
}
DEFENSE = Both(
    "[Name] is on trial and has {seconds} seconds. Nobody else speaks.",
    "[Tên] lên giàn, có {seconds} giây để biện hộ. Những người khác im lặng.",
)
DEFENSE_EARLY = Both(
    "The defense ends early once everybody else alive has locked in a vote.",
    "Phần biện hộ kết thúc sớm khi mọi người còn sống khác đều đã chốt phiếu.",
)
VERDICT = Both(
    "Everybody else alive votes at once: thumb up saves, thumb down eliminates, a fist is no vote. One, two, three.",
    "Những người còn sống khác cùng biểu quyết: ngón cái lên là tha, ngón cái xuống là loại, "
    "nắm tay là không bỏ phiếu. Một, hai, ba.",
)
IF_ELIMINATED = Both("With more thumbs down than up:", "Nếu phiếu loại nhiều hơn phiếu tha:")
ELIMINATED = Both("[Name] is eliminated.", "[Tên] bị loại.")
IF_SAVED = Both(
    "With a tie, fewer or none, and night falls just the same:",
    "Nếu bằng, ít hơn hoặc không ai bỏ phiếu, và đêm vẫn xuống:",
)
SAVED = Both("[Name] is saved.", "[Tên] được tha.")

# Night

NIGHT_FALLS = Both(
    "Night falls. Everybody, the dead too, close your eyes, be silent, and drum softly on the table until dawn.",
    "Đêm xuống. Tất cả, kể cả người đã chết, nhắm mắt, im lặng, và gõ nhẹ tay xuống bàn cho tới sáng.",
)
CALL_THE_DEAD = Both(
    "Read every line every night and wait as long as it says, also when all who have that role are dead. Choices only "
    "take effect at dawn, all at once.",
    "Đêm nào cũng đọc đủ từng câu và chờ đúng số giây, kể cả khi người giữ vai đó đã chết. "
    "Mọi lựa chọn chỉ có hiệu lực lúc trời sáng, cùng một lúc.",
)
OPEN = {
    Role.WOLF: Both(
        "Wolves, open your eyes and point at {whom}, to be killed.",
        "Sói mở mắt ra và chỉ {whom} để cắn.",
    ),
    Role.PROTECTOR: Both(
        "Protector, open your eyes and point at {whom}, to be guarded.",
        "Bảo Vệ mở mắt ra và chỉ {whom} để bảo vệ.",
    ),
    Role.SEER: Both(
        "Seer, open your eyes and point at {whom}, to be examined.",
        "Tiên Tri mở mắt ra và chỉ {whom} để soi.",
    ),
}
CLOSE = {
    Role.WOLF: Both("Wolves, close your eyes.", "Sói nhắm mắt lại."),
    Role.PROTECTOR: Both("Protector, close your eyes.", "Bảo Vệ nhắm mắt lại."),
    Role.SEER: Both("Seer, close your eyes.", "Tiên Tri nhắm mắt lại."),
}
WHOM = {
    Role.WOLF: Both("one living player who is no Wolf", "một người còn sống không phải Sói"),
    Role.SEER: Both("one other living player", "một người còn sống khác"),
}
ANYONE_ELSE = Both("one other living player", "một người còn sống khác")
ANYONE = Both("one living player or yourself", "một người còn sống hoặc chính mình")
NOT_TWICE = Both("but not the one you guarded last night", "nhưng không phải người đêm trước")
KILL_BY = {
    "cast": Both(
        "Whoever more than half of the pointing Wolves agree on is their choice; otherwise they have none.",
        "Người bị hơn nửa số Sói đang chỉ tay cùng chọn là nạn nhân; nếu không thì không có ai.",
    ),
    "living": Both(
        "Whoever more than half of the living Wolves agree on is their choice; otherwise they have none.",
        "Người bị hơn nửa số Sói còn sống cùng chọn là nạn nhân; nếu không thì không có ai.",
    ),
}
CHOICE = {
    Role.PROTECTOR: Both(
        "If the Wolves chose that player, nobody is killed.",
        "Nếu Sói chọn đúng người đó thì không ai chết.",
    ),
    Role.SEER: Both(
        "Answer without a sound: thumb up for a Wolf, thumb down for anybody else. Do the same when nobody looks.",
        "Trả lời không một tiếng động: ngón cái lên là Sói, ngón cái xuống là không phải. "
        "Không có ai nhìn cũng làm như vậy.",
    ),
}

# Dawn

DAWN = Both("It is dawn. Everybody, open your eyes.", "Trời sáng. Tất cả mở mắt ra.")
IF_KILLED = Both("If somebody was killed:", "Nếu có người chết:")
KILLED = Both("[Name] was killed in the night.", "Đêm qua [tên] đã chết.")
IF_NOBODY = Both(
    "If nobody was, for whatever reason, say just this and in the same voice:",
    "Nếu không có ai chết, dù vì lý do gì, chỉ đọc đúng câu này với cùng một giọng:",
)
NOBODY = Both("Nobody was killed in the night.", "Đêm qua không có ai chết.")
SURRENDER = Both(
    "Whoever gave up in the night leaves now, and is named too.",
    "Ai bỏ cuộc trong đêm thì rời làng lúc này, và cũng được nêu tên.",
)
FATE = {
    "side": Both("They belonged to the [Wolves / Citizens].", "Người này thuộc phe [Sói / Dân Làng]."),
    "role": Both("They were a [role].", "Người này là [vai]."),
}

# The end

AFTER_A_DEATH = Both(
    "After every death, before anything else: no Wolf left is the first line, as many Wolves as others or more the "
    "second. Otherwise go on.",
    "Sau mỗi cái chết, trước mọi việc khác: hết Sói thì đọc câu thứ nhất, số Sói bằng hoặc nhiều hơn số người còn lại "
    "thì đọc câu thứ hai. Nếu không thì chơi tiếp.",
)
CITIZENS_WIN = Both("The last Wolf is gone: the Citizens win.", "Con Sói cuối cùng đã bị loại: phe Dân Làng thắng.")
WOLVES_WIN = Both(
    "The Wolves are no longer outnumbered: the Wolves win.",
    "Sói không còn ít hơn người: phe Sói thắng.",
)
IF_QUIET = Both(
    "After {limit} days and nights in a row without a death (a day counts one with its defense, a night one):",
    "Sau {limit} ngày và đêm liên tiếp không ai chết (một ngày kể cả biện hộ tính một, một đêm tính một):",
)
QUIET = Both("Nobody dies here any more: there is no winner.", "Không còn ai chết nữa: ván này không có phe nào thắng.")
TURN_UP = Both("The game is over. Everybody, turn up your card.", "Ván chơi kết thúc. Tất cả lật bài.")
