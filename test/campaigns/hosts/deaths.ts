/** A host dies, or one of its ends, at a moment of a session with a payment: the process of the program must end, with what it knows stored. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isOpen, PAY, payArgs, READ } from '../support/acts.ts';
import type { OpenAirline } from '../support/airline.ts';
import { withoutSettings } from '../support/child.ts';
import { newFolder } from '../support/folders.ts';
import { seenWithin } from '../support/pace.ts';
import { startRelay } from '../support/relay.ts';
import { readFrom } from '../support/sqlite.ts';
import { StdioClient } from '../support/stdio-client.ts';
import type { End } from './host-process.ts';

const BIN = fileURLToPath(new URL('../../../bin/fareclerk.js', import.meta.url));
const HOST = fileURLToPath(new URL('host-process.ts', import.meta.url));
const SEARCH = 'OTA_AirLowFareSearchRQ';

/** What dies: the whole host by kill -9, or one of its ends while it goes on talking. */
export const WAYS = ['host', 'stdin', 'stdout', 'stderr'] as const;
export const LEVELS = ['debug', 'info', 'error'] as const;

/** In the order of a session. Numbers: so many milliseconds after the answer to a reading; the log is written every 100. */
export const MOMENTS = [
  ...['started', 'loading', 'greeting', 'greeted', 'listed', 'reading', 'at login', 'at reading'],
  ...['answered', 'answered, 20', 'answered, 100', 'answered, 400', 'at search'],
  ...['asking', 'asked', 'yes', 'at reading again', 'at payment', 'at reply', 'told'],
] as const;

export interface Death {
  readonly way: (typeof WAYS)[number];
  readonly level: (typeof LEVELS)[number];
  readonly moment: string;
}

/** How long the airline takes for a payment, and for a search, milliseconds. */
const PAYS_MS = 1_500;
const SEARCHES_MS = 60_000;
/** How long a process may live on, milliseconds: without, and with a payment that is being sent. */
const IDLE_MS = 5_000;
const SENDING_MS = 20_000 + IDLE_MS;

/** Ends the session there. */
class Reached extends Error {}

/** @param startMs how long the program takes to start at present: of a busy machine more must be borne */
export async function dies(airline: OpenAirline, { way, level, moment }: Death, startMs: number) {
  const relay = await startRelay(airline.settings);
  const folder = newFolder('death');
  const { locator } = await airline.stock.held();
  const env = {
    ...withoutSettings(),
    ...relay.settings,
    ...{ HOME: folder, FARECLERK_STATE_DIR: folder, XDG_STATE_HOME: folder, NODE_NO_WARNINGS: '1' },
    ...{ FARECLERK_APPROVAL: 'echo', FARECLERK_LOG_LEVEL: level },
    ...{ DISPLAY: '', WAYLAND_DISPLAY: '', BROWSER: '' },
  };
  const host = spawn(process.execPath, [HOST, BIN, 'serve', '--rehearsal', '2'], {
    env,
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
  });
  const client = new StdioClient(host);
  const [{ pid }] = (await once(host, 'message')) as [{ pid: number }];
  const reached = Promise.withResolvers<void>();
  const at = (name: string): void => {
    if (name !== moment) return;
    if (way === 'host') host.kill('SIGKILL');
    else host.send(way satisfies End);
    reached.resolve();
    throw new Reached();
  };
  /** A reading that the tool asked for, or the one before a payment. */
  let reading = 'at reading';
  relay.interfere(async ({ name, forward }) => {
    const here = { token: 'at login', [READ]: reading, [SEARCH]: 'at search', [PAY]: 'at payment' }[name];
    const stop = (one: string) => isReached(() => at(one));
    if (here !== undefined && stop(here) && name === PAY) await wait(PAYS_MS);
    if (name === SEARCH) await wait(SEARCHES_MS, undefined, { ref: false });
    if (name === PAY) {
      await forward();
      if (stop('at reply')) await wait(PAYS_MS);
    }
    return false;
  });
  const session = talk(client, locator, at, () => {
    reading = 'at reading again';
  });
  session.catch(() => undefined);
  await Promise.race([reached.promise, session.then(() => Promise.reject(new Error(`never came to ${moment}`)))]);
  const begun = performance.now();
  const isSending = relay.times(PAY) > 0 || moment === 'yes' || moment === 'at reading again';
  const mostMs = Math.max(isSending ? SENDING_MS : IDLE_MS, (isSending ? SENDING_MS : 0) + 12 * startMs);
  if (way === 'stdout' || way === 'stderr') await talkOn(client, locator, { level, way });
  const lives = await seenWithin(
    mostMs,
    20,
    () => isRunning(pid),
    (runs) => !runs,
  );
  const tookMs = performance.now() - begun;
  if (lives) process.kill(pid, 'SIGKILL');
  host.kill('SIGKILL');
  await client.exited;
  const states = operationsIn(join(folder, 'fareclerk.sqlite'));
  const paid = airline.times('paid', locator);
  await relay.close();
  const problems = [
    ...(lives ? [`the process was still there after ${Math.round(mostMs)} ms`] : []),
    ...(states.some(isOpen) ? [`it left open what it had begun: ${states}`] : []),
    ...(paid !== states.filter((state) => state === 'succeeded').length
      ? [`paid ${paid} times, stored: ${states}`]
      : []),
  ].map((problem) => `${way}, ${level}, ${moment}: ${problem}`);
  return { tookMs, paid, isSending, problems };
}

/** A session: greeting, list, reading, search that is not waited for, payment with the model's word as the yes. */
async function talk(
  client: StdioClient,
  locator: string,
  at: (moment: string) => void,
  readsAgain: () => void,
): Promise<void> {
  const call = (name: string, args: object) => client.request('tools/call', { name, arguments: args }).reply;
  at('started');
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'host', version: '1' } };
  const greeting = client.request('initialize', params).reply;
  at('greeting');
  setTimeout(() => isReached(() => at('loading')), 150);
  await greeting;
  client.send({ method: 'notifications/initialized' });
  at('greeted');
  await client.request('tools/list', {}).reply;
  at('listed');
  const read = call('read_booking', { locator });
  at('reading');
  await read;
  at('answered');
  for (const [ms, more] of [
    [20, 20],
    [100, 80],
    [400, 300],
  ]) {
    await wait(more);
    at(`answered, ${ms}`);
  }
  const legs = [{ from: 'MED', to: 'JED', date: new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10) }];
  void call('search_fares', { legs, passengers: { adults: 1 } }).catch(() => undefined);
  const asking = call('pay_booking', payArgs(locator));
  at('asking');
  const question = await asking;
  at('asked');
  readsAgain();
  const paying = call('pay_booking', payArgs(locator, question.result.structuredContent.approval.id));
  at('yes');
  await paying;
  at('told');
}

/** A host that lost one end talks on: by its lines and those of the log the program learns of it. */
async function talkOn(
  client: StdioClient,
  locator: string,
  { level, way }: Pick<Death, 'level' | 'way'>,
): Promise<void> {
  client.request('tools/call', { name: 'read_booking', arguments: { locator } });
  client.request('ping', {});
  if (way === 'stdout' || level !== 'error') return;
  // Nothing is written there at this level: only the end of stdin tells.
  await wait(300);
  client.child.stdin?.end();
}

function isReached(step: () => void): boolean {
  try {
    step();
    return false;
  } catch (error) {
    if (error instanceof Reached) return true;
    throw error;
  }
}

/** Whether the process runs. One that ended without a parent may wait to be collected. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    // A system without /proc.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && process.platform !== 'linux';
  }
}

function operationsIn(file: string): readonly string[] {
  try {
    return readFrom(file, (db) => db.prepare('select state from operation').all()).map(({ state }) => String(state));
  } catch {
    // It died before its first call.
    return [];
  }
}
