/**
 * A state file belongs to one airline and one agency, named by whoever opens it first: operations are settled by reading
 * bookings, and at the wrong airline, or with another agency's login, every one of them would look gone.
 */
import { ClerkError } from '../../errors.ts';
import type { SqliteDatabase } from './database.ts';

/** @throws ClerkError E_CONFIG where the file is another's. */
export function assertAirline(db: SqliteDatabase, file: string, airline: string): void {
  db.run("insert into meta(key, value) values('airline', ?) on conflict do nothing", airline);
  const there = String(db.get("select value from meta where key = 'airline'")?.value);
  if (there === airline) return;
  throw new ClerkError(
    'E_CONFIG',
    `The state file ${file} holds the journal of another airline or agency (${there}, not ${airline}). It was not changed.`,
    {
      next: 'The operator sets FARECLERK_STATE_DIR to a folder for this airline; if it is the same airline at a new address, docs/operations.md says how to tell the file so.',
    },
  );
}
