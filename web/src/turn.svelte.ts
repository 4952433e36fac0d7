/** Whether the table waits for this player, for the title of the tab. Who is awaited is public (C8). */
export const turn = $state({ isInTitle: false });
