/** The faults of test/campaigns/load/outages.ts: how each begins and ends, and which instances must say so meanwhile. */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Member, TroubledFleet } from './troubled-fleet.ts';

export interface Fault {
  readonly name: string;
  /** Their /readyz is not 200 while it lasts. */
  readonly sick: readonly Member[];
  begin(): Promise<void> | void;
  /** Called half way. */
  half?(): Promise<void>;
  /** From half way on, only new keys are accepted. */
  readonly changesKeys?: true;
  /** Answers of the airline arrive meanwhile, and none may be lost. */
  readonly losesNoHold?: true;
  end(): Promise<void> | void;
}

const TEN_MINUTES = 600_000;
const PRELOAD = new URL('../../../support/moved-clock.ts', import.meta.url).href;

export function faultsOf(fleet: TroubledFleet): readonly Fault[] {
  const { cluster, issuer, first, second, alone } = fleet;
  const both = [first, second];
  return [
    { name: 'instance killed', sick: [first], begin: () => killed(first), end: () => first.restart() },
    {
      name: 'instance stopped and continued',
      sick: [second],
      begin: () => void second.process.kill('SIGSTOP'),
      end: () => void second.process.kill('SIGCONT'),
    },
    {
      name: 'PostgreSQL killed and restarted',
      losesNoHold: true,
      sick: both,
      begin: () => cluster.crash(),
      end: () => untilStarted(() => cluster.start()),
    },
    {
      // What the airline answered meanwhile waits beside the instance's second record.
      name: 'PostgreSQL killed, then an instance',
      losesNoHold: true,
      sick: both,
      begin: () => cluster.crash(),
      half: () => killed(first),
      async end() {
        await untilStarted(() => cluster.start());
        await first.restart();
      },
    },
    {
      name: 'PostgreSQL stopped and continued',
      losesNoHold: true,
      sick: both,
      begin: () => cluster.freeze(true),
      end: () => cluster.freeze(false),
    },
    {
      // Who has keys goes on with them; who starts now has none.
      name: 'issuer gone, an instance restarts',
      sick: [first],
      async begin() {
        await issuer.goAway();
        await first.restart();
      },
      end: () => issuer.comeBack(),
    },
    {
      name: 'signing keys changed twice',
      sick: [],
      changesKeys: true,
      begin: issuer.rotate,
      half: issuer.rotate,
      end: () => undefined,
    },
    { name: 'proxy gone', sick: [], begin: fleet.proxyGone, end: fleet.proxyBack },
    { name: 'disk of the second record full', sick: [first], begin: first.disk.fill, end: first.disk.free },
    { name: 'disk of the SQLite state full', sick: [alone], begin: alone.disk.fill, end: alone.disk.free },
    ...[TEN_MINUTES, -TEN_MINUTES].map((ms) => ({
      name: `clock ten minutes ${ms > 0 ? 'fast' : 'slow'}`,
      sick: [second],
      begin: () => second.restart({ NODE_OPTIONS: `--import=${PRELOAD}`, CLOCK_AHEAD_MS: String(ms) }),
      end: () => second.restart(),
    })),
  ];
}

async function killed({ process }: Member): Promise<void> {
  const over = once(process, 'exit');
  process.kill('SIGKILL');
  await over;
}

/** A killed PostgreSQL starts when its last processes have noticed that it is gone. */
async function untilStarted(start: () => Promise<void>): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    const failed = await start().then(
      () => false,
      () => true,
    );
    if (!failed) return;
    await wait(200);
  }
  throw new Error('PostgreSQL does not start again');
}
