/** The words in which SQLite differs, then its tables, then the check for planted code. */
import { ACTIVE, type Row, type SqlDialect } from '../database.ts';
import { sqliteEventTriggers } from '../event-triggers.ts';
import type { DatabaseCode } from '../opening.ts';
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
  fields: (column) => `json_each(${column})`,
  toObject: (key, value) => `json_group_object(${key}, ${value})`,
  limitedRows: (table, key, condition, most) =>
    `(${key}) in (select ${key} from ${table} where ${condition} limit ${most})`,
  // The clock of this machine is the clock of all.
  isNotAhead: () => 'true',
  isAhead: () => 'true',
  // A writing statement holds the whole file.
  lockingRows: '',
  durably: 'true',
  lightly: 'true',
};

export const SYNTAX: TableSyntax = {
  prefix: '',
  int: 'integer',
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

/** The text of each trigger as SQLite stores it, by name. */
const TRIGGERS = new Map(
  [...TABLES.matchAll(/create trigger ((\w+) [\s\S]*?end);/g)].map(([, text, name]) => [
    name,
    `CREATE TRIGGER ${text}`,
  ]),
);
/** How SQLite writes what has no code. The text of a row decides, not its type, because the text is what runs. */
const WITHOUT_CODE = /^CREATE (?:TABLE|INDEX|UNIQUE INDEX) /;

/** SQL: everything that a file defines, for {@link plantedIn}. */
export const SCHEMA_ROWS = 'select type, name, tbl_name, sql from sqlite_schema where sql is not null';

/** Code that {@link TABLES} did not make. @param age the triggers of an earlier version may have other texts */
export function plantedIn(rows: readonly Row[], age: 'current' | 'earlier'): readonly DatabaseCode[] {
  return rows.flatMap(({ type, name, tbl_name: table, sql }): DatabaseCode[] => {
    const named = String(name);
    const text = String(sql);
    if (WITHOUT_CODE.test(text)) return [];
    const ours = TRIGGERS.get(named);
    if (type === 'trigger' && ours !== undefined && (age === 'earlier' || ours === text)) return [];
    if (/^CREATE VIEW /i.test(text)) return [{ kind: 'view', name: named }];
    if (/^CREATE VIRTUAL TABLE /i.test(text)) return [{ kind: 'table', name: named }];
    return [{ kind: 'trigger', name: named, on: String(table) }];
  });
}
