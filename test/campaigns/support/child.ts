/** A script in a process of its own that takes orders over IPC and reports on each. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Message<R> = { readonly up: true } | { readonly report: R };

/** The sources are stripped of their types once, not in every process. */
const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(tmpdir(), 'clerk-fleet-compile-cache') };

/** The environment of this process, without settings of the person who runs it. */
export function withoutSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('FARECLERK_')));
}

/** Started, and ready for orders. */
export async function startChild<O, R>(script: string, env: Readonly<Record<string, string>>) {
  const child = fork(script, {
    env: { ...COMPILE_CACHE, ...withoutSettings(), FARECLERK_LOG_LEVEL: 'silent', NODE_NO_WARNINGS: '1', ...env },
    execArgv: [],
    serialization: 'advanced',
  });
  const gone = () => child.exitCode !== null || child.signalCode !== null;
  const next = async (): Promise<Message<R>> => {
    const over = new AbortController();
    const { signal } = over;
    try {
      const [message] = await Promise.race([
        once(child, 'message', { signal }),
        once(child, 'exit', { signal }).then(() => Promise.reject(new Error('a process died'))),
      ]);
      return message as Message<R>;
    } finally {
      over.abort();
    }
  };
  const end = async (how: () => void): Promise<void> => {
    if (gone()) return;
    const exit = once(child, 'exit');
    how();
    await exit;
  };
  await next();
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** One order at a time; the next waits. Rejects when the process dies. */
    tell(order: O): Promise<R> {
      const told = last.then(async () => {
        if (gone()) throw new Error('the process is gone');
        child.send(order as object);
        const message = await next();
        if (!('report' in message)) throw new Error('no report');
        return message.report;
      });
      last = told.catch(() => undefined);
      return told;
    },
    kill: () => end(() => child.kill('SIGKILL')),
    /** Ends it in peace. */
    close: () => end(() => child.disconnect()),
  };
}

/** The child's side. An error ends the process and is printed on stderr. */
export function takeOrders<O, R>(obey: (order: O) => Promise<R>, close: () => Promise<void>): void {
  process.on('message', (order: O) => {
    obey(order).then(
      (report) => process.send?.({ report } satisfies Message<R>),
      (error) => {
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
        process.exit(1);
      },
    );
  });
  process.once('disconnect', () => void close());
  process.send?.({ up: true } satisfies Message<R>);
}
