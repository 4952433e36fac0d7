/** Why something was refused: a code that stays (docs/errors.md), and the server's sentence. */
export class Fault extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** What the sentence names, to say it in another language. */
    readonly told: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = 'Fault';
  }
}

/** No answer at all: the network, or a server that is not there. */
export const unreachable = () => new Fault('web/unreachable', 'The server does not answer.');

/** A fault out of whatever was thrown. */
export const faultOf = (thrown: unknown): Fault =>
  thrown instanceof Fault ? thrown : new Fault('web/broken', String(thrown));
