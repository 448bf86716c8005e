/**
 * How a state of an earlier version becomes one of this version. A program does that at its start, in one transaction: a copy
 * of the file is made before (SQLite), and no program of an earlier version may work with the state.
 *
 * What only reads (`journal list`, `show`, `verify`, `export`) takes an earlier state as it is. So a migration must leave the
 * columns of the journal that are there, and what it adds needs a default.
 */
import { deskIndexes, openIndex, SCHEMA_VERSION, type Types, topicIndexes } from './tables.ts';

/** SQL that both databases take, by the version that it makes. */
const MIGRATIONS: Readonly<Record<number, (types: Types) => string>> = {
  17: ({ prefix: s }) => `alter table ${s}booking add column people text not null default '';`,
  18: ({ prefix: s, key }) => `${openIndex(s)}
drop index ${s}booking_of_tenant;
${deskIndexes(s)}
alter table ${s}approval add column topic ${key};
alter table ${s}approval add column tool text;
alter table ${s}approval add column replaced_by text;
${topicIndexes(s)}`,
};

/** The oldest version that can be taken over. */
const OLDEST = Math.min(...Object.keys(MIGRATIONS).map(Number)) - 1;

/** Whether {@link migration} can take over a state of this version. */
export function isEarlier(version: number): boolean {
  return version >= OLDEST && version < SCHEMA_VERSION;
}

/** Everything from this version to the present one, with the new number. */
export function migration(from: number, types: Types): string {
  const steps = Object.entries(MIGRATIONS).filter(([to]) => Number(to) > from);
  const number = `update ${types.prefix}meta set value = '${SCHEMA_VERSION}' where key = 'schema_version';`;
  return [...steps.map(([, sql]) => sql(types)), number].join('\n');
}
