/**
 * A year of two hundred clerks, by a simulated clock: whether all but the journal is as large after twelve months as after
 * two, and the whole grows no faster.
 * `node test/campaigns/load/year.ts [--days 360] [--clerks 200] [--scale 0.01]`
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { newFolder } from '../support/folders.ts';
import { conclude, flags, most, none, print } from '../support/report.ts';
import { SimulatedDesk } from './support/simulated-desk.ts';

const { days, clerks, scale } = flags({ days: 360, clerks: 200, scale: 0.01 });
if (days < 90) throw new RangeError('--days: 90 or more');

// The clock is simulated, so the disk must not set the pace.
if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm';

const MONTH = 30;
const START = Date.parse('2027-01-01T00:00:00Z');
/** The most that a later month may be larger, or grow more, than the second. */
const FLAT = 1.1;
/** Counts of smaller tables are left out: a busy day moves them too much. */
const LEAST_ROWS = 200;
/** They keep everything. */
const JOURNAL: readonly string[] = ['operation', 'event', 'note'];

const desk = new SimulatedDesk(START, { clerks, scale });
const file = join(newFolder('year'), 's.sqlite');
const state = await openSqliteState(file, { now: () => desk.now, witnesses: newFolder('witness') });
const months: ReturnType<typeof measure>[] = [];
for (let day = 1; day <= days; day++) {
  await desk.day(state);
  if (day % MONTH === 0) months.push(measure());
}
const broken = await state.operations.verify();
await state.close();

/** Bytes of the state, and rows of each table. The log is emptied a second after the last write. */
function measure() {
  const db = new DatabaseSync(file, { readOnly: true });
  const tables = db.prepare("select name from sqlite_schema where type = 'table'").all();
  const count = (name: unknown) => Number(db.prepare(`select count(*) as n from ${name}`).get()?.n);
  const rows = Object.fromEntries(tables.map(({ name }) => [String(name), count(name)]));
  db.close();
  return { size: statSync(file).size, rows };
}

const [, second, ...later] = months;
if (second === undefined) throw new Error('two months or more');
const growth = months.map(({ size }, i) => size - (months[i - 1]?.size ?? 0));
const fastest = Math.max(...growth.slice(2));
const grown = Object.entries(second.rows).flatMap(([table, rows]) => {
  if (JOURNAL.includes(table)) return [];
  const value = Math.max(...later.map((month) => month.rows[table] ?? 0));
  return Math.max(rows, value) < LEAST_ROWS
    ? []
    : [most(`rows of ${table}, ${rows} at the end of month two`, value / rows, FLAT)];
});
print(`MB at the end of each month: ${months.map(({ size }) => (size / 1e6).toFixed(1)).join(' ')}`);
conclude(`${days} days of ${clerks} clerks, ${scale * 100} % of their traffic`, [
  most('the largest growth in a later month, in those of the second', fastest / (growth[1] ?? 0), FLAT),
  ...grown,
  none('places where the journal does not fit', Number(broken !== undefined)),
]);
