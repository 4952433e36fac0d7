"""Sentences about the balance of a game, with its tables as people read them."""

from __future__ import annotations

import re

from roundtable.core.catalogue import as_key, word_key
from roundtable.lab.figures import StudyText

PART = re.compile(r"[^,()=]*[^,()= ](=[^,()]+)?")  # of a label: a role, a name of the game's own, or an option


class BalanceText(StudyText):
    """What a balance study says about a game in a language."""

    def label(self, label: str) -> str:
        """A table's label: roles and names in the language, options as they are typed."""
        return PART.sub(lambda part: part[0] if part[1] else self._named(part[0]), label)

    def _named(self, part: str) -> str:
        name = part.strip()
        keys = (f"balance.table.{as_key(name)}", word_key(name))
        said = next((found for key in keys if (found := self.catalogue.find(key))), name)
        return part.replace(name, said)

    @property
    def people(self) -> str:
        """Where the games of people are from."""
        return self.catalogue.find("balance.people") or ""
