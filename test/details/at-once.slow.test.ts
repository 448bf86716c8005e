/** Several processes submit the same cards at once and are killed: each card is kept once, as one of them sealed it. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { openPostgresState } from '../../src/store/postgres/state.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { scratch } from '../store/support/journals.ts';
import { suiteDatabase } from '../store/support/suite-database.ts';
import { atNight } from '../support/whole.ts';
import { detailsOf } from './store-suite.ts';

const CARDS = atNight(40, 20);
const PROCESSES = atNight(4, 2);
const run = promisify(execFile);
const { url, freshSchema, ends } = suiteDatabase();
const folder = scratch('details');
afterAll(() => folder.remove());

interface Killed {
  readonly signal?: string;
  readonly stdout: string;
}

const source = (path: string) => JSON.stringify(join(import.meta.dirname, '../../src/store', path));

function sqlite() {
  const file = folder.at('state.sqlite');
  return { state: openSqliteState(file), opening: ['sqlite/state.ts', 'openSqliteState', [file]] as const };
}

function postgres() {
  const schema = freshSchema();
  const opening = ['postgres/state.ts', 'openPostgresState', [url(), { schema }]] as const;
  return { state: openPostgresState(url(), { schema }), opening };
}

describe.each([
  { name: 'SQLite', office: sqlite },
  { name: 'PostgreSQL', office: postgres },
])('on $name', ({ office }) => {
  test(`${PROCESSES} processes that submit ${CARDS} cards at once, then die, keep each of them once`, async () => {
    const { state: opened, opening } = office();
    const state = ends(await opened);
    const form = detailsOf('at once', state.clock?.now() ?? Date.now(), CARDS);
    await state.details.open(form);
    const [path, name, args] = opening;
    const start = Date.now() + 2000;
    const work = (me: number) => `
      const { ${name} } = await import(${source(path)});
      const state = await ${name}(...${JSON.stringify(args)});
      await new Promise((go) => setTimeout(go, ${start} - Date.now()));
      const won = [];
      for (let card = 0; card < ${CARDS}; card++) {
        const now = state.clock?.now() ?? Date.now();
        if (await state.details.submit(${JSON.stringify(form.idHash)}, card, 'by-${me}', now)) won.push([card, 'by-${me}']);
      }
      console.log(JSON.stringify(won));
      process.kill(process.pid, 'SIGKILL');`;
    const all = Array.from({ length: PROCESSES }, (_, me) =>
      run(process.execPath, ['--input-type=module', '-e', work(me)]).catch((killed: Killed) => killed),
    );
    const ended = (await Promise.all(all)) as readonly Killed[];
    expect(ended.map(({ signal }) => signal)).toEqual(Array(PROCESSES).fill('SIGKILL'));
    const won = ended.flatMap(({ stdout }) => JSON.parse(stdout) as [number, string][]);
    const byCard = (one: readonly [number, string], other: readonly [number, string]) => one[0] - other[0];
    const kept = await state.details.find(form.idHash, state.clock?.now() ?? Date.now());
    expect(won.toSorted(byCard).map(([card]) => card)).toEqual(Array.from({ length: CARDS }, (_, card) => card));
    expect([...(kept?.cards ?? [])].toSorted(byCard)).toEqual(won.toSorted(byCard));
  });
});
