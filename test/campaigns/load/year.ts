/**
 * A year of two hundred clerks, by a simulated clock: whether the state is as large after twelve months as after two.
 * `node test/campaigns/load/year.ts [--days 360] [--clerks 200] [--scale 0.01]`
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { newFolder } from '../support/folders.ts';
import { conclude, flags, least, most, none, print } from '../support/report.ts';
import { SimulatedDesk } from './support/simulated-desk.ts';

const { days, clerks, scale } = flags({ days: 360, clerks: 200, scale: 0.01 });
if (days < 90) throw new RangeError('--days: 90 or more');

// The clock is simulated, so the disk must not set the pace.
if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm';

const DAY = 86_400_000;
const MONTH = 30;
const START = Date.parse('2027-01-01T00:00:00Z');
/** The most that a later month may be larger than the second. */
const FLAT = 1.1;
/** Counts of smaller tables are left out: a busy day moves them too much. */
const LEAST_ROWS = 200;

const desk = new SimulatedDesk(START, { clerks, scale });
const [file, archives] = [join(newFolder('year'), 's.sqlite'), newFolder('archives')];
const state = await openSqliteState(file, { now: () => desk.now, witnesses: newFolder('witness') });
const months: ReturnType<typeof measure>[] = [];
let archived = 0;
for (let day = 1; day <= days; day++) {
  await desk.day(state);
  if (day % MONTH !== 0) continue;
  months.push(measure());
  const to = { file: join(archives, `${months.length}.jsonl.gz`), before: desk.now - MONTH * DAY };
  archived += (await state.operations.archive({ ...to, by: 'year', now: desk.now })).operations;
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
const largest = Math.max(...later.map(({ size }) => size));
const grown = Object.entries(second.rows).flatMap(([table, rows]) => {
  const value = Math.max(...later.map((month) => month.rows[table] ?? 0));
  return Math.max(rows, value) < LEAST_ROWS
    ? []
    : [most(`rows of ${table}, ${rows} at the end of month two`, value / rows, FLAT)];
});
print(`MB at the end of each month: ${months.map(({ size }) => (size / 1e6).toFixed(1)).join(' ')}`);
conclude(`${days} days of ${clerks} clerks, ${scale * 100} % of their traffic`, [
  most('the largest later month, in second months', largest / second.size, FLAT),
  ...grown,
  least('operations archived', archived, 1),
  none('places where the journal does not fit', Number(broken !== undefined)),
]);
