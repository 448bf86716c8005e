/** What stands for time and memory and is the same on every machine, so that the gate holds it. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from '../test/support/published-program.ts';
import { mixOf } from './calls.ts';
import { type Bench, counted, type Measure } from './measure.ts';
import { Speaker } from './support/speaker.ts';

const WATCHED = fileURLToPath(new URL('support/watched.cjs', import.meta.url));

/** What support/watched.cjs counts. */
interface Watched {
  readonly intl: number;
  readonly characters: number;
}

export const counts: Measure = {
  name: 'counts',
  about: 'what makes a start and a call slow or large, counted',
  why: 'Each of these once made every start or reply slower, and no clock of a busy machine showed it.',
  async run(bench) {
    const { program, upstream, replies, folder } = bench;
    const [bin = ''] = program.start('').args;
    const dist = join(dirname(bin), '..', 'dist');
    const scripts = readdirSync(dist).filter((name) => name.endsWith('.js'));
    const wide = scripts.flatMap((name) => readFileSync(join(dist, name), 'utf8').match(/[^\0-\u00ff]/g) ?? []);
    const zoned = { ...upstream.settings, FARECLERK_TIME_ZONE: 'Asia/Riyadh' };
    const intl = await Promise.all(
      [upstream.settings, zoned].map((settings) => watched(bench, settings, async (_, seen) => seen().intl)),
    );
    await upstream.answer({ search: replies.largeSearch });
    const [, [tool, args]] = mixOf(replies);
    const passes = await watched(bench, upstream.settings, async (host, seen) => {
      // The first also reads the names of stations.
      await host.call(tool, args);
      const before = seen().characters;
      await host.call(tool, args);
      return (seen().characters - before) / replies.largeSearch.length;
    });
    return [
      counted('characters beyond one byte in dist/*.js', wide.length, '', 0),
      counted(
        'functions compiled at a warm start',
        await compiledFunctions(program.start(folder('warm'), upstream.settings), folder('log')),
        '',
        60,
      ),
      counted('Intl objects before the tool list', Math.max(...intl), '', 0),
      counted('passes over a reply of 226 KB', passes, '×', 8.2),
    ];
  },
};

/** Starts it, lists the tools, and ends it when `use` is over, which can ask what was counted so far. */
async function watched<T>(
  { program, folder }: Bench,
  settings: Command['env'],
  use: (host: Speaker, seen: () => Watched) => Promise<T>,
): Promise<T> {
  const { args, env } = program.start(folder('watched'), settings);
  const file = join(folder('counts'), 'watched.json');
  const host = await Speaker.open({ args: ['--require', WATCHED, ...args], env: { ...env, WATCHED: file } });
  await host.ask('tools/list');
  const result = await use(host, () => JSON.parse(readFileSync(file, 'utf8')));
  await host.end();
  return result;
}

/** How many of the program's own functions V8 compiles until the tools are listed and the client has left, with code of an earlier start. */
async function compiledFunctions({ args, env }: Command, folder: string): Promise<number> {
  // Flags are part of what kept code is valid for, so that both starts have the same. The second writes over the log of the first.
  const flags = ['--log-function-events', '--no-logfile-per-isolate', `--logfile=${join(folder, 'v8.log')}`];
  for (const _ of ['cold', 'warm']) {
    const host = await Speaker.open({ args: [...flags, ...args], env });
    await host.ask('tools/list');
    await host.end();
  }
  const events = readFileSync(join(folder, 'v8.log'), 'utf8')
    .split('\n')
    .map((line) => line.split(','));
  const root = dirname(dirname(args[0] ?? ''));
  const own = new Set(
    events.flatMap(([kind, id, path = '']) => (kind === 'script-details' && path.startsWith(root) ? [id] : [])),
  );
  return events.filter(
    ([kind, event = '', id]) => kind === 'function' && event.startsWith('interpreter') && own.has(id),
  ).length;
}
