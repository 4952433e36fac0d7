"""The page of a balance study fits a laptop's screen: no figure and no reason is cut off."""

from __future__ import annotations

from collections import Counter

import pytest
from playwright.sync_api import Browser

from roundtable.games import GAMES
from roundtable.lab.balance.measuring import TableResult
from roundtable.lab.balance.page import page
from roundtable.lab.balance.tables import Table, tables_of
from roundtable.lab.balance.words import BalanceText
from roundtable.lab.tally import NOBODY, Tally

pytestmark = pytest.mark.slow

PLAYED = 1_000_000
HIDDEN = "[...document.querySelectorAll('.scroll, html')].map(part => part.scrollWidth - part.clientWidth)"


@pytest.mark.parametrize("lang", ["en", "vi"])
@pytest.mark.parametrize("game", ["avalon", "thavalon", "saviom"])
def test_every_reason_is_on_a_page_of_1200_pixels(browser: Browser, game: str, lang: str) -> None:
    rules = GAMES[game].game
    seats = rules.setup_type.most
    first, second = rules.sides
    lines = [every_ending(table) for table in tables_of(game, (seats,))]
    asked = {"game": game, "seats": [seats], "bots": ["careful"], "seed": "balance", "games": PLAYED}
    shown = browser.new_page(viewport={"width": 1200, "height": 800})
    shown.set_content(page(asked, (str(first), str(second)), lines, BalanceText(game, lang)))
    assert shown.evaluate(HIDDEN) == [0, 0]
    assert shown.locator("td.why").count() == len(lines) > 2
    shown.close()


def every_ending(table: Table) -> TableResult:
    """A table at which games ended in every way that they can end in."""
    endings = GAMES[table.setup.game].game.endings_of(table.setup)
    tally = Tally(
        games=PLAYED, endings=Counter({(str(winner or NOBODY), reason): 312_345 for winner, reason in endings})
    )
    return TableResult(seats=table.setup.seats, kind=table.kind, label=table.label, options={}, tally=tally)
