/**
 * A year of two hundred clerks, by a simulated clock: whether all that is not kept for ever is as large after twelve months
 * as after two, and whether an operation of the second half takes no more of the journal than one of the first.
 * `node test/campaigns/load/year.ts [--days 360]`
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { newFolder } from '../support/folders.ts';
import { conclude, flags, most, none, print } from '../support/report.ts';
import { readFrom, tablesIn } from '../support/sqlite.ts';
import { CLERKS, SCALE, SimulatedDesk } from './support/simulated-desk.ts';

const { days } = flags({ days: 360 });
if (days < 90) throw new RangeError('--days: 90 or more');

// The clock is simulated, so the disk must not set the pace.
if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm';

const MONTH = 30;
const START = Date.parse('2027-01-01T00:00:00Z');
/** The most that a later month may have of what the second had. */
const FLAT = 1.1;
/**
 * The most that an operation of the second half may take of what one of the first took. Months are too short for that: pages
 * of indexes split in waves, which move a month by 8 % and a half by 2 %.
 */
const EVEN = 1.05;
/** Counts of smaller tables are left out: a busy day moves them too much. */
const LEAST_ROWS = 200;
/** They keep everything. */
const JOURNAL: readonly string[] = ['operation', 'event', 'note'];
/** They keep what is over for ever, too: without names, a row for each (docs/reference/data.md). */
const PAST: readonly string[] = ['past_question', 'past_booking', 'finding', 'customer'];

const desk = new SimulatedDesk(START);
const file = join(newFolder('year'), 's.sqlite');
const state = await openSqliteState(file, { now: () => desk.now, secondRecords: newFolder('witness') });
const months: ReturnType<typeof measure>[] = [];
for (let day = 1; day <= days; day++) {
  await desk.day(state);
  if (day % MONTH === 0) months.push(measure());
}
const broken = await state.operations.verify();
await state.close();

/** Bytes of the state, and rows of each table. The log is emptied a second after the last write. */
function measure() {
  return readFrom(file, (db) => {
    const numberIn = (sql: string) => Number(db.prepare(sql).get()?.n);
    const counts = tablesIn(db).map((name) => [name, numberIn(`select count(*) as n from ${name}`)]);
    const rows: Readonly<Record<string, number>> = Object.fromEntries(counts);
    const pages = 'select sum(pgsize) as n from dbstat join sqlite_schema using (name)';
    const bytesOf = (tables: readonly string[]) => numberIn(`${pages} where tbl_name in ('${tables.join("', '")}')`);
    const [journal, past] = [bytesOf(JOURNAL), bytesOf(PAST)];
    const { size } = statSync(file);
    return { size, journal, rest: size - journal - past, operations: rows.operation ?? 0, rows };
  });
}

const [, second, ...later] = months;
const [first, last] = [months[Math.floor(months.length / 2) - 1], months.at(-1)];
if (!second || !first || !last) throw new Error('two months or more');
const early = first.journal / first.operations;
const late = (last.journal - first.journal) / (last.operations - first.operations);
const grown = Object.entries(second.rows).flatMap(([table, rows]) => {
  if (JOURNAL.includes(table) || PAST.includes(table)) return [];
  const value = Math.max(...later.map((month) => month.rows[table] ?? 0));
  return Math.max(rows, value) < LEAST_ROWS
    ? []
    : [most(`rows of ${table}, ${rows} at the end of month two`, value / rows, FLAT)];
});
const rest = Math.max(...later.map((month) => month.rest));
print(`MB at the end of each month: ${months.map(({ size }) => (size / 1e6).toFixed(1)).join(' ')}`);
conclude(`${days} days of ${CLERKS} clerks, ${SCALE * 100} % of their traffic`, [
  most(`bytes of the journal an operation, ${early.toFixed()} in the first half`, late / early, EVEN),
  most(`bytes of all that is not kept for ever, ${second.rest} at the end of month two`, rest / second.rest, FLAT),
  ...grown,
  none('places where the journal does not fit', Number(broken !== undefined)),
]);
