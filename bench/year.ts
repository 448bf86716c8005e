/** What a supervisor waits for beside a year of a desk of two hundred clerks, and who waits meanwhile. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { startCluster } from '../test/campaigns/support/postgres.ts';
import { type Measure, type Row, ratio } from './measure.ts';
import { filledDatabase, filledFile, SCHEMA } from './support/filled-states.ts';
import { manyActs, type Words } from './support/many-acts.ts';
import { memoryGroup } from './support/memory-group.ts';
import type { YearFigures } from './support/year-desk.ts';

const OPERATIONS = 1_000_000;
const SHORT = 100_000;
/** For the server with its airline and all that it starts, megabytes. */
const MOST_MB = 700;

function measured(name: string, place: string): Row[] {
  const desk = join(import.meta.dirname, 'support/year-desk.ts');
  // The documented memory of a server, whose heap may not grow beyond it.
  const group = memoryGroup(`fareclerk-year-${process.pid}`, MOST_MB);
  const args = ['--no-warnings', '--max-old-space-size=400', desk, place, ...(group ? [group.folder, group.kept] : [])];
  const said = execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 20 });
  const memory = group
    ? `… in one cgroup of ${MOST_MB} MB, which ended ${group.ended()} of them`
    : '… resident, summed: no cgroup can be made here';
  group?.close();
  const figures = JSON.parse(said) as YearFigures;
  const row = (what: string, value: number, unit: Row['unit'], more: Pick<Row, 'atMost' | 'from'>): Row => ({
    ...more,
    what: `${name}: ${what}`,
    value,
    unit,
  });
  return [
    row("one day's sales by clerk", figures.dayMs, 'ms', { atMost: 1_000 }),
    row("a month's refunds by route", figures.monthMs, 'ms', { atMost: 3_000 }),
    row("a year's paid by currency and month", figures.yearMs, 'ms', { atMost: 8_000 }),
    row('the longest that the loop stood still meanwhile', figures.heldMs, 'ms', { atMost: 50 }),
    ratio(
      `${name}: a hold and a payment beside eight who ask about the year`,
      [figures.besideMs, figures.aloneMs],
      'ms',
      2,
    ),
    row('… questions answered meanwhile', figures.answered, '', {
      from: `${figures.busy} told to come again, ${figures.ended} ended`,
    }),
    row('… CPU of server and airline for one', figures.besideCpuMs, 'ms', {
      from: `alone ${figures.aloneCpuMs.toFixed(0)} ms`,
    }),
    ratio(`${name}: … p99 of /healthz beside them, of alone`, [figures.besideHealthMs, figures.aloneHealthMs], 'ms', 2),
    row('most memory of server, airline and children', figures.mostMb, 'MB', { atMost: MOST_MB, from: memory }),
  ];
}

export const year: Measure = {
  name: 'year',
  about: 'questions in SQL beside a year of a million operations and a hundred thousand bookings (--short: a tenth)',
  why: 'A supervisor asks about the year while clerks sell. Memory is what all processes keep in one cgroup, or their resident memory, summed, where none can be made.',
  async run({ folder, short }) {
    const count = short ? SHORT : OPERATIONS;
    const fill = (words: Words) => manyActs(words, count);
    const rows = measured('SQLite', (await filledFile(folder('year'), fill)).place);
    const cluster = await startCluster();
    try {
      const { place } = await filledDatabase(cluster, 'year', fill);
      // What is sold beside it gets the next places.
      await cluster.sql('year', `select setval('${SCHEMA}.operation_place', ${count})`);
      rows.push(...measured('PostgreSQL', place));
    } finally {
      await cluster.close();
    }
    return rows;
  },
};
