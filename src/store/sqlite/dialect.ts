/** The words in which SQLite differs. */
import type { SqlDialect } from '../database.ts';

const extract = (column: string, path: readonly string[]) => `json_extract(${column}, '$.${path.join('.')}')`;

export const DIALECT: SqlDialect = {
  prefix: '',
  clock: `cast(unixepoch('subsec') * 1000 as integer)`,
  place: 'rowid',
  unindexed: '+',
  sliceDays: 1,
  slicesAtOnce: 1,
  elements: 'json_each(?)',
  position: 'instr',
  text: extract,
  integer: extract,
  // It remembers what it parsed last.
  parsed: (column) => column,
  inParsed: extract,
  some: (table, key, condition, most) => `(${key}) in (select ${key} from ${table} where ${condition} limit ${most})`,
  // The clock of this machine is the clock of all.
  believed: () => 'true',
  isAhead: () => 'true',
  // A writing statement holds the whole file.
  unchanging: '',
  durably: 'true',
  lightly: 'true',
};
