"""What people type is text and nothing else, and what is secret stays out of titles, addresses and storage."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

from live import LiveServer
from web.at_table import enter
from web.rooms import Person, call, join, open_room, start_with_bots, watch_bots_play

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
def page(browser: Browser, server: LiveServer) -> Iterator[Page]:
    """A browser that notes whatever would have been harm, and whatever asks in a dialog."""
    context = browser.new_context(base_url=server.url, locale="en-GB")
    context.add_init_script(f"({WATCH})()")
    page = context.new_page()
    dialogs: list[str] = []

    def note(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", note)
    yield page
    assert dialogs == []
    assert page.evaluate("window.harm") == []
    assert page.evaluate(STRANGERS) == []
    context.close()


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
    """Say all of it, by as many mouths as it takes: nobody may say more than three lines in three seconds."""
    guests = [join(host.url, host.code, f"Guest {n}", watch=True) for n in range(-(-len(lines) // 3))]
    for number, line in enumerate(lines):
        guests[number // 3].ask("Chat", text=line)


@pytest.mark.parametrize("address", ["/r/{}", "/tv/{}", "/rules/{}", "/record/{}/1", "/{}"])
def test_no_address_runs(page: Page, address: str) -> None:
    for text in ("<script>boo()</script>", "%3Cimg%20src%20onerror=boo()%3E", "javascript:boo()", "'\"><svg>"):
        page.goto(address.format(text.replace("/", "%2F")))
        expect(page.locator("main, body").first).to_be_visible()
        assert page.evaluate("window.harm") == []
        assert page.evaluate(STRANGERS) == []


def test_the_policy_lets_in_nothing_written_into_the_page(browser: Browser, server: LiveServer) -> None:
    page = browser.new_context(base_url=server.url).new_page()
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
    page.context.close()


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


# Boards on walls


@pytest.mark.parametrize(("game", "seats"), [("avalon", 10), ("saviom", 12)])
def test_a_board_on_a_wall_shows_every_seat(browser: Browser, server: LiveServer, game: str, seats: int) -> None:
    host = open_room(server.url, game, seats)
    start_with_bots(host)
    page = browser.new_context(base_url=server.url, viewport={"width": 1920, "height": 1080}).new_page()
    page.goto(f"/tv/{host.code}")
    discs = page.locator("[data-seat] .medallion")
    expect(discs).to_have_count(seats)
    for disc in discs.all():
        expect(disc).to_be_in_viewport(ratio=0.99)
        box = disc.bounding_box()
        assert box is not None
        assert box["width"] > 60  # it is seen from a sofa
    page.set_viewport_size({"width": 390, "height": 844})  # and in somebody's hand
    for disc in discs.all():
        expect(disc).to_be_in_viewport(ratio=0.99)
    page.context.close()


def test_a_board_on_a_wall_tells_no_secret(browser: Browser, server: LiveServer) -> None:  # C4
    host = open_room(server.url, "avalon", 7)
    frames: list[str] = []
    page = browser.new_context(base_url=server.url, locale="en-GB").new_page()
    page.on("websocket", lambda line: line.on("framereceived", lambda frame: frames.append(str(frame))))
    start_with_bots(host)
    page.goto(f"/tv/{host.code}")
    expect(page.get_by_role("region", name="The table", exact=True)).to_be_visible()
    assert frames
    assert not [frame for frame in frames if "RoleDealt" in frame or "CardChosen" in frame or "BallotMarked" in frame]
    assert page.locator("[data-move], [data-pick]").count() == 0
    page.context.close()


def test_a_board_on_a_wall_follows_from_game_to_game(browser: Browser, server: LiveServer) -> None:
    host = open_room(server.url, "avalon", 5)
    context = browser.new_context(
        base_url=server.url, locale="en-GB", viewport={"width": 1280, "height": 720}, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(f"/tv/{host.code}")
    expect(page.get_by_text(host.code)).to_be_visible()
    assert page.locator("header").evaluate("bar => bar.scrollWidth - bar.clientWidth") <= 0
    expect(page.get_by_role("img", name=re.compile("camera"))).to_be_visible()
    watch_bots_play(host)
    expect(page.get_by_text("Victory for")).to_be_visible(timeout=60_000)
    host.ask("Rematch")
    expect(page.get_by_role("heading", name="The table is full")).to_be_visible()
    assert page.evaluate("document.scrollingElement.scrollHeight") <= 720
    page.context.close()
