/** What acts by itself in the schema, and what of it this program did not make. */
import type { Row } from '../database.ts';
import type { DatabaseCode } from '../planted-code.ts';
import { eventTriggersOf, functionsOf, schemaOf } from './schema.ts';

/**
 * Views, materialized views, foreign tables and rules stand in for tables; a policy hides rows. `internal` triggers belong to
 * foreign keys, and run functions of the system. `extends`: of an extension, which may have been installed in this schema.
 */
export const codeIn = (s: string): string => `
with ours as (select oid from pg_namespace where nspname = '${s}'),
  extension as (select classid, objid from pg_depend where deptype = 'e'),
  code as (
    select 'trigger' as kind, t.tgname as name, c.relname as at,
      case when p.pronamespace in (select oid from ours) then p.proname::text end as runs, false as extends
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
    where c.relnamespace in (select oid from ours)
      and (not t.tgisinternal or p.pronamespace <> 'pg_catalog'::regnamespace)
    union all select 'function', p.proname, null, p.prosrc, ('pg_proc'::regclass, p.oid) in (select classid, objid from extension)
    from pg_proc p where p.pronamespace in (select oid from ours)
    union all select case c.relkind when 'f' then 'table' else 'view' end, c.relname, null, null,
      ('pg_class'::regclass, c.oid) in (select classid, objid from extension)
    from pg_class c where c.relnamespace in (select oid from ours) and c.relkind in ('v', 'm', 'f')
    union all select 'rule', r.rulename, c.relname, null, false from pg_rewrite r join pg_class c on c.oid = r.ev_class
    where c.relnamespace in (select oid from ours) and c.relkind not in ('v', 'm')
    union all select 'policy', p.polname, c.relname, null, false from pg_policy p join pg_class c on c.oid = p.polrelid
    where c.relnamespace in (select oid from ours)
  )
select code.*, (select value from ${s}.meta where key = 'functions') as functions from code`;

/** What {@link schemaOf} did not make. `digest`: of our functions; those that another version of the program made may differ. */
export function plantedIn(rows: readonly Row[], s: string, digest: string): readonly DatabaseCode[] {
  const [triggers, functions] = [triggersIn(s), functionsIn(s)];
  const isOurs = ({ kind, name, at, runs, extends: isOfExtension, functions: made }: Row): boolean => {
    if (kind === 'trigger') return triggers.has(`${name} ${at} ${runs}`);
    // One of our name would run in place of ours.
    if (kind !== 'function' || !functions.has(String(name))) return isOfExtension === true;
    return made !== digest || functions.get(String(name)) === runs;
  };
  return rows
    .filter((row) => !isOurs(row))
    .map(({ kind, name, at }) => ({
      kind: kind as DatabaseCode['kind'],
      name: String(name),
      ...(at !== null && { on: String(at) }),
    }));
}

/** By name; PostgreSQL keeps the body as it was written. */
function functionsIn(s: string): ReadonlyMap<string, string> {
  const made = functionsOf(s).matchAll(new RegExp(`function ${s}\\.(\\w+)\\([^$]*?\\bas \\$\\$([^]*?)\\$\\$`, 'g'));
  return new Map([...made].map(([, name = '', body = '']) => [name, body]));
}

/** `NAME TABLE FUNCTION`. A trigger with another condition is one of the same name. */
function triggersIn(s: string): ReadonlySet<string> {
  const text = schemaOf(s) + eventTriggersOf(s);
  const made = text.matchAll(
    new RegExp(
      `trigger (\\w+) (?:before|after) [^;]*? on ${s}\\.(\\w+)[^;]*?execute function ${s}\\.(\\w+)\\(\\)`,
      'g',
    ),
  );
  return new Set([...made].map(([, name, at, runs]) => `${name} ${at} ${runs}`));
}
