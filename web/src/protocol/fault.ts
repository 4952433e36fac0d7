import { language } from '../text/language.svelte';

/** A refusal: a stable code (docs/errors.md), and the server's sentence in the language that the page had. */
export class Fault extends Error {
  readonly language = language.now;

  constructor(
    readonly code: string,
    message: string,
    /** What chooses the sentence in another language, and the values in it. */
    readonly variant = '',
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = 'Fault';
  }
}

/** No answer: the network or the server is down. */
export const unreachable = () => new Fault('web/unreachable', 'The server does not answer.');

/** What was thrown, as a Fault. */
export const faultOf = (thrown: unknown): Fault =>
  thrown instanceof Fault ? thrown : new Fault('web/broken', String(thrown));
