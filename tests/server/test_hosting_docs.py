"""What docs/hosting.md and the Makefile promise to operators."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
import yaml

from roundtable.cli import build_parser
from roundtable.server.metrics import Metrics
from support.live_server import LiveServer, run_to_its_end
from support.paths import ROOT
from support.waiting import PATIENCE

DOCUMENT = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
CANNOT_WRITE = "RoundTableCannotWrite"


def serve_options() -> list[argparse.Action]:
    commands = next(one for one in build_parser()._actions if isinstance(one, argparse._SubParsersAction))
    return [option for option in commands.choices["serve"]._actions if option.dest != "help"]


def test_every_option_of_the_server_is_listed_with_its_place_in_the_environment() -> None:
    told = dict(re.findall(r"^\| `(--[a-z0-9-]+)[^|]*\| `(\w+)` \|", DOCUMENT, re.MULTILINE))
    assert told == {option.option_strings[0]: f"ROUNDTABLE_{option.dest.upper()}" for option in serve_options()}


def test_the_environment_is_read_and_the_command_line_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUNDTABLE_PORT", "9000")
    monkeypatch.setenv("ROUNDTABLE_HOST", "127.0.0.1")
    monkeypatch.setenv("ROUNDTABLE_ORIGIN", "https://a.example,https://b.example")
    given = build_parser().parse_args(["serve", "--port", "9001"])
    assert (given.host, given.port) == ("127.0.0.1", 9001)
    assert given.origin == ["https://a.example", "https://b.example"]


def test_an_unknown_log_format_in_the_environment_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ROUNDTABLE_LOG_FORMAT", "xml")
    with pytest.raises(SystemExit) as ended:
        build_parser().parse_args(["serve"])
    assert ended.value.code == 2
    assert "--log-format is one of 'text', 'json', not 'xml'." in capsys.readouterr().err


def test_every_figure_is_explained() -> None:
    shown = set(re.findall(r"^# HELP (\w+)", Metrics().exposition().decode(), re.MULTILINE))
    told = set(re.findall(r"^\| `((?:roundtable|process)_\w+)` \|", DOCUMENT, re.MULTILINE))
    assert told == {name for name in shown if not name.endswith("_created")}


def test_dashboard_and_alerts_are_made_of_figures_that_exist() -> None:
    figures = set(re.findall(r"^# HELP (\w+)", Metrics().exposition().decode(), re.MULTILINE))
    dashboard = json.loads((ROOT / "deploy" / "grafana-dashboard.json").read_text())
    rules = yaml.safe_load((ROOT / "deploy" / "prometheus-rules.yml").read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    asked += [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
    named = {name.removesuffix("_bucket") for text in asked for name in re.findall(r"(?:roundtable|process)_\w+", text)}
    assert named <= figures
    unnamed = {name for name in figures - named if not name.endswith("_created")}
    assert unnamed == {"process_virtual_memory_bytes", "process_start_time_seconds"}
    (alarm,) = [rule["expr"] for group in rules["groups"] for rule in group["rules"] if rule["alert"] == CANNOT_WRITE]
    assert alarm == "roundtable_ready == 0"  # as long as an outage lasts (test_readiness.py, test_workers.py)
    unit = (ROOT / "deploy" / "roundtable.service").read_text()
    assert ("MemoryHigh=1G\n" in unit) is (f"vector({2**30})" in asked)


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
@pytest.mark.parametrize(("target", "command"), [("run", "roundtable serve"), ("play", "roundtable play avalon")])
def test_make_run_serves_and_make_play_plays(target: str, command: str) -> None:
    run = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True)
    assert command in run.stdout


def test_the_server_explains_itself() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "roundtable", "serve", "--help"], capture_output=True, text=True, check=True
    )
    assert all(option.option_strings[0] in run.stdout for option in serve_options())


@pytest.mark.slow
def test_figures_are_at_a_port_of_this_machine_alone(tmp_path: Path) -> None:
    with LiveServer(tmp_path / "rooms.db", "--host", "0.0.0.0", "--metrics-port", "0") as server:
        figures = httpx.URL(server.metrics_url)
        assert figures.host == "127.0.0.1"
        assert "roundtable_rooms 1.0" in server.metrics()  # the demo table
        for url, host, status in (
            (server.metrics_url, "localhost", 200),
            (server.metrics_url, "evil.example", 403),
            (str(figures.copy_with(path="/")), "localhost", 404),
            (f"{server.url}/metrics", "localhost", 404),  # nothing at the port that strangers reach
        ):
            told = httpx.get(url, headers={"host": host}, trust_env=False, timeout=PATIENCE)
            assert told.status_code == status, url
        if (address := httpx.URL(server.url).host) != "127.0.0.1":  # under which others find this machine
            with pytest.raises(httpx.ConnectError):
                httpx.get(str(figures.copy_with(host=address)), trust_env=False, timeout=PATIENCE)
        for request in (b"", b"GET", b"\r\n\r\n", b"\xff" * 100_000, b"GET /metrics HTTP/1.0\r\n\r\n"):
            place = (figures.host, figures.port or 0)
            with suppress(OSError), socket.create_connection(place, timeout=PATIENCE) as client:
                client.sendall(request)
        assert "roundtable_rooms" in server.metrics()
        assert "Traceback" not in server.logged()
        assert server.stop() == 0


@pytest.mark.slow
def test_figures_can_be_read_from_other_machines_if_the_operator_says_so(tmp_path: Path) -> None:
    flags = ("--site", "table.example.org", "--metrics-host", "0.0.0.0", "--metrics-port", "0")
    with LiveServer(tmp_path / "rooms.db", *flags) as server:
        for host, status in (
            (httpx.URL(server.metrics_url).host, 200),
            ("127.0.0.1", 200),
            ("roundtable", 200),  # a container's name
            ("table.example.org", 200),
            ("evil.example", 403),
        ):
            told = httpx.get(server.metrics_url, headers={"host": host}, trust_env=False, timeout=PATIENCE)
            assert told.status_code == status, host
        ((memory,), (games,)) = server.figure("process_resident_memory_bytes"), server.figure("roundtable_games")
        assert memory > 10_000_000
        assert games == 0  # the demo table waits for a player
        assert server.stop() == 0


@pytest.mark.slow
def test_a_place_for_figures_that_cannot_be_used_is_refused_by_the_name_of_its_flag(tmp_path: Path) -> None:
    flags = ("--port", "0", "--metrics-port", "8720", "--metrics-host", "203.0.113.77")
    ended = run_to_its_end(f"sqlite:///{tmp_path / 'rooms.db'}", *flags)
    assert (ended.returncode, ended.stderr) == (
        2,
        "roundtable: Can’t listen at 203.0.113.77, port 8720: Cannot assign requested address; try another "
        "--metrics-port or --metrics-host.\n",
    )


@pytest.mark.slow
@pytest.mark.parametrize("flags", [("--trusted-proxy", "127.0.0.1"), ("--site", "table.example.org")])
def test_a_bare_proxy_lets_no_stranger_ask_what_only_this_machine_may(tmp_path: Path, flags: tuple[str, str]) -> None:
    """nginx's plain proxy_pass: HTTP/1.0, its own name of the server as `Host`, and no header about the client."""
    for given, version, status in (((), "1.1", 200), ((), "1.0", 404), (flags, "1.1", 404)):
        with LiveServer(tmp_path / "rooms.db", "--most-rooms", "10", *given) as server:
            host, port = server.url.removeprefix("http://").split(":")
            asked = f"GET /api/address HTTP/{version}\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n"
            with socket.create_connection((host, int(port)), timeout=PATIENCE) as client:
                client.sendall(asked.encode())
                assert client.recv(65536).startswith(f"HTTP/1.1 {status}".encode()), (given, version)
            assert server.stop() == 0
