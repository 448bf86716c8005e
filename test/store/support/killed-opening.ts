/** Opens a state file as the program in a folder does, and is killed before its n-th statement: `node killed-opening.ts FOLDER FILE RECORDS NOW N`. */
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type * as Sqlite from '../../../src/store/sqlite/state.ts';

const [folder = '', file = '', secondRecords = '', now = '', dies = ''] = process.argv.slice(2);
const { openSqliteState }: typeof Sqlite = await import(pathToFileURL(join(folder, 'src/store/sqlite/state.ts')).href);
let counted = 0;

function counting<T extends object>(prototype: T, name: keyof T): void {
  const own = prototype[name] as (...args: unknown[]) => unknown;
  prototype[name] = function (this: T, ...args: unknown[]) {
    counted += 1;
    if (counted === Number(dies)) process.kill(process.pid, 'SIGKILL');
    return own.apply(this, args);
  } as T[keyof T];
}

counting(DatabaseSync.prototype, 'exec');
for (const name of ['get', 'all', 'run'] as const) counting(StatementSync.prototype, name);
const state = await openSqliteState(file, { secondRecords, now: () => Number(now), airline: 'kept' });
await state.close();
