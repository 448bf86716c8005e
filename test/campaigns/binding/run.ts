/**
 * A yes binds every word of its question. Between the question and the yes, each leaf of the airline's reading is altered in turn, each
 * node is left out, and several values are altered at once. Then the same is asked from the altered reading by somebody who knows nothing
 * of the booking: if that question reads otherwise, or if there is none, nothing may have been sent. A row of equalities.ts says which
 * lines mean the same although they differ. Each act, by itself and as a line of a plan, in both dialects. Exit 1 otherwise.
 *
 * usage: node test/campaigns/binding/run.ts [--draw N] [--only ACT] [--dialect rail|airline] [--place WORDS]
 *        [--workers N] [--log FILE] [--seed S]
 *
 * `--draw`: so many trials, drawn by the seed, of each act some; by default all. `--only`: these acts, with commas; `cancel_hold` is
 * cancel_booking of an unpaid booking. `--place`: places with these words, such as `personName`. `--log`: every finding, and not only the first ones. So many processes share the trials.
 */
import { writeFileSync } from 'node:fs';
import { Chance } from '../support/chance.ts';
import { startChild } from '../support/child.ts';
import { conclude, flags, least, none, print, told, treeSeed } from '../support/report.ts';
import { ROWS } from './equalities.ts';
import {
  allCells,
  type Cell,
  nameOf,
  type Order,
  type Outcome,
  obey,
  POINTERS,
  type Report,
  shapesOf,
} from './player.ts';

/** How many trials there are: no change of the tests may make it less. */
const KEPT = 64_000;

const ALL = Number.MAX_SAFE_INTEGER;
const { draw, only, dialect, place, workers, seed, log } = flags({
  ...{ draw: ALL, only: '', dialect: '', place: '', workers: 1, seed: treeSeed, log: '' },
});

const isWanted = (cell: Cell) =>
  (only === '' || only.split(',').includes(cell.act)) && (dialect === '' || dialect === cell.dialect);
const cells = allCells().filter(isWanted);
const shapes = await Promise.all(cells.map(shapesOf));
const isWhole = draw === ALL;

/** Trials of one order: enough that opening a desk costs little. */
const TRIALS_AT_ONCE = 200;

/** Those that are wanted: all, or with these words. */
const isPlace = (shape: string) => shape.toLowerCase().includes(place.toLowerCase());

/** Of each cell in turn: one of each shape first, then a second one. */
function drawnPlaces(): readonly (readonly number[])[] {
  const chance = new Chance(seed);
  const queues = shapes.map((ofCell) => {
    const wanted = [...ofCell.keys()].filter((at) => isPlace(ofCell[at] ?? ''));
    const alike = Map.groupBy(chance.shuffled(wanted), (at) => ofCell[at]);
    const numbered = [...alike.values()].flatMap((places) => places.map((place, i) => [i, place] as const));
    return numbered.toSorted(([a], [b]) => a - b).map(([, place]) => place);
  });
  const inTurn = queues.flatMap((places, cell) => places.map((place, i) => ({ i, cell, place })));
  const taken = inTurn.toSorted((a, b) => a.i - b.i).slice(0, draw);
  return cells.map((_, cell) => taken.filter((one) => one.cell === cell).map(({ place }) => place));
}

const places = isWhole
  ? shapes.map((ofCell) => [...ofCell.keys()].filter((at) => isPlace(ofCell[at] ?? '')))
  : drawnPlaces();
const orders: Order[] = cells.flatMap((cell, i) => {
  const all = places[i] ?? [];
  return Array.from({ length: Math.ceil(all.length / TRIALS_AT_ONCE) }, (_, part) => ({
    cell,
    places: all.slice(part * TRIALS_AT_ONCE, (part + 1) * TRIALS_AT_ONCE),
  }));
});

const played = new Map<string, Outcome[]>(cells.map((cell) => [nameOf(cell), []]));
const failures: string[] = [];

/** Each takes the next order as soon as it is free. */
async function work(play: (order: Order) => Promise<Report>): Promise<void> {
  for (let order = orders.shift(); order !== undefined; order = orders.shift()) {
    const report = await play(order);
    played.get(nameOf(order.cell))?.push(...report.outcomes);
    failures.push(...report.failures);
  }
}

async function workBeside(): Promise<void> {
  const child = await startChild<Order, Report>(new URL('./player.ts', import.meta.url).pathname, {});
  try {
    await work(child.tell);
  } finally {
    await child.close();
  }
}

await Promise.all([work(obey), ...Array.from({ length: workers - 1 }, workBeside)]);

const of = (outcomes: readonly Outcome[], became: Outcome['became']) => outcomes.filter((one) => one.became === became);

const found: string[] = [];
for (const [name, outcomes] of played) {
  const equal = [...Map.groupBy(of(outcomes, 'equal'), ({ equality = [] }) => equality.join(' + '))];
  const findings = of(outcomes, 'finding');
  found.push(...findings.map(({ lines = [] }) => [name, ...lines].join('\n')));
  const [refused, same] = (['refused', 'same'] as const).map((became) => of(outcomes, became).length);
  const rows = equal.map(([equality, all]) => `${equality} ${all.length}`).join(', ');
  print(
    `  ${name}: ${outcomes.length} trials, ${refused} refused, ${same} sent with the same words` +
      `${rows === '' ? '' : `, sent by an equality: ${rows}`}; FINDINGS ${findings.length}`,
  );
}

/** So many of each are printed. */
const SHOWN = 25;
for (const finding of found.slice(0, SHOWN)) print(finding);
for (const failure of failures.slice(0, 5)) print(`  failed inside: ${failure}`);
if (log !== '') writeFileSync(log, found.map((finding) => `${finding}\n`).join('\n'));

const all = [...played.values()].flat();
/** Rows that make nothing equal. */
const needed = new Set(all.flatMap(({ equality = [] }) => equality));
const isEvery = isWhole && only === '' && dialect === '' && place === '';
const needless = isEvery ? [POINTERS, ...ROWS.map(({ name }) => name)].filter((name) => !needed.has(name)) : [];
for (const name of needless) print(`  needless: ${name}`);

conclude(`a yes binds every word, ${isWhole ? 'in every place' : `${all.length} of ${shapes.flat().length} trials`}`, [
  told('questions', cells.length),
  ...(isEvery ? [least('trials', all.length, KEPT)] : [told('trials', all.length)]),
  told('refused', of(all, 'refused').length),
  told('sent with the same words', of(all, 'same').length),
  told('sent with words that mean the same', of(all, 'equal').length),
  none('sent with other words', found.length),
  none('equalities that no trial needs', needless.length),
  none('failures inside', failures.length),
]);
