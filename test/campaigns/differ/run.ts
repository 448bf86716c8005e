/**
 * An airline that lies in one place: an honest trip up to one act, then one leaf or list element of that act's reply altered, and of the
 * readings after it. Each lie must be refused, told in one line of a question or a warning with the value before and the value now, or
 * stand in the table of the irrelevant. Then honest airlines with many quirks, about which nobody may hear of a difference, honest
 * airlines with habits, where one yes is enough for each act, and the comparison without one row after the other, each of which must be
 * missed. Exit 1 otherwise, for a row of the tables that no lie needs, and for fewer lies than are kept.
 *
 * usage: node test/campaigns/differ/run.ts [--lies N] [--holds N] [--changes N] [--habits N] [--rows N] [--workers N]
 *        [--only ACT] [--seed S] [--log FILE]
 *
 * So many lies, honest holds, honest changes, acts at airlines with habits, and rows are drawn by the seed; by default all lies and
 * rows. So many processes share them; the default is this one. `--only`: the lies of these acts, with commas. `--log`: a line of JSON for each lie and what was read of it.
 */
import { appendFileSync } from 'node:fs';
import { Chance } from '../support/chance.ts';
import { startChild } from '../support/child.ts';
import { conclude, flags, least, most, none, print, told, treeSeed } from '../support/report.ts';
import type { Case, Outcome } from './campaign.ts';
import type { Dialect } from './desk.ts';
import { ACTS, type ActName, IRRELEVANT, shortPath, type TableRow } from './irrelevant.ts';
import { type Order, openPlayer, type Report } from './player.ts';
import { allParts, NOT_MISSED, needsPart } from './rows.ts';

const { isHarmful, isIrrelevant, isSilent } = await import('./campaign.ts');
const { FALSE_ALARMS } = await import('./honest.ts');
const { HABITS } = await import('./habits.ts');

/** How many lies each act has: no change of the tests may make it less. */
const KEPT: Readonly<Record<Dialect, Readonly<Partial<Record<ActName, number>>>>> = {
  rail: {
    ...{ search: 579, availability: 16, hold: 1294, counts: 1000, moved: 970, reading: 3462 },
    ...{ pay: 455, release: 257, names: 419, passenger: 419, contact: 419, rebook: 431, replacement: 150 },
    ...{ seats: 419, map: 106, service: 439, leg: 432, person: 418, all: 328, asked: 418 },
  },
  airline: {
    ...{ search: 766, hold: 1035, counts: 320, reading: 2570 },
    ...{ pay: 376, release: 21, names: 349, passenger: 338, rebook: 350, replacement: 152 },
    ...{ seats: 338, map: 94, service: 353, leg: 350, person: 304, all: 40, asked: 338 },
  },
};

/** Rows and functions of the comparisons, less those that are open. */
const KEPT_PARTS = 108;

/** Parts that are open: never more. */
const KEPT_NOT_MISSED = 6;

/** Rows of the irrelevant. */
const MOST_ROWS = 188;

const ALL = Number.MAX_SAFE_INTEGER;
const { lies, holds, changes, habits, rows, workers, only, seed, log } = flags({
  ...{ lies: ALL, holds: 600, changes: 400, habits: 400, rows: ALL, workers: 1 },
  ...{ only: ACTS.join(','), seed: treeSeed, log: '' },
});
const player = await openPlayer(only, seed);
const { cases } = player;
const isWhole = lies >= cases.length;
const played = ACTS.filter((name) => only.split(',').includes(name));

/** Lies of one order: all of one act, so that its desk is opened once. */
const LIES_AT_ONCE = 150;

const closedParts = allParts().filter(({ name }) => !NOT_MISSED.includes(name));
/** Said at each seed, because a part that is not drawn is not taken out. */
const unnamedParts = closedParts.filter((part) => needsPart(part) === undefined);
const outParts = new Chance(seed).shuffled(closedParts).slice(0, rows);
const byAct = Map.groupBy([...cases.keys()].slice(0, lies), (i) => cases[i]?.act);
const orders: Order[] = [
  { holds },
  { changes },
  { habits },
  ...outParts.map(({ name }) => ({ without: name })),
  ...[...byAct.values()].flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / LIES_AT_ONCE) }, (_, i) => ({
      lies: all.slice(i * LIES_AT_ONCE, (i + 1) * LIES_AT_ONCE),
    })),
  ),
];

/** Each takes the next order as soon as it is free. */
async function work(obey: (order: Order) => Promise<Report>): Promise<readonly Report[]> {
  const reports: Report[] = [];
  for (let order = orders.shift(); order !== undefined; order = orders.shift()) reports.push(await obey(order));
  return reports;
}

async function workBeside(): Promise<readonly Report[]> {
  const script = new URL('./player.ts', import.meta.url).pathname;
  const child = await startChild<Order, Report>(script, { CAMPAIGN_ONLY: only, CAMPAIGN_SEED: String(seed) });
  try {
    return await work(child.tell);
  } finally {
    await child.close();
  }
}

const reports = (await Promise.all([work(player.obey), ...Array.from({ length: workers - 1 }, workBeside)])).flat();
const failures = reports.flatMap((report) => report.failures);
const done: Outcome[] = reports.flatMap((report) =>
  report.outcomes.map(([i, became]) => ({ ...(cases[i] as Case), ...became })),
);
if (log !== '') for (const outcome of done) appendFileSync(log, `${JSON.stringify(lineOf(outcome))}\n`);

function lineOf({ dialect, act, told: { lie }, verdict, place, fresh }: Outcome) {
  const what = { ...lie, at: lie.at.join('.'), path: shortPath(lie.path) };
  return { dialect, act: act.name, trip: act.trip, ...what, verdict, place, fresh };
}

const nameOf = ({ act, told: { lie } }: Case) => `${shortPath(lie.path)} ${lie.kind} ${act.name}`;
const isPlayed = (name: ActName) => played.includes(name);
/** A row is needed if each of its kinds and each of its acts occurs: an act that is not played may have the kind, or be the one of a list. */
const partsOf = ({ path, kinds, acts }: TableRow): readonly (readonly string[])[] => [
  ...(acts.flat().every(isPlayed) ? kinds : []).map((kind) => [`${path} ${kind}`]),
  ...acts.filter((some) => some.every(isPlayed)).map((some) => some.map((name) => `${path} ${name}`)),
];

const silent = done.filter(isSilent);
const irrelevant = silent.filter(isIrrelevant);
const harmful = silent.filter(isHarmful);
const needed = new Set(
  silent.flatMap(({ act, told: { lie } }) => [lie.kind, act.name].map((part) => `${shortPath(lie.path)} ${part}`)),
);
const needless = isWhole ? IRRELEVANT.flatMap(partsOf).filter((some) => !some.some((part) => needed.has(part))) : [];
for (const [name, all] of Map.groupBy(harmful, (one) => `${one.dialect} ${nameOf(one)} (${one.place})`))
  print(`  silent: ${name} × ${all.length}`);
for (const [part] of needless) print(`  needless: ${part}`);
for (const failure of failures.slice(0, 5)) print(`  failed inside: ${failure}`);

const honest = reports.map((report) => report.honest).find((one) => one !== undefined);
const changed = reports.map((report) => report.changed).find((one) => one !== undefined);
const habitual = reports.map((report) => report.habits).find((one) => one !== undefined);
if (honest === undefined || changed === undefined || habitual === undefined)
  throw new Error('no honest airline was played');
const alarms = [...honest.alarms, ...changed.alarms];
for (const alarm of alarms.slice(0, 20)) print(`  false alarm: ${alarm}`);

for (const failure of habitual.failures) print(`  with a habit: ${failure}`);

const takenOut = reports.flatMap(({ missed }) => missed ?? []);
const notMissed = takenOut.filter(({ isMissed }) => !isMissed).map(({ name, lies: its }) => `${name}: ${its} lies`);
for (const part of notMissed) print(`  not missed: ${part}`);
for (const { name } of unnamedParts) print(`  no lie is named for: ${name}`);

const countOf = (dialect: Dialect, name: ActName): number =>
  cases.filter((one) => one.dialect === dialect && one.act.name === name).length;
conclude(`an airline that lies, ${isWhole ? 'in every place' : `${done.length} of ${cases.length} lies`}`, [
  ...(['rail', 'airline'] as const).flatMap((dialect) =>
    played.flatMap((name) => {
      const kept = KEPT[dialect][name];
      return kept === undefined ? [] : [least(`lies of ${name} (${dialect})`, countOf(dialect, name), kept)];
    }),
  ),
  told('lies', done.length),
  told('refused', done.filter(({ verdict }) => verdict === 'refused').length),
  told('told', done.filter(({ verdict }) => verdict === 'told').length),
  told('irrelevant', irrelevant.length),
  told('acts that are played', played.length),
  none('harmful and silent', harmful.length),
  most('rows of the irrelevant', IRRELEVANT.length, MOST_ROWS),
  none('kinds and acts of rows that no lie needs', needless.length),
  least('honest holds, each with its question and its plan', honest.holds, holds),
  told('quirks of their airlines', honest.quirks),
  least('honest payments, changes and cancellations', changed.changes, changes),
  none('false alarms', alarms.length),
  most('quirks that are open', FALSE_ALARMS.length, 0),
  least('habits of honest airlines', Object.keys(HABITS).length, 100),
  least('acts at airlines with habits', habitual.acts, habits),
  told('of which the habit has nothing to change', habitual.idle),
  none('acts at them that one yes is not enough for', habitual.failures.length),
  told('parts of the comparison', allParts().length),
  none('parts that no lie is named for', unnamedParts.length),
  least('parts taken out', takenOut.length, Math.min(rows, KEPT_PARTS)),
  none('parts that nobody misses', notMissed.length),
  most('parts that are open', NOT_MISSED.length, KEPT_NOT_MISSED),
  none('failures inside', failures.length),
]);
