// The peer: boardgame.io with a hidden-role move like ours. A vote is kept secret until all have voted, and every
// player is sent a view without the others' roles and votes. Its store is in memory; nothing is durable.
const { Server } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");

const roles = ["merlin", "percival", "servant", "morgana", "assassin"];

const vote = ({ G, playerID }, approve) => {
  if (G.votes[playerID] !== null) return INVALID_MOVE;
  G.votes[playerID] = approve;
  if (Object.values(G.votes).every((one) => one !== null)) {
    G.history = [...G.history.slice(-4), Object.values(G.votes)];
    G.votes = { 0: null, 1: null, 2: null, 3: null, 4: null };
    G.round += 1;
  }
};

const hidden = {
  name: "hidden",
  setup: () => ({ roles, votes: { 0: null, 1: null, 2: null, 3: null, 4: null }, history: [], round: 0 }),
  disableUndo: true,
  turn: { activePlayers: { all: "vote" }, stages: { vote: {} } },
  moves: { vote: { move: vote, client: false } },
  playerView: ({ G, playerID }) => ({
    ...G,
    roles: G.roles.map((role, seat) => (String(seat) === playerID ? role : "?")),
    votes: Object.fromEntries(
      Object.entries(G.votes).map(([seat, one]) => [seat, seat === playerID ? one : one !== null]),
    ),
  }),
};

const server = Server({ games: [hidden], origins: ["*"] });
server.run({ port: Number(process.argv[2]), lobbyConfig: { apiPort: Number(process.argv[3]) } }, () =>
  console.log("ready"),
);
