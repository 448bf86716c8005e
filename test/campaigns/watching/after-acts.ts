/**
 * The airline acts after an operation of our own: every operation, every disturbance, seconds, an hour, a day and a week
 * later, at airlines of both dialects, by a simulated clock. Exit 1 if one is not told, is reported twice, or an effect of the
 * operation itself is reported. Then what is said of three ends (what-is-said.ts).
 *
 * usage: node test/campaigns/watching/after-acts.ts [--half]
 *
 * `--half`: each disturbance at two of the four times, which differ from one to the next.
 */
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { conclude, flags, least, none, print } from '../support/report.ts';
import { type Batch, type Dialect, OPERATIONS, playBatch, WAITS, type Wait } from './matrix.ts';
import { wronglySaid } from './what-is-said.ts';

interface Wanted {
  readonly dialect: Dialect;
  readonly half: boolean;
}

interface PlayedDialect {
  readonly batches: readonly Batch[];
  readonly wronglySaid: readonly string[];
}

async function play({ dialect, half }: Wanted): Promise<PlayedDialect> {
  const batches: Batch[] = [];
  for (const operation of OPERATIONS) {
    if (operation.dialects?.includes(dialect) === false) continue;
    for (const [place, wait] of (Object.keys(WAITS) as Wait[]).entries()) {
      // A hold is not held for a week.
      if (operation.held && operation.act !== 'pay_booking' && wait === 'week') continue;
      const some = operation.disturbances.filter((_, i) => !half || (i + place) % 2 === 0);
      const batch = await playBatch(dialect, operation, wait, some);
      batches.push({ ...batch, failures: batch.failures.map(String) });
    }
  }
  return { batches, wronglySaid: await wronglySaid(dialect) };
}

async function run(): Promise<void> {
  const { half } = flags({ half: false });
  const workers = (['rail', 'airline'] as const).map(async (dialect) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { dialect, half } satisfies Wanted });
    return ((await once(worker, 'message')) as [PlayedDialect])[0];
  });
  const played = await Promise.all(workers);
  const batches = played.flatMap((one) => one.batches);
  const said = played.flatMap((one) => one.wronglySaid);
  const cells = batches.flatMap((one) => one.cells);
  const refused = batches.flatMap((one) => one.refused);
  const failures = batches.flatMap((one) => one.failures);
  for (const { dialect, operation, disturbance, wait, missed, twice, strays } of cells) {
    const wrong = [...missed.map((kind) => `no ${kind}`), ...[...twice, ...strays].map((one) => JSON.stringify(one))];
    if (wrong.length > 0) print(`  ${dialect} ${operation} × ${disturbance}, ${wait}: ${wrong.join(', ')}`);
  }
  for (const line of new Set([...refused, ...failures, ...said])) print(`  ${line}`);
  conclude('what the airline does after an operation of our own', [
    least('cells: operation, disturbance, time, dialect', cells.length, 1),
    none('not found', cells.filter(({ missed }) => missed.length > 0).length),
    none('told twice', cells.filter(({ twice }) => twice.length > 0).length),
    none('own effects told', cells.filter(({ strays }) => strays.length > 0).length),
    none('could not happen', refused.length),
    none('charges, lost cancellations and ended holds said wrongly', said.length),
    none('failures inside', failures.length),
  ]);
}

if (isMainThread) await run();
else parentPort?.postMessage(await play(workerData as Wanted));
