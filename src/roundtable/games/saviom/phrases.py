"""What players of Saviom claim and remark."""

from __future__ import annotations

from roundtable.core.phrases import COMMON_PHRASES, Phrase

TOWN_PHRASES = COMMON_PHRASES | {
    "i_examined": Phrase(has_seat=True, has_word=True),  # "I examined seat 4: Wolves."
    "i_protected": Phrase(has_seat=True),
}
