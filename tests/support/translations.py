"""The languages that have every sentence. One that has only been begun may lack some, and is not listed here."""

from __future__ import annotations

from roundtable.core.catalogue import catalogue, languages, listed

FINISHED = ("en", "vi")
LANGUAGE_CHOICES = listed(list(languages()), catalogue("en"), "or")  # as a refusal names them: "en or vi"
