#!/usr/bin/env python3
"""A seat at a live table (docs/protocol.md): table_client.py NAME LINK, or NAME --new avalon [SERVER] for bots.
Type the number of a choice, say TEXT (or evil, wolves or dead TEXT), ready, start or rematch; Ctrl-D leaves."""

import json
import sys
import threading
import time
import urllib.request as web
from contextlib import suppress
from secrets import token_hex

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

SEATS = "seat seats leader team target holder awaited assassin evil accused killed save wolves speakers"
ASKS = {"ready": {"is": "SayReady", "is_ready": True}, "start": {"is": "Start"}, "rematch": {"is": "Rematch"}}
name, where, *new = sys.argv[1:] if len(sys.argv) > 2 else sys.exit(__doc__)
server, _, code = where.partition("/r/") if "/" in where else ([*new[1:], "http://127.0.0.1:8000"][0], "", where)
seen, room, sockets = {"number": 0, "heard": 0, "chatted": 0}, {"stage": "lobby", "choices": {}}, []


def words(thing, part=""):
    if isinstance(thing, dict):
        kind = "".join(f" {sign.lower()}" if sign.isupper() else sign for sign in thing["is"]).strip()
        parts = [name for name in thing if name not in ("is", "audience", "phase") and thing[name] not in (None, [])]
        return f"{kind}: {', '.join(f'{name} {words(thing[name], name)}' for name in parts)}".replace("_", " ")
    if isinstance(thing, list):
        return " and ".join(words(one, part) for one in thing)
    shown = room["names"][thing] if part in SEATS.split() and type(thing) is int else str(thing)
    return {"True": "yes", "False": "no"}.get(shown, shown)


def show(message):
    told = message.get("event", message)
    match message["is"]:
        case "Room" | "Welcome":
            room.update(message)
            seen["number"] = room["number"]
            print(f"{server}/r/{room['code']}: {room['stage']}.", *(problem["message"] for problem in room["problems"]))
        case "Asked":
            room["choices"] = {str(n): one for n, one in enumerate((m for o in told["options"] for m in o["moves"]), 1)}
            print(*(f"{number:>3} {words(move)}\n" for number, move in room["choices"].items()), sep="", end="")
        case "Heard" | "Chatted" as kind:
            seen[kind.lower()] = message["number"]
    if told["is"] not in ("Room", "Welcome", "Asked", "Entered", "Clock", "Answered", "TableOpened", "SealsBroken"):
        print(words(told))


def listen(beat=0):
    while not (sockets and sockets[-1].close_code in (4003, 4004)) and not time.sleep(1):
        with suppress(OSError, WebSocketException), connect(f"ws{server[4:]}/socket") as socket:
            socket.send(json.dumps({"is": "Enter", "room": me["room"], "token": me["token"], **seen}))
            sockets.append(socket)
            if new:  # repeated after every reconnect, and done once because of its id
                socket.send(json.dumps({"is": "Ask", "id": "bots", "request": {"is": "SeatBot"}}))
            while True:
                with suppress(TimeoutError):
                    for line in socket.recv(timeout=20).split("\n"):
                        show(json.loads(line))
                if beat != (beat := time.time() // 20):  # a silent client counts as away
                    socket.send('{"is": "Here"}')
        print("The connection is gone.")


path, opening = ("", {"name": name, "game": new[0], "seats": 7}) if new else (f"/{code}/members", {"name": name})
try:  # with a token of our own a repeated request joins once
    me = json.load(web.urlopen(f"{server}/api/rooms{path}", json.dumps(opening | {"token": token_hex(24)}).encode()))
except web.HTTPError as refused:
    sys.exit(json.load(refused)["message"])
threading.Thread(target=listen, daemon=True).start()
for line in sys.stdin:
    word, _, text = line.strip().partition(" ")
    message = {"is": "Ask", "id": token_hex(8), "request": ASKS.get(word, {"is": "Chat", "text": text})}
    if word in room["choices"] or (word in ("say", "evil", "wolves", "dead") and room["stage"] == "playing"):
        action = room["choices"].get(word, {"is": "Say", "channel": word.replace("say", "table"), "text": text})
        message = {"is": "Act", "id": token_hex(8), "action": action}
    with suppress(WebSocketException, IndexError):  # without a connection nothing is sent; the choices come again
        sockets[-1].send(json.dumps(message))
