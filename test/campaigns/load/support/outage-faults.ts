/** The faults of test/campaigns/load/outages.ts: how each begins and ends, and which instances must say so meanwhile. */
import { retried } from '../../support/pace.ts';
import type { TroubledFleet } from './troubled-fleet.ts';

export interface Fault {
  readonly name: string;
  /** Their /readyz is not 200 while it lasts. */
  readonly sick: readonly TroubledFleet['first'][];
  begin(): unknown;
  half?(): Promise<void>;
  /** From half way on, only new keys are accepted. */
  readonly changesKeys?: true;
  /** Answers of the airline arrive meanwhile, and none may be lost. */
  readonly losesNoHold?: true;
  end(): unknown;
}

const TEN_MINUTES = 600_000;
const PRELOAD = new URL('../../../support/moved-clock.ts', import.meta.url).href;

export function faultsOf(fleet: TroubledFleet): readonly Fault[] {
  const { cluster, issuer, rotate, first, second, alone } = fleet;
  const both = { losesNoHold: true, sick: [first, second] } as const;
  // A killed PostgreSQL starts when its last processes have noticed that it is gone.
  const start = () => retried(20, 200, cluster.start);
  return [
    { name: 'instance killed', sick: [first], begin: first.kill, end: () => first.restart() },
    {
      ...{ name: 'instance stopped and continued', sick: [second] },
      begin: () => second.process.kill('SIGSTOP'),
      end: () => second.process.kill('SIGCONT'),
    },
    { name: 'PostgreSQL killed and restarted', ...both, begin: cluster.crash, end: start },
    {
      // What the airline answered meanwhile waits in the instance's second record.
      ...{ name: 'PostgreSQL killed, then an instance', ...both },
      begin: cluster.crash,
      half: first.kill,
      end: async () => {
        await start();
        await first.restart();
      },
    },
    {
      ...{ name: 'PostgreSQL stopped and continued', ...both },
      begin: () => cluster.freeze(true),
      end: () => cluster.freeze(false),
    },
    {
      // Who has keys goes on with them; who starts now has none.
      ...{ name: 'issuer gone, an instance restarts', sick: [first] },
      begin: async () => {
        issuer.down = true;
        await first.restart();
      },
      end: () => {
        issuer.down = false;
      },
    },
    {
      ...{ name: 'signing keys changed twice', sick: [], changesKeys: true },
      ...{ begin: rotate, half: rotate, end: () => undefined },
    },
    { name: 'proxy gone', sick: [], begin: fleet.proxyGone, end: fleet.proxyBack },
    { name: 'disk of the second record full', sick: [first], begin: first.disk.fill, end: first.disk.free },
    { name: 'disk of the SQLite state full', sick: [alone], begin: alone.disk.fill, end: alone.disk.free },
    ...[TEN_MINUTES, -TEN_MINUTES].map((ms) => ({
      ...{ name: `clock ten minutes ${ms > 0 ? 'fast' : 'slow'}`, sick: [second] },
      begin: () => second.restart({ NODE_OPTIONS: `--import=${PRELOAD}`, CLOCK_AHEAD_MS: String(ms) }),
      end: () => second.restart(),
    })),
  ];
}
