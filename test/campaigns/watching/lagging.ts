/**
 * The airline's readings lag behind an act of ours: each act, each lag, each act that follows and what reads the booking, 1, 25 and 61
 * minutes later, at airlines of both dialects, by a simulated clock. Exit 1 if something is done twice without `although_done`, with it
 * not exactly once more, anything is asked as if nothing had been, or a paid booking is called unpaid. Then when a person may do it again
 * (lag-limits.ts).
 *
 * usage: node test/campaigns/watching/lagging.ts [--cells N] [--only ACT] [--lag LAG] [--next ACT] [--seed S]
 *
 * `--cells N`: so many cells, drawn by the seed; by default all. `--only`: only what follows this act. `--said`: each fault of each cell.
 */
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Chance } from '../support/chance.ts';
import { conclude, flags, least, none, print, told, treeSeed } from '../support/report.ts';
import { type Cell, DONE, FAULTS, NEXT, nameOf, type PlayedCell, playCell } from './lag-cells.ts';
import { LAGS, openLagDesk } from './lag-desk.ts';
import { LIMIT_CASES, playLimit } from './lag-limits.ts';

const DIALECTS = ['rail', 'airline'] as const;
/** Faults that are printed. */
const SHOWN = 60;

interface Wanted {
  readonly dialect: Cell['dialect'];
  readonly cells: readonly Cell[];
  readonly seed: number;
  /** The act whose limits are played; empty: of all. */
  readonly only: string;
}

interface PlayedDialect {
  readonly cells: readonly PlayedCell[];
  /** What is wrong about when a person may do it again. */
  readonly limits: readonly string[];
}

/** A booking that is not there has no parts that lag. */
const canLag = (done: string, lag: Cell['lag']): boolean =>
  done !== 'create_booking' || lag === 'whole' || lag === 'flips';

function allCells({
  only,
  lag: onlyLag,
  next: onlyNext,
}: {
  only: string;
  lag: string;
  next: string;
}): readonly Cell[] {
  return DIALECTS.flatMap((dialect) =>
    DONE.flatMap((done) => LAGS.flatMap((lag) => NEXT.map((next) => ({ dialect, done, lag, next })))),
  ).filter(
    ({ dialect, done, lag, next }) =>
      canLag(done, lag) &&
      // An airline takes no other contact.
      !(dialect === 'airline' && [done, next].includes('update_contact')) &&
      (only === '' || done === only || done.startsWith(`${only} (`)) &&
      (onlyLag === '' || lag === onlyLag) &&
      (onlyNext === '' || next === onlyNext),
  );
}

async function play({ dialect, cells, seed, only }: Wanted): Promise<PlayedDialect> {
  const played: PlayedCell[] = [];
  for (const batch of Map.groupBy(cells, ({ done, lag }) => `${done} ${lag}`).values()) {
    const desk = await openLagDesk(dialect);
    try {
      for (const cell of batch) played.push(await playCell(desk, cell, seed));
    } finally {
      await desk.close();
    }
  }
  const limits: string[] = [];
  for (const one of LIMIT_CASES) {
    const isWanted = one.dialects.includes(dialect) && (only === '' || one.act === only);
    if (isWanted) limits.push(...(await playLimit(dialect, one)));
  }
  return { cells: played, limits };
}

async function playApart(wanted: Wanted): Promise<PlayedDialect> {
  const worker = new Worker(new URL(import.meta.url), { workerData: wanted });
  return ((await once(worker, 'message')) as [PlayedDialect])[0];
}

async function run(): Promise<void> {
  const {
    cells: count,
    seed,
    only,
    lag,
    next,
    said,
  } = flags({
    ...{ cells: 0, seed: treeSeed, only: '', lag: '', next: '' },
    said: false,
  });
  const all = allCells({ only, lag, next });
  const cells = count === 0 ? all : new Chance(seed).shuffled(all).slice(0, count);
  const ofDialect = (dialect: Cell['dialect']) => cells.filter((one) => one.dialect === dialect);
  const both = await Promise.all(
    DIALECTS.map((dialect) => playApart({ dialect, cells: ofDialect(dialect), seed, only })),
  );
  const played = both.flatMap((one) => one.cells);
  const limits = both.flatMap((one) => one.limits);
  const faulty = played.flatMap(({ cell, faults }) => {
    // What is said 1 minute after the act is mostly said again later.
    const firsts = faults.filter((one, i) => said || faults.findIndex(({ kind }) => kind === one.kind) === i);
    return firsts.map(({ kind, seen }) => `${nameOf(cell)}: ${kind}: ${seen}`);
  });
  for (const line of said ? [...limits, ...faulty] : [...limits, ...faulty].slice(0, SHOWN)) print(`  ${line}`);
  conclude("the airline's readings lag behind an act of our own", [
    least('cells: act, lag, what follows, dialect', played.length, 1),
    told('cells in which what follows was done', played.filter(({ followed }) => followed).length),
    told(
      'done once more with although_done',
      played.reduce((sum, { again }) => sum + again, 0),
    ),
    ...FAULTS.map((kind) => none(kind, played.filter(({ faults }) => faults.some((one) => one.kind === kind)).length)),
    none('done again too soon, or not once a limit is near', limits.length),
  ]);
}

if (isMainThread) await run();
else parentPort?.postMessage(await play(workerData as Wanted));
