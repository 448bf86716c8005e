/**
 * Loaded into a process before it starts (`--import`): its clock, and that of every Node.js process it starts, is
 * CLOCK_AHEAD_MS ahead.
 */
import childProcess from 'node:child_process';

const AHEAD_MS = Number(process.env.CLOCK_AHEAD_MS);
const TrueDate = Date;

globalThis.Date = new Proxy(TrueDate, {
  construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [Date.now()] : args, self),
  get: (target, key) => (key === 'now' ? () => target.now() + AHEAD_MS : Reflect.get(target, key)),
});

interface Spawned {
  spawn(options: { envPairs?: string[] }): unknown;
}

/** A test that gives a program an environment of its own leaves the variables of this file out of it. */
const { prototype } = childProcess.ChildProcess as unknown as { prototype: Spawned };
const { spawn } = prototype;
prototype.spawn = function (options) {
  const preload = `--import=${import.meta.url}`;
  const pairs = options.envPairs ?? [];
  const given = pairs.find((pair) => pair.startsWith('NODE_OPTIONS='))?.slice('NODE_OPTIONS='.length) ?? '';
  if (!given.includes(preload)) {
    const others = pairs.filter((pair) => !/^(?:NODE_OPTIONS|CLOCK_AHEAD_MS)=/.test(pair));
    options.envPairs = [...others, `NODE_OPTIONS=${given} ${preload}`, `CLOCK_AHEAD_MS=${AHEAD_MS}`];
  }
  return spawn.call(this, options);
};
