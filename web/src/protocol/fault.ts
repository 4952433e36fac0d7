/** A refusal: a stable code (docs/errors.md), and the server's sentence. */
export class Fault extends Error {
  constructor(
    readonly code: string,
    message: string,
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
