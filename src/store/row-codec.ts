/** Fields of a record as columns of a row, and back. JSON columns are text; an absent field is null. */
import type { Row, Value } from './database.ts';

type Kind = 'text' | 'number' | 'json';

export type Columns<T> = { readonly [K in keyof T]-?: readonly [column: string, kind: Kind] };

const DECODE: Readonly<Record<Kind, (value: unknown) => unknown>> = {
  text: String,
  number: Number,
  json: (value) => JSON.parse(String(value)),
};

/** The columns of the fields that are given. */
export function toRow<T extends object>(columns: Columns<T>, fields: Partial<T>): Record<string, Value> {
  const given = Object.entries<Columns<T>[keyof T]>(columns).flatMap(([field, [column, kind]]): [string, Value][] => {
    const value = fields[field as keyof T];
    return value === undefined ? [] : [[column, kind === 'json' ? JSON.stringify(value) : (value as Value)]];
  });
  return Object.fromEntries(given);
}

/** The fields of the columns that the row has and that are not null. */
export function toFields<T extends object>(columns: Columns<T>, row: Row): Partial<T> {
  const given = Object.entries<Columns<T>[keyof T]>(columns).flatMap(([field, [column, kind]]) => {
    const value = row[column] ?? null;
    return value === null ? [] : [[field, DECODE[kind](value)] as const];
  });
  return Object.fromEntries(given) as Partial<T>;
}
