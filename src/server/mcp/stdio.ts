/** The server on stdio; stdout is the protocol. Ends when stdin ends, on a signal or with a broken pipe. */
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Caller } from '../../domain/people/caller.ts';
import type { Clerk } from '../clerk.ts';
import { limitedLines, TOO_LONG } from './line-limit.ts';
import { createMcpServer } from './server.ts';

/** How long the process waits for an operation that is being sent, milliseconds. */
const GRACE_MS = 20_000;

export interface StdioOptions {
  readonly version: string;
  readonly caller: Caller;
  /** Closes store, sockets and sandbox. */
  close(): Promise<void>;
}

/** Resolves when the client has left and everything is closed. */
export function serveOnStdio(clerk: Clerk, options: StdioOptions): Promise<void> {
  const { version, caller } = options;
  const lines = process.stdin.pipe(limitedLines(() => process.stdout.write(TOO_LONG)));
  const transport = new StdioServerTransport(lines);
  const handle = serveStdio(() => createMcpServer(clerk, { version, caller }), { transport });
  return new Promise((resolve) => {
    let ending = false;
    const end = () => {
      if (ending) return;
      ending = true;
      // An open stdin would keep the process alive.
      process.stdin.unpipe(lines).pause();
      void shutDown(clerk, handle, options).finally(resolve);
    };
    process.stdin.once('end', end);
    process.stdin.once('close', end);
    process.stdout.once('error', end);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end);
  });
}

async function shutDown(clerk: Clerk, handle: { close(): Promise<void> }, options: StdioOptions): Promise<void> {
  // Waits for sends, so that a late reply is not lost. After the grace period the journal has them in doubt.
  const grace = new Promise<void>((resolve) => setTimeout(resolve, GRACE_MS).unref());
  await Promise.race([clerk.idle(), grace]);
  await handle.close().catch(() => undefined);
  await options.close().catch(() => undefined);
}
