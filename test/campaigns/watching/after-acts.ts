/**
 * The airline acts after an operation of our own: every operation, every disturbance, seconds, an hour, a day and a week
 * later, at airlines of both dialects, by a simulated clock. Exit 1 if one is not told, is reported twice, or an effect of the
 * operation itself is reported.
 *
 * usage: node test/campaigns/watching/after-acts.ts [--dialect rail] [--act change_names] [--wait hour] [--half] [--verbose]
 *
 * `--half`: each disturbance at two of the four times, which differ from one to the next.
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { conclude } from '../support/report.ts';
import { type Batch, type Cell, type Dialect, OPERATIONS, playBatch, WAITS, type Wait } from './matrix.ts';

interface Wanted {
  readonly dialect: Dialect;
  readonly acts: readonly string[];
  readonly waits: readonly Wait[];
  readonly half: boolean;
}

async function play({ dialect, acts, waits, half }: Wanted): Promise<Batch> {
  const cells: Cell[] = [];
  const refused: string[] = [];
  const failures: unknown[] = [];
  for (const operation of OPERATIONS) {
    if (!acts.includes(operation.act) || !(operation.dialects ?? [dialect]).includes(dialect)) continue;
    for (const [place, wait] of waits.entries()) {
      // A hold is not held for a week.
      const isLapsed = operation.held && operation.act !== 'pay_booking' && wait === 'week';
      if (isLapsed) continue;
      const some = operation.disturbances.filter((_, i) => !half || (i + place) % 2 === 0);
      const batch = await playBatch(dialect, operation, wait, some);
      cells.push(...batch.cells);
      refused.push(...batch.refused);
      failures.push(...batch.failures.map(String));
    }
  }
  return { cells, refused, failures };
}

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      ...{ dialect: { type: 'string' }, act: { type: 'string' }, wait: { type: 'string' } },
      half: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
    },
  });
  const began = performance.now();
  const dialects = (['rail', 'airline'] as const).filter((one) => (values.dialect ?? one) === one);
  const acts = [...new Set(OPERATIONS.map(({ act }) => act))].filter((one) => (values.act ?? one) === one);
  const waits = (Object.keys(WAITS) as Wait[]).filter((one) => (values.wait ?? one) === one);
  const batches = await Promise.all(
    dialects.map(async (dialect) => {
      const worker = new Worker(new URL(import.meta.url), {
        workerData: { dialect, acts, waits, half: values.half } satisfies Wanted,
      });
      return ((await once(worker, 'message')) as [Batch])[0];
    }),
  );
  const [cells, refused, failures] = [
    batches.flatMap((one) => one.cells),
    batches.flatMap((one) => one.refused),
    batches.flatMap((one) => one.failures),
  ];
  const bad = cells.filter((one) => one.missed.length + one.twice.length + one.strays.length > 0);
  for (const [name, some] of Map.groupBy(bad, (one) => `${one.dialect} ${one.operation} × ${one.disturbance}`)) {
    const how = some.map(({ wait, missed, twice, strays }) => {
      const told = [...twice, ...strays].map(
        (one) => `told ${one.kind} ${JSON.stringify([one.before, one.after, one.deadlines])}`,
      );
      return `${wait}: ${[...missed.map((kind) => `no ${kind}`), ...told].join(', ')}`;
    });
    process.stdout.write(`  ${name}: ${how.join('; ')}\n`);
  }
  for (const line of [...new Set([...refused, ...failures])].slice(0, values.verbose ? 1000 : 20))
    process.stdout.write(`  ${line}\n`);
  const count = (of: (one: Cell) => number) => cells.filter((one) => of(one) > 0).length;
  conclude(
    'what the airline does after an operation of our own',
    [
      { what: 'cells: operation, disturbance, time, dialect', value: cells.length, atLeast: 1 },
      { what: 'not found', value: count(({ missed }) => missed.length), atMost: 0 },
      { what: 'told twice', value: count(({ twice }) => twice.length), atMost: 0 },
      { what: 'own effects told', value: count(({ strays }) => strays.length), atMost: 0 },
      { what: 'could not happen', value: refused.length, atMost: 0 },
      { what: 'failures inside', value: failures.length, atMost: 0 },
      { what: 'the whole run', value: (performance.now() - began) / 1000, unit: 's' },
    ],
    false,
  );
}

if (isMainThread) await run();
else parentPort?.postMessage(await play(workerData as Wanted));
