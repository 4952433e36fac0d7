#!/usr/bin/env node
// A bot for `roundtable referee` that plays a random legal move, and never surrenders (docs/bot-programs.md).
//
//     roundtable referee avalon --seats 5 --bot "0=node examples/random_bot.js"

const oneOf = (list) => list[Math.floor(Math.random() * list.length)];
const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");
let acts = 0;

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.is !== "Asked") return;
  const offers = message.options.filter((offer) => offer.kind !== "Surrender");
  if (offers.length > 0) {
    acts += 1;
    say({ is: "Act", id: `act-${acts}`, action: oneOf(oneOf(offers).moves) });
  } else {
    say({ is: "Pass", phase: message.phase });
  }
});
