/** The rules over the table: whether they are open, and of which game. */
let isOpen = $state(false);
let game = $state<string | null>(null);

export const rulesSheet = {
  get isOpen() {
    return isOpen;
  },
  get game() {
    return game;
  },
  /** Which game is on the table here. */
  set game(played: string | null) {
    game = played;
  },
  open() {
    isOpen = true;
  },
  close() {
    isOpen = false;
  },
};
