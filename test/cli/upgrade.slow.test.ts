/**
 * The page "Upgrade", played as it is written: from this program, as it is published, to the version that comes after it, and from the
 * oldest tables to this program.
 */
import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../../src/core/version.ts';
import { openPostgresState } from '../../src/store/postgres/state.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { type Cluster, startCluster } from '../campaigns/support/postgres.ts';
import { freePort } from '../http/support/openid.ts';
import { EARLIER } from '../store/support/kept.ts';
import { NEXT, nextVersionTo, PRESENT } from '../support/next-version.ts';
import { buildProgram, folderFor, type Program, serving } from './program.ts';
import { freshState, stateFile } from './screen.ts';

/** The newest version that is kept has not the tables of this one before its release: then this program takes it over first. */
const kept = (version: string) =>
  fileURLToPath(new URL(`../store/kept/${version === PRESENT ? EARLIER : version}`, import.meta.url));
/** The oldest tables that this program converts. */
const OLDEST = '20';
const SCHEMA = 'fareclerk_sandbox';
const HEAD = "select n || ':' || hash as head from $.chain";
const PAGE = readFileSync(new URL('../../docs/guides/running.md', import.meta.url), 'utf8');
const SQLITE_BACKUP = /\bnode -e\b/;

/** The commands of a section, a line each, by the code block that they are in. */
function commandsOf(heading: string): readonly (readonly string[])[] {
  const [, section = ''] = PAGE.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  const blocks = own.matchAll(/^( *)```sh\n([\s\S]*?)^ *```/gm);
  return [...blocks].map(([, indent = '', text = '']) =>
    text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.slice(indent.length)])),
  );
}

let program: Program;
/** The bin of the next version. */
let nextBin: string;
let cluster: Cluster;
beforeAll(async () => {
  program = await buildProgram();
  const folder = folderFor('next');
  nextVersionTo(folder);
  execFileSync(process.execPath, [join(folder, 'scripts', 'build.ts')], { stdio: 'pipe' });
  nextBin = join(folder, 'bin', 'fareclerk.js');
  cluster = await startCluster();
});
afterAll(() => cluster.close());

/** Of every version that is played. */
const TABLES = 'operation event chain note approval booking plan outbox delivery finding lost details'.split(' ');

/** Of servers without sign-in. */
const CALLS = { FARECLERK_HTTP_TOKEN: 'let-me-in-0123456789abcdef-01234' };

/** A place of a state, with what was kept of a version in it. */
interface Place {
  readonly settings: Readonly<Record<string, string>>;
  version(): Promise<string>;
  /** The last link of the journal: `number:hash`. */
  head(): Promise<string>;
  /** All that journal and ledger hold. */
  contents(): Promise<object>;
  /** Follows the page's section Backup. */
  backUp(sh: Shell): Promise<void>;
  /** Puts the state of that version back, as the page says. @param stopped what it held last; returns what it must hold now */
  goBack(sh: Shell, stopped: object): Promise<object>;
}

type Shell = (line: string) => Promise<string>;

function folders() {
  const env = freshState();
  const file = stateFile(env);
  mkdirSync(dirname(file), { mode: 0o700 });
  return { env, file };
}

async function sqlite(version: string): Promise<Place> {
  const { env, file } = folders();
  const from = kept(version);
  copyFileSync(join(from, 'journal.sqlite'), file);
  cpSync(join(from, 'records'), join(dirname(file), 'witness'), { recursive: true });
  const rows = (sql: string, path = file) => {
    using db = new DatabaseSync(path);
    return db.prepare(sql).all();
  };
  rows("update meta set value = 'sandbox' where key = 'airline'");
  if (version === PRESENT) await (await openSqliteState(file)).close();
  rmSync(`${file}.v${EARLIER}`, { force: true });
  const contents = async (path = file) => TABLES.map((table) => rows(`select * from ${table}`, path));
  const copy = `${file}.v${version}`;
  return {
    settings: { ...env, ...CALLS },
    version: async () => String(rows("select value from meta where key = 'schema_version'")[0]?.value),
    head: async () => String(rows(HEAD.replace('$.', ''))[0]?.head),
    contents: () => contents(),
    async backUp(sh) {
      const lines = commandsOf('Backup').find((some) => some.some((line) => SQLITE_BACKUP.test(line))) ?? [];
      expect(lines).toHaveLength(1);
      for (const line of lines) await sh(line);
      rows('select count(*) from operation', join(dirname(file), 'copy.sqlite'));
      expect(existsSync(copy)).toBe(false);
    },
    async goBack(sh, stopped) {
      expect(statSync(copy).mode & 0o777).toBe(0o600);
      copyFileSync(copy, join(dirname(file), 'copy.sqlite'));
      await sh(/^ *(rm -f fareclerk\.sqlite .*)$/m.exec(PAGE)?.[1] ?? 'false');
      return stopped;
    },
  };
}

async function postgres(version: string): Promise<Place> {
  const from = kept(version);
  const { env, file } = folders();
  const database = `clerk_${version}`;
  const url = await cluster.database(database);
  const script = readFileSync(join(from, 'postgres.sql'), 'utf8');
  const sql = (text: string) => cluster.sql(database, text.replaceAll('$.', `${SCHEMA}.`));
  await sql(atSchema(script));
  await sql("update $.meta set value = 'sandbox' where key = 'airline'");
  if (version === PRESENT) await (await openPostgresState(url, { schema: SCHEMA })).close();
  const contents = (schema: string) =>
    Promise.all(TABLES.map(async (table) => [...(await sql(`select * from ${schema}.${table} order by 1, 2`))]));
  cpSync(join(from, 'postgres-records'), join(dirname(file), 'witness'), { recursive: true });
  return {
    settings: { ...env, ...CALLS, FARECLERK_DATABASE_URL: url },
    version: async () => String((await sql("select value from $.meta where key = 'schema_version'"))[0]?.value),
    head: async () => String((await sql(HEAD))[0]?.head),
    contents: () => contents(SCHEMA),
    // The server of the tests comes without pg_dump: this copies the same rows.
    backUp: () => cluster.copy(database, SCHEMA),
    async goBack() {
      await sql(`drop schema ${SCHEMA} cascade`);
      // Of the tables of an earlier version, only the script that was kept knows how they are made.
      if (version === PRESENT) await (await openPostgresState(url, { schema: SCHEMA })).close();
      else await sql(atSchema(script));
      await cluster.putBack(database, SCHEMA);
      return contents('copied');
    },
  };
}

/** A script that was kept, for the schema that the program uses. */
const atSchema = (script: string) =>
  script.replace('create schema kept;', `create schema ${SCHEMA};`).replaceAll('kept.', `${SCHEMA}.`);

/** A shell in the folder of the state, whose `fareclerk` is this version until it is replaced. */
function openShell({ settings }: Place) {
  const folder = dirname(stateFile(settings));
  const bin = join(folder, '..', 'bin');
  mkdirSync(bin);
  const command = (name: string, words: string) =>
    writeFileSync(join(bin, name), `#!/bin/sh\nexec "${process.execPath}" ${words} "$@"\n`, { mode: 0o755 });
  const install = (script: string) => command('fareclerk', `"${script}"`);
  install(program.bin);
  // Not every machine that runs the tests has it.
  command('curl', `-e 'fetch(process.argv.at(-1)).then(async (it) => console.log(await it.text()))' --`);
  const path = [bin, dirname(process.execPath), program.env.PATH].join(':');
  const env = { ...program.env, ...settings, PATH: path };
  /** Fails if the command does. */
  const sh: Shell = (line) =>
    new Promise<string>((resolve, reject) => {
      execFile('bash', ['-euc', `umask 077; ${line}`], { cwd: folder, env }, (error, stdout) =>
        error === null ? resolve(stdout) : reject(error),
      );
    });
  return { sh, install };
}

/** Plays the checks of step 4. @param checks the lines of its block */
async function expectChecked(
  sh: Shell,
  checks: readonly string[],
  { port, head, version }: { readonly port: string; readonly head: string; readonly version: string },
): Promise<void> {
  const played: string[] = [];
  for (const line of checks) played.push(await sh(line.replace('8765', port).replace('number:hash', head)));
  const [doctor = '', ready = '', routes = '', whole = ''] = played;
  expect(doctor.replaceAll(/\s+/g, ' ')).toContain(`schema ${version}`);
  expect(JSON.parse(ready)).toMatchObject({ status: 'ready' });
  expect(routes).toContain('QCA');
  expect(JSON.parse(whole)).toMatchObject({ whole: true });
  expect(JSON.parse(whole)).not.toHaveProperty('expected');
}

/** Goes back as the page says, to all that was there. @param stopped what the state held last */
async function expectLedBack(
  sh: Shell,
  place: Place,
  { stopped, version }: { readonly stopped: object; readonly version: string },
): Promise<void> {
  const expected = await place.goBack(sh, stopped);
  expect(await place.version()).toBe(version);
  expect(await place.contents()).toEqual(expected);
}

describe.each([
  { name: 'SQLite', placed: sqlite },
  { name: 'PostgreSQL', placed: postgres },
])('on $name', ({ placed }) => {
  it('Upgrade takes the state along, waits until both instances are gone, and leads back', async () => {
    const [before = [], after = []] = commandsOf('Upgrade');
    expect([before.length, after.length]).toEqual([2, 4]);
    const place = await placed(PRESENT);
    const { sh, install } = openShell(place);
    const serve = async () => ['serve', '--http', '--port', String(await freePort())];
    const instances = [];
    for (let n = 0; n < 2; n++) instances.push(await serving(program.start(await serve(), place.settings)));

    // 1 and 2, while both work.
    const [version = '', verify = ''] = before;
    expect(await sh(version)).toBe(`${VERSION}\n`);
    const { head } = JSON.parse(await sh(verify));
    await place.backUp(sh);

    // 3: too early twice, then in time.
    install(nextBin);
    for (const left of ['2 programs', '1 program']) {
      const early = await program.run(await serve(), place.settings, nextBin);
      expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining(`in use by ${left} of an earlier`) });
      expect(await place.version()).toBe(PRESENT);
      await instances.shift()?.stop();
    }
    const stopped = await place.contents();
    const argv = await serve();
    const server = await serving(program.start(argv, place.settings, nextBin));
    expect(await place.version()).toBe(NEXT);

    // 4.
    await expectChecked(sh, after, { port: argv.at(-1) ?? '', head, version: NEXT });

    // The way back, to what this version reads.
    await server.stop();
    expect(server.log()).toContain('took over the state of an earlier version');
    install(program.bin);
    await expect(sh('fareclerk journal verify')).rejects.toThrow('by a newer fareclerk');
    await expectLedBack(sh, place, { stopped, version: PRESENT });
    const [, verified = ''] = /`fareclerk (journal verify)`/.exec(PAGE) ?? [];
    expect(JSON.parse(await sh(`fareclerk ${verified} --expect ${head}`))).toMatchObject({ whole: true });
  });

  it('Upgrade takes the oldest state along that it converts, and leads back', async () => {
    const [before = [], after = []] = commandsOf('Upgrade');
    const place = await placed(OLDEST);
    const { sh } = openShell(place);
    // What only reads refuses the earlier state, so that its head is noted with the earlier program.
    await expect(sh(before[1] ?? 'false')).rejects.toThrow('by an earlier fareclerk');
    const head = await place.head();
    expect(head).toMatch(/^[1-9]\d*:[0-9a-f]{64}$/);
    expect(await place.version()).toBe(OLDEST);
    await place.backUp(sh);
    const stopped = await place.contents();

    const port = String(await freePort());
    const server = await serving(program.start(['serve', '--http', '--port', port], place.settings));
    expect(await place.version()).toBe(PRESENT);
    await expectChecked(sh, after, { port, head, version: PRESENT });

    await server.stop();
    expect(server.log()).toContain('took over the state of an earlier version');
    await expectLedBack(sh, place, { stopped, version: OLDEST });
  });
});
