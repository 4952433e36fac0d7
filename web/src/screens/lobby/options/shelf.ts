/** What can be played here, asked for once. */
import { games, type Shelf } from '../../../wire/api';

let asked: Promise<Shelf> | null = null;

export function shelf(): Promise<Shelf> {
  asked ??= games().catch((thrown: unknown) => {
    asked = null; // the next one asks again
    throw thrown;
  });
  return asked;
}
