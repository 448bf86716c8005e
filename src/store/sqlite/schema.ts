/** The words in which SQLite differs, then its tables. */
import { ACTIVE, type SqlDialect } from '../database.ts';
import { sqliteEventTriggers } from '../event-triggers.ts';
import { metaTable, type TableSyntax, tablesSql } from '../tables.ts';

const extract = (column: string, path: readonly string[]) => `json_extract(${column}, '$.${path.join('.')}')`;

/** SQLite's words, which {@link SqlDialect} explains one by one. */
export const DIALECT: SqlDialect = {
  prefix: '',
  clock: `cast(unixepoch('subsec') * 1000 as integer)`,
  place: 'rowid',
  unindexed: '+',
  batchRows: 250,
  elements: 'json_each(?)',
  elementsIn: (json) => `json_each(${json})`,
  position: 'instr',
  text: extract,
  integer: extract,
  limitedRows: (table, key, condition, most) =>
    `(${key}) in (select ${key} from ${table} where ${condition} limit ${most})`,
  // The clock of this machine is the clock of all.
  isNotAhead: () => 'true',
  isAhead: () => 'true',
  // A writing statement holds the whole file.
  forUpdate: '',
  durably: 'true',
  mayBeLost: 'true',
};

export const SYNTAX: TableSyntax = {
  prefix: '',
  int: 'integer',
  unlogged: '',
  numbered: 'integer primary key autoincrement',
  clock: DIALECT.clock,
  key: 'text',
  end: 'strict',
  endKeyed: 'strict, without rowid',
};

export const META = metaTable(SYNTAX);

export const TABLES = `${tablesSql(SYNTAX)}
create trigger event_never_changes before update on event begin select raise(abort, 'events are append-only'); end;
create trigger event_never_goes before delete on event begin select raise(abort, 'events are append-only'); end;

create trigger booking_takes_one before insert on operation
when new.${ACTIVE} and exists (select 1 from operation where locator = new.locator and ${ACTIVE})
begin select raise(ignore); end;
${sqliteEventTriggers(DIALECT)}
`;
