/**
 * Loaded into a process before it starts (`--import`): its clock, SQLite's in it, the times of its files and in its HTTP replies,
 * and those of every Node.js process it starts are CLOCK_AHEAD_MS ahead.
 */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync } from 'node:sqlite';

const AHEAD_MS = Number(process.env.CLOCK_AHEAD_MS);
const { now } = Date;

Date.now = () => now() + AHEAD_MS;
globalThis.Date = new Proxy(Date, {
  construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [target.now()] : args, self),
});

const { writeHead } = ServerResponse.prototype;
/** Node.js writes the time itself, by a clock that cannot be moved. */
ServerResponse.prototype.writeHead = function (...args: unknown[]) {
  if (this.sendDate && !this.hasHeader('date')) this.setHeader('date', new Date().toUTCString());
  return Reflect.apply(writeHead, this, args);
};

const { statSync, utimesSync } = fs;
/** The program asks for one time of a file alone: how old a copy of its state is. */
Object.assign(fs, {
  statSync: ((...args: Parameters<typeof statSync>) => {
    const stats = statSync(...args);
    if (typeof stats?.mtimeMs === 'number') stats.mtimeMs += AHEAD_MS;
    return stats;
  }) as typeof statSync,
  utimesSync: ((path, accessed, changed) =>
    utimesSync(
      path,
      accessed,
      typeof changed === 'number' ? changed - AHEAD_MS / 1_000 : changed,
    )) as typeof utimesSync,
});
syncBuiltinESMExports();

const moved = new WeakSet<DatabaseSync>();
const { exec, prepare } = DatabaseSync.prototype;
const unmoved = new DatabaseSync(':memory:');

/** Of the times that SQLite knows the program asks for one alone: `unixepoch('subsec')`. Any other it names itself. */
function moveClock(db: DatabaseSync): void {
  if (moved.has(db)) return;
  moved.add(db);
  db.function('unixepoch', { varargs: true }, (...values) => {
    // Between two milliseconds, so that no rounding takes one away.
    if (values[0] === 'subsec') return (Date.now() + 0.5) / 1_000;
    const sql = `select unixepoch(${values.map(() => '?').join()}) as value`;
    return prepare.call(unmoved, sql).get(...values)?.value ?? null;
  });
}

DatabaseSync.prototype.exec = function (sql) {
  moveClock(this);
  exec.call(this, sql);
};
DatabaseSync.prototype.prepare = function (...args) {
  moveClock(this);
  return prepare.apply(this, args);
};

interface Spawned {
  spawn(options: { args?: readonly string[]; envPairs?: string[] }): unknown;
}

/** A test that gives a program an environment of its own leaves the variables of this file out of it. */
const { prototype } = childProcess.ChildProcess as unknown as { prototype: Spawned };
const { spawn } = prototype;
prototype.spawn = function (options) {
  const preload = `--import=${import.meta.url}`;
  const pairs = options.envPairs ?? [];
  const valueIn = (name: string) => pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  const given = valueIn('NODE_OPTIONS') ?? '';
  // One that is not inherited sets another clock than that of the test, from which it was reckoned.
  const own = Number(valueIn('CLOCK_AHEAD_MS') ?? AHEAD_MS);
  const ahead = own === AHEAD_MS ? AHEAD_MS : AHEAD_MS + own;
  const others = pairs.filter((pair) => !/^(?:NODE_OPTIONS|CLOCK_AHEAD_MS)=/.test(pair));
  const loads = given.includes(preload) ? given : `${given} ${preload}`;
  options.envPairs = [...others, `NODE_OPTIONS=${loads}`, `CLOCK_AHEAD_MS=${ahead}`];
  return spawn.call(this, options);
};
