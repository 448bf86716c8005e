/**
 * Several clerk processes on one state folder.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Heard, Order, Report } from './clerk-process.ts';

const CLERK = fileURLToPath(new URL('./clerk-process.ts', import.meta.url));

export interface ClerkProcess {
  ask(tool: string, args: object): Promise<{ handle: string; raw: unknown }>;
  hear(order: Order): Promise<readonly Heard[]>;
  close(): Promise<void>;
}

export async function startClerks(count: number, env: Readonly<Record<string, string>>): Promise<ClerkProcess[]> {
  return Promise.all(Array.from({ length: count }, () => startClerk(env)));
}

async function startClerk(env: Readonly<Record<string, string>>): Promise<ClerkProcess> {
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('FARECLERK_')));
  const child = fork(CLERK, {
    env: { ...clean, FARECLERK_LOG_LEVEL: 'error', NODE_NO_WARNINGS: '1', ...env },
    execArgv: [],
    serialization: 'advanced',
  });
  await reportOf(child);
  const tell = async (order: Order): Promise<Report> => {
    child.send(order);
    return reportOf(child);
  };
  return {
    async ask(tool, args) {
      const report = await tell({ ask: { tool, args } });
      if (!('handle' in report)) throw new Error('no question');
      return report;
    },
    async hear(order) {
      const report = await tell(order);
      return 'heard' in report ? report.heard : [];
    },
    async close() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

async function reportOf(child: ChildProcess): Promise<Report> {
  const report = once(child, 'message').then(([message]) => message as Report);
  const died = once(child, 'exit').then(() => {
    throw new Error('a clerk process died');
  });
  died.catch(() => undefined);
  return Promise.race([report, died]);
}
