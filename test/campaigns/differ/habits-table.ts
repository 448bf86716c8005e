/**
 * What becomes of every act at an honest airline with every habit, those that are open too: the table that a change of the comparisons is
 * measured with. In plans, what goes through without one.
 *
 * usage: node test/campaigns/differ/habits-table.ts [--log FILE]
 *
 * `--log`: a line of JSON for each habit, act and dialect, alone and in a plan.
 */
import { appendFileSync } from 'node:fs';
import { flags, print } from '../support/report.ts';
import { type HabitCase, type HabitOutcome, habitCases, habitOutcomes } from './habits-played.ts';

type Became = HabitOutcome['became'];

const { log } = flags({ log: '' });
const failures: unknown[] = [];

async function played(cases: readonly HabitCase[]): Promise<readonly HabitOutcome[]> {
  const outcomes: HabitOutcome[] = [];
  for await (const outcome of habitOutcomes(cases, failures)) {
    outcomes.push(outcome);
    if (log !== '') appendFileSync(log, `${JSON.stringify(outcome)}\n`);
  }
  return outcomes;
}

const keyOf = ({ dialect, act, habit }: Pick<HabitOutcome, 'dialect' | 'act' | 'habit'>) =>
  `${dialect} ${act} ${habit}`;
const all = habitCases();
const alone = await played(all.filter(({ isPlanned }) => !isPlanned));
const through = new Set(alone.filter(({ became }) => became === 'through').map(keyOf));
const planned = await played(all.filter((one) => one.isPlanned && through.has(keyOf(one))));
const outcomes = [...alone, ...planned];

/** `pay: 36 through, 134 blocked` */
function tell(title: string, nameOf: (outcome: HabitOutcome) => string): void {
  print(`\n${title}`);
  for (const [name, ofName] of Map.groupBy(outcomes, nameOf)) {
    const counts = Map.groupBy(ofName, ({ became }) => became);
    print(`  ${name}: ${[...counts].map(([became, some]) => `${some.length} ${became}`).join(', ')}`);
  }
}

const count = (wanted: Became, some: readonly HabitOutcome[]) => some.filter(({ became }) => became === wanted).length;
tell('by act', ({ dialect, act, isPlanned }) => `${dialect} ${act}${isPlanned ? ', in a plan' : ''}`);
tell('by habit', ({ habit }) => habit);
for (const [name, some] of [['alone', alone] as const, ['in plans', planned] as const])
  print(`${name}: ${count('through', some)} of ${some.length - count('idle', some)} go through`);
for (const failure of failures.slice(0, 5))
  print(`failed inside: ${failure instanceof Error ? failure.stack : failure}`);
