"""The files of deploy/ and the Containerfile, tried with the real programs where this machine has them."""

from __future__ import annotations

import os
import re
import shutil
import ssl
import subprocess
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect

from roundtable.cli import build_parser
from roundtable.server.workers import STOP_SECONDS
from support.live_server import GENEROUS, LiveServer
from support.paths import ROOT
from support.postgres import free_port
from support.waiting import PATIENCE, wait_until

DEPLOY = ROOT / "deploy"
NAME = "table.example.org"  # that an operator replaces
NGINX = os.environ.get("ROUNDTABLE_NGINX") or shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


class Nginx:
    """nginx with our site, at free ports and with a certificate of its own."""

    def __init__(self, folder: Path, server: LiveServer) -> None:
        self.folder = folder
        self.http, self.https = free_port(), free_port()
        site = (DEPLOY / "nginx.conf").read_text()
        site = re.sub(r"listen \[::\].*\n", "", site)  # not every machine has IPv6
        site = site.replace("listen 80;", f"listen 127.0.0.1:{self.http};")
        site = site.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{self.https} ssl http2;")
        site = re.sub(r"/etc/letsencrypt/live/[^/]+/fullchain.pem", f"{folder}/cert.pem", site)
        site = re.sub(r"/etc/letsencrypt/live/[^/]+/privkey.pem", f"{folder}/key.pem", site)
        site = site.replace("http://127.0.0.1:8000", server.url)
        assert "rate=50r/s" in site
        site = site.replace("rate=50r/s", "rate=1r/s")  # a busy machine may send less than 50 requests a second
        assert "/etc/letsencrypt" not in site
        paths = "".join(
            f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (folder / "nginx.conf").write_text(
            f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;\n"
            f"events {{}}\nhttp {{ access_log off; {paths}\n{site}\n}}\n"
        )

    @property
    def command(self) -> list[str]:
        return [str(NGINX), "-c", str(self.folder / "nginx.conf"), "-e", str(self.folder / "error.log")]


@contextmanager
def running(nginx: Nginx) -> Iterator[None]:
    make_certificate(nginx.folder)
    process = subprocess.Popen(nginx.command, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: process.poll() is not None or answers(nginx.http), "nginx answers")
        assert process.poll() is None, (nginx.folder / "error.log").read_text()
        yield
    finally:
        process.kill()
        process.wait()


def answers(port: int) -> bool:
    try:
        return bool(httpx.get(f"http://127.0.0.1:{port}/", trust_env=False).status_code)
    except httpx.TransportError:
        return False


def make_certificate(folder: Path) -> None:
    files = ("-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem"))
    kind = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", f"/CN={NAME}")
    subprocess.run(("openssl", "req", "-x509", *kind, *files), check=True, capture_output=True)


@pytest.mark.slow
@pytest.mark.skipif(NGINX is None, reason="nginx is not installed: apt install nginx, or name one in ROUNDTABLE_NGINX")
def test_nginx_serves_pages_api_and_sockets_over_tls(tmp_path: Path) -> None:
    flags = ("--host", "127.0.0.1", "--trusted-proxy", "127.0.0.1", "--site", NAME)
    with LiveServer(tmp_path / "rooms.db", *GENEROUS, *flags) as server:
        nginx = Nginx(tmp_path, server)
        with running(nginx):
            trusted = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
            trusted.check_hostname = False
            headers = {"host": NAME}
            base = f"https://127.0.0.1:{nginx.https}"
            with httpx.Client(base_url=base, verify=trusted, headers=headers, trust_env=False, timeout=PATIENCE) as web:
                opened = web.post("/api/rooms", json={"name": "Ada"}, headers={"origin": f"https://{NAME}"})
                assert opened.status_code == 201
                assert opened.headers["strict-transport-security"] == "max-age=31536000"
                stranger = web.post("/api/rooms", json={"name": "Eve"}, headers={"origin": "https://evil.example"})
                assert stranger.status_code == 403
                flood = {web.get("/health").status_code for _ in range(600)}
                assert flood == {200, 429}, "limit_req lets 400 through at once"
            http = f"http://127.0.0.1:{nginx.http}/r/ABCDEF"
            redirected = httpx.get(http, headers=headers, trust_env=False)
            assert (redirected.status_code, redirected.headers["location"]) == (308, f"https://{NAME}/r/ABCDEF")
            url = f"wss://127.0.0.1:{nginx.https}/socket/{opened.json()['room']}"
            wait_until(lambda: enters(url, trusted, opened.json()["token"]), "a socket through nginx")


def enters(url: str, trusted: ssl.SSLContext, token: str) -> bool:
    """Not while the limit of requests is used up."""
    try:
        with connect(url, ssl=trusted, server_hostname=NAME, proxy=None) as socket:
            socket.send(f'{{"is":"Enter","token":"{token}"}}')
            return '"is":"Entered"' in str(socket.recv(timeout=PATIENCE))
    except OSError:
        return False
    except Exception as refused:
        if "429" in str(refused):
            return False
        raise


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_finds_no_fault_with_the_unit(tmp_path: Path) -> None:
    """With a program that exists: there is no /opt/roundtable here."""
    unit = tmp_path / "roundtable.service"
    unit.write_text((DEPLOY / "roundtable.service").read_text().replace("/opt/roundtable/bin/roundtable", "/bin/true"))
    verified = subprocess.run(("systemd-analyze", "verify", str(unit)), capture_output=True, text=True, check=False)
    ours = [line for line in (verified.stdout + verified.stderr).splitlines() if "roundtable" in line]
    assert ours == []


def of_unit(name: str) -> list[str]:
    """The values of a setting in the unit."""
    return re.findall(rf"^{name}=(.+)$", (DEPLOY / "roundtable.service").read_text(), re.MULTILINE)


def test_the_unit_sets_nothing_that_the_configuration_file_cannot_change(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line would win over /etc/roundtable.conf, which wins over `Environment=`."""
    assert of_unit("ExecStart") == ["/opt/roundtable/bin/roundtable serve"]
    assert of_unit("EnvironmentFile") == ["-/etc/roundtable.conf"]
    for assignment in of_unit("Environment"):
        monkeypatch.setenv(*assignment.split("=", 1))
    given = build_parser().parse_args(["serve"])
    assert (given.host, given.trusted_proxy, given.metrics_port) == ("127.0.0.1", ["127.0.0.1"], 8720)
    document = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    named = re.findall(r"(?:--metrics-port |METRICS_PORT` to |127\.0\.0\.1:)(\d+)", document)
    assert set(named) - {"8000"} == {str(given.metrics_port)}


def test_the_unit_tries_for_ever_and_lets_workers_stop() -> None:
    assert of_unit("StartLimitIntervalSec") == ["0"]
    assert of_unit("Restart") == ["on-failure"]
    (stopping,) = of_unit("TimeoutStopSec")
    assert float(stopping) >= STOP_SECONDS + 10


def test_root_runs_the_program_as_the_server_does(tmp_path: Path) -> None:
    """The script, with other folders and without `runuser`, which needs root and the user `roundtable`."""
    script = (DEPLOY / "roundtable.sh").read_text()
    assert script.count("exec runuser -u roundtable -- sh") == 1
    script = script.replace("runuser -u roundtable -- ", "")
    paths = {
        of_unit("WorkingDirectory")[0]: tmp_path / "state",
        of_unit("EnvironmentFile")[0].removeprefix("-"): tmp_path / "conf",
        of_unit("ExecStart")[0].split()[0]: tmp_path / "program",
    }
    for path, ours in paths.items():
        assert path in script
        script = script.replace(path, str(ours))
    (tmp_path / "state").mkdir()
    (tmp_path / "program").write_text(
        '#!/bin/sh\npwd; echo "$HOME"; echo "$ROUNDTABLE_DATABASE"; printf "%s\\n" "$@"\n'
    )
    (tmp_path / "program").chmod(0o755)
    for conf, database in ((None, ""), ("ROUNDTABLE_DATABASE='postgresql://a:b%40$c@d/e?f=g&h=i'\n", "g&h=i")):
        if conf:
            (tmp_path / "conf").write_text(conf)
        command = ("sh", "-c", script, "roundtable", "admin", "erase", "K7M2QX", "Anna Bell")
        run = subprocess.run(command, capture_output=True, text=True, check=True, env={"PATH": os.environ["PATH"]})
        folder, home, address, *arguments = run.stdout.splitlines()
        assert (folder, home) == (str(tmp_path / "state"), str(tmp_path / "state"))
        assert address.endswith(database)
        assert arguments == ["admin", "erase", "K7M2QX", "Anna Bell"]


def test_the_container_is_built_from_files_that_exist_and_a_python_that_we_support() -> None:
    lines = (ROOT / "Containerfile").read_text().replace("\\\n", " ").splitlines()
    copied = [line.split()[1] for line in lines if line.startswith("COPY ") and "--from" not in line]
    assert copied
    assert all((ROOT / file).exists() for file in copied)
    versions = re.findall(r"python:3\.(\d+)", "\n".join(lines))
    least = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert all(int(version) >= int(least.rpartition(".")[2]) for version in versions)
    assert lines[-1] == 'CMD ["roundtable", "serve"]'
    assert lines.index("ENV HATCH_BUILD_HOOK_ENABLE_MYPYC=true") < next(
        number for number, line in enumerate(lines) if line.startswith("RUN pip wheel")
    )
    database = next(line.partition("=")[2] for line in lines if line.startswith("ENV ROUNDTABLE_DATABASE="))
    assert database == "sqlite:////data/roundtable.db"
    assert any(line == "VOLUME /data" for line in lines)
