"""`living-table serve`: what it takes, what it says, and how it stops."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from httpx2 import Client
from tests.server.commands import Said, spawned
from tests.server.setups import FAR_APART
from tests.web.serving import Site

from livingtable_server.terminal.faults import UseError
from livingtable_server.terminal.serve_http import Wish, web_settings_from


def wish(**more: object) -> Wish:
    given: dict[str, object] = {
        "host": "127.0.0.1",
        "port": 0,
        "token": None,
        "allow_host": [],
        "allow_origin": [],
        "public_url": None,
        "trusted_proxy": [],
        "limit": [],
        "workers": 1,
    }
    return Wish(**{**given, **more})  # pyright: ignore[reportArgumentType]


@pytest.fixture(autouse=True)
def _no_token(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    monkeypatch.delenv("LIVING_TABLE_TOKEN", raising=False)


# options


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.8.8.8"])
def test_on_the_loopback_interface_nothing_more_is_needed(host: str) -> None:
    assert web_settings_from(wish(host=host)).token is None


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "table.example"])
def test_where_others_reach_it_a_token_and_a_host_are_needed(host: str) -> None:
    with pytest.raises(UseError, match="--token"):
        web_settings_from(wish(host=host, allow_host=["table.example"]))
    with pytest.raises(UseError, match="--allow-host"):
        web_settings_from(wish(host=host, token="sesame"))
    given = web_settings_from(wish(host=host, token="sesame", allow_host=["table.example"]))
    assert given.allowed_hosts == ("table.example",)


def test_the_token_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIVING_TABLE_TOKEN", "sesame")
    given = web_settings_from(wish(host="0.0.0.0", allow_host=["table.example"]))
    assert given.token == "sesame"
    assert web_settings_from(wish(token="other")).token == "other"
    assert "sesame" not in repr(given)


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"token": ""}, "--token"),
        ({"token": "two words"}, "--token"),
        ({"token": "schlüssel"}, "--token"),
        ({"allow_host": ["https://table.example"]}, "--allow-host"),
        ({"allow_host": ["*"]}, "--allow-host"),
        ({"allow_host": [""]}, "--allow-host"),
        ({"allow_origin": ["table.example"]}, "--allow-origin"),
        ({"allow_origin": ["*"]}, "--allow-origin"),
        ({"allow_origin": ["null"]}, "--allow-origin"),
        ({"allow_origin": ["https://table.example/path"]}, "--allow-origin"),
        ({"public_url": "table.example"}, "--public-url"),
        ({"public_url": "https://user@table.example"}, "--public-url"),
        ({"trusted_proxy": ["proxy.example"]}, "--trusted-proxy"),
        ({"trusted_proxy": ["*"]}, "--trusted-proxy"),
        ({"limit": ["requests"]}, "--limit"),
        ({"limit": ["requests=-1"]}, "--limit"),
        ({"limit": ["reqests=5"]}, "--limit"),
    ],
    ids=str,
)
def test_an_option_that_cannot_be_is_named(given: dict[str, object], word: str) -> None:
    with pytest.raises(UseError, match=word):
        web_settings_from(wish(**given))


def test_limits_are_set_one_by_one() -> None:
    limits = web_settings_from(wish(limit=["requests=5", "games=0"])).limits
    assert (limits.requests, limits.games, limits.streams) == (5, 0, 256)


def serve(*arguments: str, env: dict[str, str] | None = None) -> Said:
    """The command, where it does not come to serving."""
    return spawned("serve", "--port", "0", *arguments, env=env)


def test_it_refuses_to_start_where_others_reach_it_without_a_token() -> None:
    assert serve("--store", "sqlite://", "--host", "0.0.0.0").is_wrong_use("--token", "LIVING_TABLE_TOKEN")


def test_a_port_that_is_taken_is_said_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        assert spawned("serve", "--store", "sqlite://", "--port", port).is_wrong_use(port, "taken", "--port")


def test_an_address_of_no_interface_is_said_in_one_line() -> None:
    said = serve("--store", "sqlite://", "--host", "192.0.2.7", "--token", "x", "--allow-host", "x.example")
    assert said.is_wrong_use("192.0.2.7", "--host")


def test_a_ledger_that_cannot_be_opened_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no ledger at all, and long enough to be none" * 30, "utf-8")
    for more in ([], ["--workers", "2"]):
        assert serve("--store", f"sqlite:///{tmp_path / 'file'}", *more).is_wrong_use("--store")


def test_a_ledger_that_may_only_be_read_is_said_in_one_line(postgres_url: str) -> None:
    read_only = f"{postgres_url}%20-cdefault_transaction_read_only%3Don"
    site = Site(store=postgres_url)  # It makes the tables.
    site.stop()
    for more in ([], ["--workers", "2"]):
        assert serve("--store", read_only, *more).is_wrong_use("read-only")


def test_workers_need_a_ledger_that_they_share() -> None:
    assert serve("--store", "sqlite://", "--workers", "2").is_wrong_use("share", "--store")


# serving


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_it_stops_at_a_signal_without_a_word(number: int, code: int) -> None:
    site = Site()
    with site.client() as client:
        assert client.get("/healthz").status_code == 200
    assert site.stop(number) == code
    assert [line for line in site.logged() if line["level"] != "info"] == []


def test_whoever_waits_is_told_to_come_again_when_it_stops() -> None:
    site = Site()
    with site.client() as client, ThreadPoolExecutor(1) as threads:
        session = client.post("/games", json={"setup": FAR_APART}).json()["sessionId"]
        waiting = threads.submit(client.get, f"/games/{session}/wait?side=p2")
        while 'livingtable_open{kind="waiting"} 1.0' not in client.get("/metrics").text:
            pass
        assert site.stop() == 0
        assert waiting.result().status_code == 503
        assert waiting.result().headers["retry-after"] == "1"


def test_it_serves_under_an_ipv6_address() -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    site = Site("--host", "::1")
    with Client(base_url=f"http://[::1]:{site.port}") as client:
        assert client.get("/healthz").status_code == 200
    assert f"http://[::1]:{site.port}/mcp" in site.said[0]
    assert site.stop() == 0


def test_who_is_invited_is_given_the_address_that_others_know() -> None:
    site = Site("--host", "0.0.0.0", "--allow-host", "games.example.org", "--token", "sesame")
    others = f"http://games.example.org:{site.port}"
    assert f"serving at {others}, MCP at {others}/mcp" in site.said[0]
    with site.client(headers={"Authorization": "Bearer sesame"}) as client:
        made = client.post("/rooms", json={"scenario": "crossroads"}).json()
    assert made["joinUrl"] == f"{others}/rooms/{made['roomCode']}"
    assert site.stop() == 0


def test_it_says_where_games_are_kept(tmp_path: Path) -> None:
    site = Site(store=f"sqlite:///{tmp_path / 'games.db'}")
    assert f"games kept in {tmp_path / 'games.db'};" in site.said[0]
    assert site.stop() == 0


def test_a_token_from_the_environment_stands_in_no_list_of_processes() -> None:
    token = "sesame" * 3
    site = Site(environment={"LIVING_TABLE_TOKEN": token})
    with site.client() as client:
        assert client.post("/games", json={"scenario": "crossroads"}).status_code == 401
    command = Path(f"/proc/{site.process.pid}/cmdline")
    if command.exists():
        assert token not in command.read_text("utf-8")
    assert site.stop() == 0


def test_the_starting_health_is_the_options() -> None:
    site = Site("--health", "7.5")
    with site.client() as client:
        begun = client.post("/games", json={"setup": FAR_APART}).json()
        assert begun["snapshot"]["state"]["characters"][0]["health"] == 7.5
    assert site.stop() == 0


# several processes


@pytest.fixture
def two(tmp_path: Path) -> Generator[Site]:
    site = Site("--workers", "2", store=f"sqlite:///{tmp_path / 'ledger'}")
    yield site
    site.stop()


def workers(site: Site, route: str | None = None) -> set[int]:
    """The processes that have answered something, or something on that route."""
    requests = (line for line in site.logged() if line["logger"] == "livingtable.requests")
    return {line["process"] for line in requests if route in (None, line["route"])}


def ask_until(site: Site, number: int) -> set[int]:
    """Asks until so many workers have answered; each on a connection of its own."""
    while len(workers(site)) < number:
        with site.client() as client:
            assert client.get("/healthz").status_code == 200
    return workers(site)


def test_workers_play_one_game_together(two: Site) -> None:
    ask_until(two, 2)
    with two.client() as client:
        session = client.post("/games", json={"setup": FAR_APART}).json()["sessionId"]
    for version in range(20):
        with two.client() as client:
            body = {"notation": "pass", "expectedVersion": version}
            assert client.post(f"/games/{session}/actions", json=body).json()["ok"]
    with two.client() as client:
        assert client.post("/records/verify", json={"sessionId": session}).json()["ok"] is True


@pytest.mark.slow
def test_workers_on_postgresql_play_one_game_together_and_wake_each_others_players(postgres_url: str) -> None:
    site = Site("--workers", "2", store=postgres_url)
    ask_until(site, 2)
    with site.client() as client:
        session = client.post("/games", json={"setup": FAR_APART}).json()["sessionId"]
    with ThreadPoolExecutor(1) as threads, site.client() as waiting:
        path = f"/games/{session}/wait?side=p2&timeoutSeconds=25"
        waits = threads.submit(waiting.get, path)
        played = 0
        while played < 20 or len(workers(site, "/games/{session}/actions")) < 2:
            with site.client() as client:
                body = {"notation": "pass", "expectedVersion": played}
                assert client.post(f"/games/{session}/actions", json=body).json()["ok"]
            played += 1
        assert waits.result().json()["ready"] is True
    with site.client() as client:
        assert client.get(f"/games/{session}").json()["version"] == played
        assert client.post("/records/verify", json={"sessionId": session}).json()["ok"] is True
    assert site.stop() == 0


def test_figures_are_those_of_all_workers(two: Site) -> None:
    asked = 0
    while len(workers(two)) < 2:
        with two.client() as client:
            assert client.get("/healthz").status_code == 200
        asked += 1
    wanted = f'livingtable_requests_total{{method="GET",route="/healthz",status="200"}} {asked}.0'
    with two.client() as client:
        while wanted not in client.get("/metrics").text:
            pass  # A worker counts a request a moment after its answer.


def test_a_worker_that_is_killed_has_another_in_its_place(two: Site) -> None:
    (killed, *_) = before = ask_until(two, 2)
    with two.client() as client:
        session = client.post("/games", json={"setup": FAR_APART}).json()["sessionId"]
    os.kill(killed, signal.SIGKILL)
    ask_until(two, 3)
    assert len(workers(two) - before) == 1
    with two.client() as client:
        assert client.post(f"/games/{session}/actions", json={"notation": "pass"}).json()["ok"]
    assert [line["message"] for line in two.logged() if line["level"] == "warning"] == [
        "a worker has ended; another takes its place"
    ]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_workers_stop_with_the_one_that_looks_after_them(tmp_path: Path, number: int, code: int) -> None:
    site = Site("--workers", "2", store=f"sqlite:///{tmp_path / 'ledger'}")
    running = ask_until(site, 2)
    assert site.stop(number) == code
    assert [line for line in site.logged() if line["level"] != "info"] == []
    assert not any(is_running(process) for process in running)


def test_workers_do_not_outlive_the_one_that_looks_after_them(tmp_path: Path) -> None:
    site = Site("--workers", "2", store=f"sqlite:///{tmp_path / 'ledger'}")
    running = ask_until(site, 2)
    site.kill()
    while any(is_running(process) for process in running):
        pass
    with pytest.raises(OSError), socket.create_connection(("127.0.0.1", site.port), 1):  # noqa: PT011 - any of them
        pass


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def test_stdio_does_not_import_what_only_http_needs() -> None:
    code = (
        "import sys; from livingtable_server.app import mcp_server; from livingtable_server.settings import Settings;"
        "mcp_server(Settings('sqlite://'));"
        "print([m for m in ('fastapi', 'prometheus_client', 'livingtable_server.web') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
