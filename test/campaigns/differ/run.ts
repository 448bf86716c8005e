/**
 * An airline that lies in one place: an honest trip up to one act, then one leaf or list element of that act's reply altered, and of the
 * readings after it. Each lie must be refused, told in one line of a question or a warning with the value before and the value now, or
 * stand in the table of the irrelevant. Then honest airlines with many quirks, about which nobody may hear of a difference, and the comparison without
 * one row after the other, each of which must be missed. Exit 1 otherwise, for a row of the tables that no lie needs, and for fewer lies
 * than are kept.
 *
 * usage: node test/campaigns/differ/run.ts [--lies N] [--holds N] [--rows N] [--seed S] [--log FILE]
 *
 * So many lies, honest holds and rows are drawn by the seed; by default all lies and rows. `--log`: a line of JSON for each lie and what
 * was read of it.
 */
import { appendFileSync } from 'node:fs';
import { Chance } from '../support/chance.ts';
import { conclude, flags, least, most, none, print, told, treeSeed } from '../support/report.ts';
import type { Case, Outcome } from './campaign.ts';
import type { Dialect } from './desk.ts';
import { ACTS, type ActName, IRRELEVANT, OPEN, shortPath, type TableRow } from './irrelevant.ts';
import { allParts, NOT_MISSED, needsPart, reachParts } from './rows.ts';

reachParts();
const { allCases, drawn, isHarmful, isIrrelevant, isOpen, isSilent, outcomes } = await import('./campaign.ts');
const { FALSE_ALARMS, playHonest } = await import('./honest.ts');

/** How many lies each act has: no change of the tests may make it less. */
const KEPT: Readonly<Record<Dialect, Readonly<Partial<Record<ActName, number>>>>> = {
  rail: { search: 579, availability: 16, hold: 1294, counts: 1000, moved: 970, reading: 3462 },
  airline: { search: 766, check: 697, hold: 1035, counts: 320, reading: 2570 },
};

/** Harmful lies that nobody tells yet: never more. */
const KEPT_OPEN = 0;

/** Rows and functions of the comparison. */
const KEPT_PARTS = 50;

/** Rows of the irrelevant. */
const MOST_ROWS = 150;

const ALL = Number.MAX_SAFE_INTEGER;
const { lies, holds, rows, seed, log } = flags({ lies: ALL, holds: 600, rows: ALL, seed: treeSeed, log: '' });
const cases = await allCases();
const isWhole = lies >= cases.length;
const failures: unknown[] = [];
const done: Outcome[] = [];
for await (const outcome of outcomes(drawn(cases, seed).slice(0, lies), failures)) {
  done.push(outcome);
  if (log !== '') appendFileSync(log, `${JSON.stringify(lineOf(outcome))}\n`);
}

function lineOf({ dialect, act, told: { lie }, verdict, place, fresh }: Outcome) {
  const what = { ...lie, at: lie.at.join('.'), path: shortPath(lie.path) };
  return { dialect, act: act.name, trip: act.trip.name, ...what, verdict, place, fresh };
}

const nameOf = ({ act, told: { lie } }: Case) => `${shortPath(lie.path)} ${lie.kind} ${act.name}`;
/** A row is needed if each of its kinds and each of its acts occurs. */
const partsOf = ({ path, kinds, acts }: Pick<TableRow, 'path' | 'kinds' | 'acts'>) =>
  [...kinds, ...acts].map((part) => `${path} ${part}`);

const silent = done.filter(isSilent);
const irrelevant = silent.filter(isIrrelevant);
const open = silent.filter((one) => !isIrrelevant(one) && isOpen(one));
const harmful = silent.filter(isHarmful);
const needed = new Set(
  silent.flatMap(({ act, told: { lie } }) =>
    partsOf({ path: shortPath(lie.path), kinds: [lie.kind], acts: [act.name] }),
  ),
);
const needless = isWhole ? [...IRRELEVANT, ...OPEN].flatMap(partsOf).filter((part) => !needed.has(part)) : [];
for (const [name, all] of Map.groupBy(harmful, (one) => `${one.dialect} ${nameOf(one)} (${one.place})`))
  print(`  silent: ${name} × ${all.length}`);
for (const part of needless) print(`  needless: ${part}`);
for (const failure of failures.slice(0, 5))
  print(`  failed inside: ${failure instanceof Error ? failure.stack : failure}`);

/** The first of which no result says anything; of the readings before a payment no question. */
async function silentOf(some: readonly Case[]): Promise<Outcome | undefined> {
  const isOfReading = some.some(({ act }) => act.name === 'reading');
  for await (const outcome of outcomes(some, failures, !isOfReading))
    if (isSilent(outcome) && !isIrrelevant(outcome)) return outcome;
  return undefined;
}

const honest = await playHonest(holds, seed);
for (const alarm of honest.alarms.slice(0, 20)) print(`  false alarm: ${alarm}`);

const takenOut: string[] = [];
const notMissed: string[] = [];
for (const part of new Chance(seed)
  .shuffled(allParts().filter(({ name }) => !NOT_MISSED.includes(name)))
  .slice(0, rows)) {
  const needed = needsPart(part);
  const its = drawn(cases, seed).filter(
    ({ act, told: { lie } }) => needed?.acts.includes(act.name) === true && needed.isOf(lie),
  );
  const putBack = part.takeOut();
  const silent = await silentOf(its);
  putBack();
  takenOut.push(part.name);
  if (silent === undefined) notMissed.push(`${part.name}: ${its.length} lies`);
}
for (const part of notMissed) print(`  not missed: ${part}`);

const countOf = (dialect: Dialect, name: ActName): number =>
  cases.filter((one) => one.dialect === dialect && one.act.name === name).length;
conclude(`an airline that lies, ${isWhole ? 'in every place' : `${done.length} of ${cases.length} lies`}`, [
  ...(['rail', 'airline'] as const).flatMap((dialect) =>
    ACTS.flatMap((name) => {
      const kept = KEPT[dialect][name];
      return kept === undefined ? [] : [least(`lies of ${name} (${dialect})`, countOf(dialect, name), kept)];
    }),
  ),
  told('lies', done.length),
  told('refused', done.filter(({ verdict }) => verdict === 'refused').length),
  told('told', done.filter(({ verdict }) => verdict === 'told').length),
  told('irrelevant', irrelevant.length),
  most('harmful and open', open.length, KEPT_OPEN),
  none('harmful and silent', harmful.length),
  most('rows of the irrelevant', IRRELEVANT.length, MOST_ROWS),
  none('kinds and acts of rows that no lie needs', needless.length),
  least('honest holds, each with its question and its plan', honest.holds, holds),
  told('quirks of their airlines', honest.quirks),
  none('false alarms', honest.alarms.length),
  most('quirks that are open', FALSE_ALARMS.length, 0),
  told('parts of the comparison', allParts().length),
  least('parts taken out', takenOut.length, Math.min(rows, KEPT_PARTS)),
  none('parts that nobody misses', notMissed.length),
  most('parts that are open', NOT_MISSED.length, 0),
  none('failures inside', failures.length),
]);
