/** Opens a state file as the program does, and is killed before its n-th statement: `node killed-opening.ts FILE RECORDS NOW N`. */
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';

const [file = '', secondRecords = '', now = '', dies = ''] = process.argv.slice(2);
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
