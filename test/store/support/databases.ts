/** Which databases a file plays, by its name. */
import { expect } from 'vitest';

type Database = 'SQLite' | 'PostgreSQL';

/** `x.test.ts` plays SQLite, `x.postgres.slow.test.ts`, which imports it, the rest; all others play both. */
export function plays(database: Database): boolean {
  const file = expect.getState().testPath ?? '';
  if (file.endsWith('.postgres.slow.test.ts')) return database === 'PostgreSQL';
  return database === 'SQLite' || /\.(?:slow|night)\.test\.ts$/.test(file);
}

/** For `describe.each`. */
export const played = <T extends { readonly name: Database }>(databases: readonly T[]): readonly T[] =>
  databases.filter(({ name }) => plays(name));
