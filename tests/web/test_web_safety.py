"""Safety of the web app: typed text is never run, and secrets stay out of titles, addresses and storage."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

from support.live_server import LiveServer
from support.waiting import PATIENCE
from support.web.at_table import OpenPage, enter
from support.web.polling import at_most, boxes, eventually
from support.web.rooms import Person, call, join, open_room, start_with_bots, watch_bots_play

pytestmark = pytest.mark.slow

LONGEST_NAME, LONGEST_LINE = 24, 500
TAGS = (
    "script",
    "img",
    "svg",
    "iframe",
    "object",
    "embed",
    "video",
    "audio",
    "details",
    "body",
    "style",
    "link",
    "meta",
)
HANDLERS = ("onerror", "onload", "onclick", "onmouseover", "onfocus", "ontoggle", "onanimationstart", "onpointerenter")
SHORT = [
    "<script>boo()</script>",
    "<img src onerror=boo()>",
    "<svg onload=boo()>",
    "<b onclick=boo()>x</b>",
    "javascript:boo()",
    '"><svg onload=boo()>',
    "'onfocus=boo() autofocus",
    "{{boo()}}",
    "${boo()}",
    "{@html boo()}",
    "<!--><img src=x>",
    "]]><script>boo()//",
]  # short enough for a name
LONG = [
    *(f"<{tag} {handler}='boo()' src=x>{tag}</{tag}>" for tag in TAGS for handler in HANDLERS[:5]),
    *(f"\"'><{tag} autofocus tabindex=1 onfocus=boo()>" for tag in TAGS),
    "<a href='javascript:boo()'>x</a>",
    "<form action='javascript:boo()'><button>x</button></form>",
    "<iframe srcdoc='<script>parent.boo()</script>'></iframe>",
    "<style>*{background:url('javascript:boo()')}</style>",
    "<base href='//evil.example/'>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "data:text/html,<script>boo()</script>",
    "%3Cscript%3Eboo()%3C/script%3E",
    "&lt;script&gt;boo()&lt;/script&gt;",
    "\\u003cscript\\u003eboo()\\u003c/script\\u003e",
]
INJECTIONS = [*SHORT, *LONG]

WATCH = """() => {
  window.harm = [];
  window.boo = () => window.harm.push('a script ran');
  document.addEventListener('securitypolicyviolation', found => window.harm.push(found.violatedDirective));
}"""
TYPE = """async (field, texts) => {
  for (const text of texts) {
    field.value = text;
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    field.dispatchEvent(new Event('change', { bubbles: true }));
    await new Promise(done => setTimeout(done));  // the page takes it in, and shows whatever it makes of it
  }
}"""
HEADER_WIDTHS = "() => [document.querySelector('header')].map(bar => [bar.scrollWidth, bar.clientWidth])[0]"
STRANGERS = """() => [...document.querySelectorAll('iframe, object, embed, base, form[action], [http-equiv], [srcdoc]')]
  .concat([...document.querySelectorAll('*')].filter(one => [...one.attributes].some(a => /^on/i.test(a.name))))
  .concat([...document.querySelectorAll('script, style, link')].filter(one => !one.src && !one.href))
  .concat([...document.querySelectorAll('[href^="javascript:" i], [href^="data:" i]')])
  .map(one => one.outerHTML.slice(0, 100))"""


def test_there_are_a_hundred_of_them() -> None:
    assert len(set(INJECTIONS)) >= 100
    assert all(len(text) <= LONGEST_LINE for text in INJECTIONS)
    assert all(len(text) <= LONGEST_NAME for text in SHORT)


@pytest.fixture
def page(open_page: OpenPage) -> Iterator[Page]:
    """A page that keeps every script that ran from a text, and every dialog."""
    page = open_page()
    page.add_init_script(f"({WATCH})()")
    dialogs: list[str] = []

    def note(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", note)
    yield page
    assert dialogs == []
    assert page.evaluate("window.harm") == []
    assert page.evaluate(STRANGERS) == []


@pytest.mark.parametrize("address", ["/", "/r/{code}"])
def test_nothing_typed_into_a_field_runs(page: Page, server: LiveServer, address: str) -> None:
    page.goto(address.format(code=open_room(server.url).code))
    expect(page.get_by_role("textbox").first).to_be_visible()
    fields = page.locator("input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea").all()
    assert fields
    for field in fields:
        field.evaluate(TYPE, INJECTIONS)
        field.fill(INJECTIONS[0])
    assert page.evaluate("window.harm") == []


def test_no_name_runs_on_any_screen(page: Page, server: LiveServer) -> None:
    for place in range(0, len(SHORT), 4):
        names = SHORT[place : place + 4]
        host = open_room(server.url, "avalon", 5, name="Ann")
        for name in names:
            join(server.url, host.code, name)
        page.goto(f"/tv/{host.code}")
        expect(page.get_by_text(names[0], exact=True)).to_be_visible()
        enter(page, host)
        expect(page.get_by_text(names[0]).first).to_be_visible()
        assert page.evaluate("window.harm") == []
        assert page.evaluate(STRANGERS) == []


def test_no_line_of_talk_runs_in_the_lobby(page: Page, server: LiveServer) -> None:
    host = open_room(server.url, "avalon", 5)
    enter(page, host)
    expect(page.locator("h1").first).to_be_visible()
    talk(host, INJECTIONS)
    expect(page.get_by_role("log").locator("p, li").last).to_contain_text(INJECTIONS[-1])
    page.reload()
    expect(page.get_by_role("log").locator("p, li").last).to_contain_text(INJECTIONS[-1])


def talk(host: Person, lines: list[str]) -> None:
    """Say all lines, shared between members: each may say three lines in three seconds."""
    guests = [join(host.url, host.code, f"Guest {n}", watch=True) for n in range(-(-len(lines) // 3))]
    for number, line in enumerate(lines):
        guests[number // 3].ask("Chat", text=line)


@pytest.mark.parametrize("address", ["/r/{}", "/tv/{}", "/rules/{}", "/record/{}/1", "/{}"])
def test_no_address_runs(page: Page, address: str) -> None:
    for text in ("<script>boo()</script>", "%3Cimg%20src%20onerror=boo()%3E", "javascript:boo()", "'\"><svg>"):
        page.goto(address.format(text.replace("/", "%2F")))
        expect(page.locator("h1").first).to_be_visible()
        assert page.evaluate("window.harm") == []
        assert page.evaluate(STRANGERS) == []


def test_the_policy_lets_in_nothing_written_into_the_page(browser: Browser, server: LiveServer) -> None:
    page = browser.new_page(base_url=server.url)  # it complains, as it should
    page.set_default_timeout(1_000 * PATIENCE)
    answer = page.goto("/")
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    blocked = page.evaluate(
        """() => new Promise(found => {
          document.addEventListener('securitypolicyviolation', event => found(event.violatedDirective));
          const script = document.createElement('script');
          script.textContent = 'window.harm = true';
          document.head.append(script);
        })"""
    )
    assert blocked.startswith("script-src")
    page.close()


# Secrets


def test_a_role_is_nowhere_but_in_the_hand_that_holds_it(server: LiveServer, seat_at: Callable[[Person], Page]) -> None:
    host = open_room(server.url, "avalon", 7)
    start_with_bots(host)
    page = seat_at(host)
    token = re.escape(host.token)
    kept: str = page.evaluate("JSON.stringify({ ...localStorage, ...sessionStorage })")
    roles = call(f"{server.url}/api/rooms/{host.code}")["roles"]
    for place in (page.title(), page.url, kept):
        assert not [role for role in roles if role in place]
    assert len(re.findall(token, kept)) == 1
    assert not re.search(token, page.url + page.title() + page.content())
    assert page.evaluate("document.cookie") == ""
    assert page.evaluate("'Notification' in window ? Notification.permission : 'denied'") != "granted"


# Large screens


@pytest.mark.parametrize(("game", "seats"), [("avalon", 10), ("saviom", 12)])
def test_a_board_on_a_wall_shows_every_seat(open_page: OpenPage, server: LiveServer, game: str, seats: int) -> None:
    host = open_room(server.url, game, seats)
    start_with_bots(host)
    page = open_page(viewport={"width": 1920, "height": 1080})
    page.goto(f"/tv/{host.code}")
    discs = boxes("[data-seat] .medallion")
    eventually(page, discs, partial(are_seen, count=seats, width=1920, height=1080, size=60))  # from a sofa
    page.set_viewport_size({"width": 390, "height": 844})
    eventually(page, discs, partial(are_seen, count=seats, width=390, height=844, size=0))  # on a phone


def are_seen(discs: list[list[float]], count: int, width: float, height: float, size: float) -> bool:
    """Whether all of them are on the screen, and large enough."""
    are_inside = all(0 <= x <= width - wide and 0 <= y <= height - high for x, y, wide, high in discs)
    return len(discs) == count and are_inside and all(wide > size for _, _, wide, _ in discs)


def test_a_board_on_a_wall_tells_no_secret(open_page: OpenPage, server: LiveServer) -> None:  # C4
    host = open_room(server.url, "avalon", 7)
    frames: list[str] = []
    page = open_page()
    page.on("websocket", lambda line: line.on("framereceived", lambda frame: frames.append(str(frame))))
    start_with_bots(host)
    page.goto(f"/tv/{host.code}")
    expect(page.get_by_role("region", name="The table", exact=True)).to_be_visible()
    assert frames
    assert not [frame for frame in frames if "RoleDealt" in frame or "CardChosen" in frame or "BallotMarked" in frame]
    expect(page.locator("[data-move], [data-pick]")).to_have_count(0)


def test_a_board_on_a_wall_follows_from_game_to_game(open_page: OpenPage, server: LiveServer) -> None:
    host = open_room(server.url, "avalon", 5)
    page = open_page(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    page.goto(f"/tv/{host.code}")
    expect(page.get_by_text(host.code)).to_be_visible()
    eventually(page, HEADER_WIDTHS, lambda widths: widths[0] <= widths[1])
    expect(page.get_by_role("img", name=re.compile("QR code"))).to_be_visible()
    watch_bots_play(host)
    expect(page.get_by_text("Victory for")).to_be_visible()
    host.ask("Rematch")
    expect(page.get_by_role("heading", name="Join in! 5 bots will give up their seats.")).to_be_visible()
    eventually(page, "() => document.scrollingElement.scrollHeight", at_most(720))
