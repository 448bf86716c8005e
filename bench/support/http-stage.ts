/**
 * What trips over HTTP need besides the instance that serves them: an airline, an issuer of tokens, a PostgreSQL, and a
 * client that plays them.
 */
import { startIssuer } from '../../test/auth/callers/issuer.ts';
import { payArgs } from '../../test/campaigns/support/acts.ts';
import { startCluster } from '../../test/campaigns/support/postgres.ts';
import { hold, type Pair } from '../../test/campaigns/support/trip.ts';
import type { Called, McpCaller } from '../../test/support/mcp-http.ts';
import type { Program } from './program.ts';
import { startRunning, stopRunning } from './running.ts';

/** Instances are reached at their own addresses; tokens are for the one that a balancer would have. */
const PUBLIC_URL = 'http://127.0.0.1:1';
const SCOPE = 'air:read air:book air:pay air:refund air:names';

export interface Stage {
  /** Of an instance with a state in its own files. */
  readonly settings: Readonly<Record<string, string>>;
  /** The settings that give an instance a new database on PostgreSQL instead. */
  database(name: string): Promise<Readonly<Record<string, string>>>;
  /** Of a caller who has never called before. */
  token(): Promise<string>;
  close(): Promise<void>;
}

/** `home`: a folder for the airline. */
export async function openStage(program: Program, home: string): Promise<Stage> {
  const [cluster, issuer] = await Promise.all([startCluster(), startIssuer()]);
  const airline = await startRunning(program.start(home), ['sandbox', '--port', '0', '--json'], /\}\s*$/m);
  let callers = 0;
  return {
    settings: {
      ...(JSON.parse(/\{[\s\S]*\}/.exec(airline.said)?.[0] ?? '{}') as Record<string, string>),
      FARECLERK_APPROVAL: 'echo',
      FARECLERK_LOG_LEVEL: 'error',
      FARECLERK_PUBLIC_URL: PUBLIC_URL,
      FARECLERK_ISSUER: issuer.issuer,
    },
    database: async (name) => ({ FARECLERK_DATABASE_URL: await cluster.database(name) }),
    token() {
      const exp = Math.floor(Date.now() / 1000) + 3600;
      return issuer.sign({ aud: `${PUBLIC_URL}/mcp`, scope: SCOPE, sub: `caller-${++callers}`, exp });
    },
    async close() {
      await stopRunning(airline);
      await issuer.close();
      await cluster.close();
    },
  };
}

/** Search, hold, pay, read, cancel: seven calls, and every one must do what it is for. `days` from now is the flight. */
export async function trip(caller: McpCaller, pair: Pair, days: number): Promise<void> {
  const done = async (name: string, args: object, outcome: string): Promise<Called> => {
    const called = await caller.call(name, args);
    if (called.outcome !== outcome) throw new Error(`${name} ended in ${called.outcome}, not in ${outcome}`);
    return called;
  };
  const approved = async (name: string, args: object): Promise<void> => {
    const { structured } = await done(name, args, 'approval_required');
    await done(name, { ...args, approval_id: structured.approval.id }, 'done');
  };
  const locator = await hold(caller, pair, days, (_, name, args) =>
    done(name, args, name === 'search_fares' ? 'ok' : 'done'),
  );
  if (locator === undefined) throw new Error('the airline offers nothing on that day');
  await approved('pay_booking', payArgs(locator));
  await done('read_booking', { locator }, 'ok');
  await approved('cancel_booking', { locator });
}
