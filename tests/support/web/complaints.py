"""Errors that a page reports while a test uses it."""

from __future__ import annotations

from playwright.sync_api import ConsoleMessage, Page


def complaints_of(page: Page) -> list[str]:
    """Errors in the console and violations of the content security policy. Refusals and lost lines do not count."""
    complaints: list[str] = []

    def note(line: ConsoleMessage) -> None:
        if line.type == "error" and not line.text.startswith(("Failed to load resource", "WebSocket connection")):
            complaints.append(line.text)

    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", note)
    return complaints
