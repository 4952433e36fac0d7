/** Counting for highlights. */
export function mostOften(names: readonly string[]): [string | undefined, number] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0] ?? [undefined, 0];
}

export function best(seats: readonly number[], score: (seat: number) => number): [number | null, number] {
  const [seat] = [...seats].sort((one, other) => score(other) - score(one));
  return seat === undefined ? [null, 0] : [seat, score(seat)];
}
