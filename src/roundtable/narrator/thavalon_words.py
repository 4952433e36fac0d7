"""The sentences of THavalon's moderator."""

from __future__ import annotations

from roundtable.narrator.languages import Both

# The table

DEAL = Both(
    "Give everybody the card that was written for them; `roundtable deal thavalon` writes them all. "
    "Read none of them yourself.",
    "Phát cho mỗi người lá bài của riêng họ; `roundtable deal thavalon` viết sẵn tất cả. Quản trò không đọc lá nào.",
)
CARDS = Both(
    "Read your own card alone, then put it away. Nobody closes their eyes: all that you are shown is on your card.",
    "Mỗi người tự đọc lá bài của mình rồi cất đi. Không ai phải nhắm mắt: những gì bạn được biết đều ghi trên lá bài.",
)
SIDES = Both(
    "We are {seats}: {good} Good and {evil} Evil. No two of us have the same role.",
    "Chúng ta có {seats} người: {good} Phe Xanh và {evil} Phe Đỏ. Không có hai người trùng nhân vật.",
)
POOLS = Both(
    "Good was drawn from {good}, the lovers Tristan and Iseult both or neither. Evil was drawn from {evil}. "
    "Which of them came, only a card may tell.",
    "Phe Xanh được rút từ {good}; cặp Tình Nhân Tristan và Iseult có cả hai hoặc không có ai. "
    "Phe Đỏ được rút từ {evil}. Những ai có mặt thì chỉ lá bài mới cho biết.",
)
DAGGER = Both(
    "One of Evil, whatever their role, is the Assassin, and nobody else knows who.",
    "Một người Phe Đỏ, bất kể nhân vật nào, là Assassin, và ngoài người đó ra không ai biết.",
)
MISSIONS = Both(
    "The five missions take {sizes} players. Three failures win for Evil; three successes lead to the assassination.",
    "Năm nhiệm vụ lần lượt cần {sizes} người. Ba nhiệm vụ thất bại thì Phe Đỏ thắng; ba nhiệm vụ thành công thì "
    "tới lượt ám sát.",
)
TWO_FAILS = Both("The fourth needs two Fails to fail.", "Nhiệm vụ thứ 4 cần hai lá Thất Bại mới thất bại.")
IN_TURN = Both(
    "The first round has {proposals} proposals. The second is not voted on: its team goes.",
    "Vòng đầu có {proposals} lần đề cử. Lần thứ hai không bỏ phiếu: đội đó đi luôn.",
)
PAIRED = Both(
    "In the first round {proposals} leaders propose one after the other, and one vote decides: approving sends the "
    "first team, rejecting or a tie the second.",
    "Vòng đầu có {proposals} đội trưởng lần lượt đề cử rồi bỏ phiếu một lần: đồng ý thì đội thứ nhất đi, "
    "từ chối hoặc hòa phiếu thì đội thứ hai đi.",
)
LATER_ROUNDS = Both(
    "Every later round has {proposals} proposals, and the last of them goes without a vote.",
    "Mỗi vòng sau có {proposals} lần đề cử, và lần cuối cùng đi luôn không cần bỏ phiếu.",
)
FIRST_LEADER = Both(
    "The deal has drawn who leads first. After every proposal that was voted on or sent, the lead goes to the left.",
    "Đội trưởng đầu tiên đã được bốc khi chia bài. Sau mỗi lần đề cử đã bỏ phiếu hoặc đã lên đường, "
    "thẻ Chỉ Huy chuyển sang người bên trái.",
)

# Proposals and votes

PROPOSE = Both(
    "Leader, name your team; you may go yourself.",
    "Mời đội trưởng chọn đội; đội trưởng có thể chọn chính mình.",
)
WHEN_ARTHUR = Both(
    "While exactly two missions have failed, at most one has succeeded and nobody has declared, say this in every "
    "proposal, whether or not you think that there is an Arthur.",
    "Khi có đúng hai nhiệm vụ thất bại, nhiều nhất một thành công và chưa ai lộ diện, lần đề cử nào cũng đọc câu này, "
    "dù có nghĩ là có Arthur hay không.",
)
ARTHUR = Both(
    "Until the vote is shown or the team leaves, Arthur, if he is here, may declare himself.",
    "Trước khi lật phiếu hoặc đội lên đường, nếu có Arthur thì Arthur được quyền lộ diện.",
)
AFTER_ARTHUR = Both(
    "If he does: votes already given are put away unseen, and the same leader proposes again at no cost. From now on "
    "his vote counts twice, and he goes on no team before the fifth mission.",
    "Nếu Arthur lộ diện: cất các phiếu đã bỏ mà không lật, đội trưởng đó đề cử lại và không mất lượt. Từ giờ phiếu "
    "của Arthur tính gấp đôi, và Arthur không được vào đội nào trước nhiệm vụ thứ 5.",
)
WHEN_STANDS = Both(
    "Say this for the first proposal after a mission that succeeded despite a Fail, every time, and wait in full.",
    "Ở lần đề cử đầu tiên sau một nhiệm vụ thành công dù có lá Thất Bại, lần nào cũng đọc câu này và chờ cho đủ.",
)
STANDS = Both(
    "This proposal stands {until}. Whoever can still turn the last mission may declare it failed.",
    "Đề cử này giữ nguyên {until}. Ai có quyền lật kết quả nhiệm vụ vừa rồi thì có thể tuyên bố nó thất bại.",
)
FOR_SECONDS = Both("for {seconds} seconds", "trong {seconds} giây")
UNTIL_ALL_GO_ON = Both("until everybody has said to go on", "cho tới khi mọi người đều nói đi tiếp")
AFTER_STANDS = Both(
    "If somebody does: the mission has failed, and unless that is the third failure the same leader proposes again at "
    "no cost. It may also be done earlier, from the mission's result on.",
    "Nếu có người tuyên bố: nhiệm vụ đó thành thất bại, và nếu chưa đủ ba thất bại thì đội trưởng đó đề cử lại, "
    "không mất lượt. Cũng có thể tuyên bố sớm hơn, ngay từ khi có kết quả nhiệm vụ.",
)
PAIRED_VOTE = Both(
    "In the first round hear both proposals before the one vote, and send a team either way. In later rounds:",
    "Ở vòng đầu, nghe đủ hai lần đề cử rồi mới bỏ phiếu một lần, và thế nào cũng có một đội đi. Các vòng sau như sau:",
)
LAST_PROPOSAL = Both(
    "The last proposal of a round gets no vote: go on with the mission.",
    "Lần đề cử cuối của vòng không bỏ phiếu: chuyển thẳng sang nhiệm vụ.",
)
VOTE = Both(
    "Everybody, vote in secret to approve or reject. When all have voted, show your votes.",
    "Tất cả bí mật bỏ phiếu đồng ý hoặc từ chối. Khi mọi người xong thì cùng lật phiếu.",
)
COUNT = Both(
    "More than half of all votes must approve, and a tie rejects. If the team goes: the mission. If not: the next "
    "leader, on the left.",
    "Hơn nửa tổng số phiếu đồng ý thì đội được đi; hòa phiếu là từ chối. Được đi: sang nhiệm vụ. "
    "Không được: tới đội trưởng bên trái.",
)

# Missions

LAY = Both(
    "Team, each of you lays one card face down. Good lays Success, Evil Success or Fail, unless your own card says "
    "something else.",
    "Mời đội: mỗi người úp một lá nhiệm vụ. Phe Xanh ra Thành Công, Phe Đỏ ra Thành Công hoặc Thất Bại, "
    "trừ khi lá bài của bạn ghi khác.",
)
SHUFFLE = Both(
    "Mix the cards well before you turn them up; let a second person mix them too.",
    "Xào kỹ các lá rồi mới lật; nên có thêm một người cùng xào.",
)
RESULT = Both(
    "There were [number] Success, [number] Fail, [number] Reverse. The mission [succeeded / failed].",
    "Có [số lá] Thành Công, [số lá] Thất Bại, [số lá] Đảo Ngược. Nhiệm vụ [thành công / thất bại].",
)
JUDGE = Both(
    "It failed with a Fail and an even number of Reverses (none is even), or with no Fail and an odd number.",
    "Thất bại khi có lá Thất Bại và số lá Đảo Ngược chẵn (không có lá nào là chẵn), "
    "hoặc không có lá Thất Bại mà số lá Đảo Ngược lẻ.",
)
JUDGE_FOURTH = Both(
    "The fourth failed with two or more Fails and an even number of Reverses, or with exactly one Fail and an odd "
    "number.",
    "Nhiệm vụ thứ 4 thất bại khi có từ hai lá Thất Bại và số lá Đảo Ngược chẵn, "
    "hoặc đúng một lá Thất Bại và số lá Đảo Ngược lẻ.",
)
WHEN_RECKONING = Both(
    "If this is the third success, and there was a Fail: say this and wait in full.",
    "Nếu đây là lần thành công thứ ba mà có lá Thất Bại: đọc câu này và chờ cho đủ.",
)
RECKONING = Both(
    "We wait {until}. Whoever can still turn this mission may declare it failed.",
    "Chúng ta chờ {until}. Ai có quyền lật kết quả nhiệm vụ này thì có thể tuyên bố nó thất bại.",
)
SCORE = Both(
    "Three successes: the assassination. Three failures: say the next line. Otherwise the next leader, on the left, "
    "opens a new round.",
    "Ba thành công: sang ám sát. Ba thất bại: đọc câu dưới. Nếu chưa thì đội trưởng bên trái mở vòng mới.",
)
THREE_FAILED = Both(
    "Three missions have failed: Evil wins. Turn up your cards.",
    "Ba nhiệm vụ thất bại: Phe Đỏ thắng. Mời mọi người lật bài.",
)

# The assassination

SHOW_SIDES = Both(
    "Three missions have succeeded. Evil, show which side you are on, not your roles; Assassin, say that it is you.",
    "Ba nhiệm vụ thành công. Phe Đỏ lộ diện, nhưng không nói nhân vật; Assassin hãy cho biết đó là mình.",
)
CONFER = Both(
    "Evil may talk it over out of Good's hearing. Only what the Assassin says counts.",
    "Phe Đỏ được bàn riêng, không để Phe Xanh nghe. Chỉ lời của Assassin mới tính.",
)
CALL = Both(
    "Assassin, make your one call: {calls}.",
    "Assassin, hãy ra tay một lần duy nhất: {calls}.",
)
CALL_MERLIN = Both("one player as Merlin", "chỉ một người là Merlin")
CALL_NIMUE = Both("one player as Nimue", "chỉ một người là Nimue")
CALL_LOVERS = Both("two players as the Lovers", "chỉ hai người là cặp Tình Nhân")
CALL_NOBODY = Both("nobody, for none of these was dealt", "không chỉ ai vì không có ai trong số đó")
IF_RIGHT = Both("If the players called turn up just those roles:", "Nếu những người bị chỉ đúng là các nhân vật đó:")
EVIL_WINS = Both("The call is right: Evil wins.", "Chỉ đúng: Phe Đỏ thắng.")
IF_WRONG = Both("Otherwise:", "Nếu không:")
GOOD_WINS = Both("The call is wrong: Good wins.", "Chỉ sai: Phe Xanh thắng.")
TURN_UP = Both("Everybody, turn up your card.", "Tất cả lật bài.")
