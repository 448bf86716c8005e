/** The tables on SQLite. */
import { ACTIVE } from '../database.ts';
import { sqliteEventTriggers } from '../event-triggers.ts';
import { metaTable, type Types, tables } from '../tables.ts';
import { DIALECT } from './dialect.ts';

export const TYPES: Types = {
  prefix: '',
  int: 'integer',
  numbered: 'integer primary key autoincrement',
  clock: DIALECT.clock,
  key: 'text',
  end: 'strict',
  endKeyed: 'strict, without rowid',
};

export const META = metaTable(TYPES);

export const TABLES = `${tables(TYPES)}
create trigger event_never_changes before update on event begin select raise(abort, 'events are append-only'); end;
create trigger event_never_goes before delete on event begin select raise(abort, 'events are append-only'); end;

create trigger booking_takes_one before insert on operation
when new.${ACTIVE} and exists (select 1 from operation where locator = new.locator and ${ACTIVE})
begin select raise(ignore); end;
${sqliteEventTriggers(DIALECT)}
`;
