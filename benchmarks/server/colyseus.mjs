// The peer: Colyseus with a hidden-role move like ours. A vote is kept secret until all have voted: it is a field that
// only its player's view has. Every vote is sent out at once, as a patch. Its state is in memory; nothing is durable.
import { Server, Room } from "@colyseus/core";
import { StateView, schema, t } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";

const SEATS = 5;
const roles = ["merlin", "percival", "servant", "morgana", "assassin"];

const Player = schema({ hasVoted: t.boolean(), role: t.string().view(), vote: t.int8().view() });
const State = schema({ round: t.number(), players: t.array(Player), shown: t.array("int8") });

class Hidden extends Room {
  maxClients = SEATS;
  patchRate = null;

  onCreate() {
    this.state = new State();
    this.state.round = 0;
    for (const role of roles) {
      const player = new Player();
      Object.assign(player, { role, vote: -1, hasVoted: false });
      this.state.players.push(player);
    }
    this.seats = new Map();
    this.onMessage("vote", (client, approve) => this.vote(this.seats.get(client.sessionId), approve));
  }

  onJoin(client) {
    const seat = this.seats.size;
    this.seats.set(client.sessionId, seat);
    client.view = new StateView();
    client.view.add(this.state.players[seat]);
  }

  vote(seat, approve) {
    const { players, shown } = this.state;
    if (players[seat].hasVoted) return;
    players[seat].vote = approve ? 1 : 0;
    players[seat].hasVoted = true;
    if (players.every((one) => one.hasVoted)) {
      players.forEach((one, place) => (shown[place] = one.vote));
      for (const one of players) Object.assign(one, { vote: -1, hasVoted: false });
      this.state.round += 1;
    }
    this.broadcastPatch();
  }
}

const server = new Server({ transport: new WebSocketTransport({ pingInterval: 0 }), greet: false });
server.define("hidden", Hidden);
await server.listen(Number(process.argv[2]), "127.0.0.1");
console.log("ready");
