"""What a server prints when it starts."""

from __future__ import annotations

import pytest

from roundtable.core.catalogue import catalogue, languages
from roundtable.server.run import startup_message


@pytest.mark.parametrize("lang", languages())
def test_a_server_in_memory_promises_to_keep_nothing(lang: str) -> None:
    kept, lost = (startup_message("127.0.0.1", 8000, None, lang, is_kept) for is_kept in (True, False))
    assert catalogue(lang).text("serve.close") in kept
    assert catalogue(lang).text("serve.close") not in lost
    assert catalogue(lang).text("serve.close_memory") in lost
