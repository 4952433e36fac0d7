"""What players of the quest games claim and remark."""

from __future__ import annotations

from roundtable.core.phrases import COMMON_PHRASES, Phrase

QUEST_PHRASES = COMMON_PHRASES | {
    "i_examined": Phrase(has_seat=True, has_word=True),  # "I examined seat 4: Evil."
    "i_played": Phrase(has_word=True),  # "I played Success."
    "take_me": Phrase(),
    "take": Phrase(has_seat=True),
    "approve_this": Phrase(),
    "reject_this": Phrase(),
}
