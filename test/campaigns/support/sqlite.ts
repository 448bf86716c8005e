/** What lies in a SQLite file, read beside the program that writes it. */
import { DatabaseSync } from 'node:sqlite';

export function readFrom<T>(file: string, read: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

export const tablesIn = (db: DatabaseSync): readonly string[] =>
  db
    .prepare("select name from sqlite_schema where type = 'table'")
    .all()
    .map(({ name }) => String(name));
