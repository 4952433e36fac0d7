"""What a page complains about while it is used."""

from __future__ import annotations

from playwright.sync_api import ConsoleMessage, Page


def complaints_of(page: Page) -> list[str]:
    """Errors in the console, and what the content security policy stopped; a refusal or a lost line is no error."""
    complaints: list[str] = []

    def note(line: ConsoleMessage) -> None:
        if line.type == "error" and not line.text.startswith(("Failed to load resource", "WebSocket connection")):
            complaints.append(line.text)

    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", note)
    return complaints
