#!/usr/bin/env python3
"""A bot for `roundtable referee` that plays a random legal move, and never surrenders (docs/bot-programs.md).

roundtable referee avalon --seats 5 --bot "0=python3 examples/random_bot.py"
"""

import json
import random
import sys

chance = random.Random(*sys.argv[1:2])  # an argument makes it play the same way every time
acts = 0

for line in sys.stdin:
    message = json.loads(line)
    if message["is"] != "Asked":
        continue
    offers = [offer for offer in message["options"] if offer["kind"] != "Surrender"]
    if offers:
        acts += 1
        move = chance.choice(chance.choice(offers)["moves"])
        answer = {"is": "Act", "id": f"act-{acts}", "action": move}
    else:
        answer = {"is": "Pass", "phase": message["phase"]}
    print(json.dumps(answer), flush=True)
