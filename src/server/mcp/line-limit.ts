/** Drops lines of stdin that are too long: the transport would end the session without a word. */
import { Transform } from 'node:stream';

/** Most bytes of one message. Far more than any call of a tool needs. */
const MOST_LINE_BYTES = 1_048_576;

const INVALID_REQUEST = -32_600;
const NEWLINE = 0x0a;

/** The JSON-RPC answer to a line that was dropped. Its id was not read. */
export const TOO_LONG = `${JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: {
    code: INVALID_REQUEST,
    message: `The message is longer than ${MOST_LINE_BYTES} bytes. It was not read, and nothing was sent.`,
  },
})}\n`;

/** @param dropped called once for each line that is too long */
export function limitedLines(dropped: () => void): Transform {
  let held: Buffer[] = [];
  let bytes = 0;
  let dropping = false;

  function take(part: Buffer): void {
    if (dropping) return;
    bytes += part.byteLength;
    held.push(part);
    if (bytes <= MOST_LINE_BYTES) return;
    dropping = true;
    held = [];
    dropped();
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let rest = chunk;
      for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
        take(rest.subarray(0, end + 1));
        if (!dropping) this.push(held.length === 1 ? held[0] : Buffer.concat(held));
        [held, bytes, dropping] = [[], 0, false];
        rest = rest.subarray(end + 1);
      }
      if (rest.byteLength > 0) take(rest);
      done();
    },
  });
}
