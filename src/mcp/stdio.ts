/**
 * Serves MCP on stdio; stdout is the protocol. Ends on a signal, when stdin ends, and when stdout or stderr turns out to be broken:
 * no process outlives its host.
 */
import { Transform } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Clerk } from '../clerk/clerk.ts';
import { isBrokenPipe } from '../core/errors.ts';
import { onStopSignal } from '../core/stop-signals.ts';
import type { Caller } from '../domain/people/caller.ts';
import { systemClock, within } from '../journal/clock.ts';
import { answerTo, faultOf, type MessageFault, NOT_JSON, RPC_CODES, withoutNulls } from './messages.ts';
import { createMcpServer } from './server.ts';

const NEWLINE = 0x0a;

/** The most bytes of one message: far more than any call of a tool needs. */
const MOST_LINE_BYTES = 1_048_576;

/** How long the process waits for an operation that is being sent, milliseconds. */
const GRACE_MS = 20_000;

/** How long it then waits until everything is closed, and after that for what still runs, milliseconds: five seconds in all. */
const CLOSE_MS = 3_000;
const LINGER_MS = 1_000;

/** What threads beside the program do, as Node names it. */
const WORK_OF_THREADS: readonly string[] = ['GetAddrInfoReqWrap', 'FSReqCallback', 'FSReqPromise'];

interface StdioOptions {
  readonly version: string;
  readonly caller: Caller;
  /** Called after each answer with tools, or of a tool. */
  answered?(what: 'list' | 'call'): void;
  /** Closes store, sockets and sandbox. */
  close(): Promise<void>;
}

/** Resolves when the client has left and everything is closed. */
export function serveOnStdio(clerk: Clerk, options: StdioOptions): Promise<void> {
  const { version, caller } = options;

  // An id that cannot be read is left out: the clients of MCP's libraries take no null.
  const lines = process.stdin.pipe(readableLines((fault) => process.stdout.write(`${answerTo(fault)}\n`)));
  const transport = new StdioServerTransport(lines);
  const send = transport.send.bind(transport);

  transport.send = async (message) => {
    await send(message);
    if (!('result' in message)) return;
    if ('tools' in message.result) options.answered?.('list');
    if ('content' in message.result) options.answered?.('call');
  };

  const handle = serveStdio(() => createMcpServer(clerk, { version, caller }), { transport });
  return new Promise((resolve) => {
    let ending = false;
    const end = () => {
      if (ending) return;
      ending = true;

      // An open stdin would keep the process alive.
      process.stdin.unpipe(lines).pause();
      void shutDown(clerk, handle, options).finally(() => {
        resolve();
        endForSure();
      });
    };

    for (const event of ['end', 'close', 'error'] as const) process.stdin.once(event, end);
    process.stdout.once('error', end);

    // A log on a full disk is no sign that the host is gone.
    process.stderr.on('error', (error: NodeJS.ErrnoException) => isBrokenPipe(error) && end());
    onStopSignal(end);
  });
}

async function shutDown(clerk: Clerk, handle: { close(): Promise<void> }, options: StdioOptions): Promise<void> {
  // Waits for sends, so that a late reply is not lost. After the grace period the journal records them as in doubt.
  await within(systemClock, GRACE_MS, finish(clerk, handle));

  // A database that does not answer, for example. What the journal has is safe at any moment.
  await within(
    systemClock,
    CLOSE_MS,
    options.close().catch(() => undefined),
  );
}

/** Ends the session. A call that was under way may have begun to send before it learned that. */
async function finish(clerk: Clerk, handle: { close(): Promise<void> }): Promise<void> {
  await clerk.idle();
  await handle.close().catch(() => undefined);
  await clerk.idle();
}

/** Ends a process that something keeps alive, such as lines that a host does not read, or a collector that does not answer. */
function endForSure(): void {
  const end = (): void => {
    // An exit waits for every thread, and looking up an address may take one long.
    const isHeld = process.getActiveResourcesInfo().some((name) => WORK_OF_THREADS.includes(name));
    if (isHeld) process.kill(process.pid, 'SIGKILL');
    else process.exit();
  };
  setTimeout(end, LINGER_MS).unref();
}

/** The fault of a line that was dropped. Its id was not read. */
const TOO_LONG: MessageFault = {
  error: {
    code: RPC_CODES.request,
    message: `The message is longer than ${MOST_LINE_BYTES} bytes. It was not read, and nothing was sent.`,
  },
};

/** A line as it is passed on: without a byte order mark, and fixed where its meaning is plain. Its fault, if it has one. */
function readLine(line: Buffer): Buffer | MessageFault | undefined {
  const text = line
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim();
  if (text === '') return undefined;

  try {
    const message: unknown = JSON.parse(text);
    const fixed = withoutNulls(message);
    return faultOf(fixed ?? message) ?? Buffer.from(`${fixed === undefined ? text : JSON.stringify(fixed)}\n`);
  } catch {
    return NOT_JSON;
  }
}

/**
 * Passes whole lines with a readable message on, and drops a line over the limit to its end.
 * @param onFault called once for each line that is not passed on, and wants an answer
 */
function readableLines(onFault: (fault: MessageFault) => void): Transform {
  let lineChunks: Buffer[] = [];
  let lineBytes = 0;
  let isDropping = false;

  function collect(part: Buffer): void {
    if (isDropping) return;
    lineBytes += part.byteLength;
    lineChunks.push(part);
    if (lineBytes <= MOST_LINE_BYTES) return;
    isDropping = true;
    lineChunks = [];
    onFault(TOO_LONG);
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let rest = chunk;
      for (let newlineAt = rest.indexOf(NEWLINE); newlineAt >= 0; newlineAt = rest.indexOf(NEWLINE)) {
        collect(rest.subarray(0, newlineAt + 1));
        const read = isDropping ? undefined : readLine(Buffer.concat(lineChunks));
        if (Buffer.isBuffer(read)) this.push(read);
        else if (read !== undefined) onFault(read);

        lineChunks = [];
        lineBytes = 0;
        isDropping = false;
        rest = rest.subarray(newlineAt + 1);
      }

      if (rest.byteLength > 0) collect(rest);
      done();
    },
  });
}
