/** The page "Upgrade", played as it is written, with the program as it is published, on a state of an earlier version. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { freePort } from '../server/http/support/openid.ts';
import { buildProgram, ended, type Program } from './program.ts';
import { freshState, stateFile } from './screen.ts';

const KEPT = fileURLToPath(new URL('../store/kept/17', import.meta.url));
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
beforeAll(async () => {
  program = await buildProgram();
});

/** A program of the version before: it says that it works with the state, and ends with SIGTERM. */
const EARLIER_PROGRAM = `
  const { DatabaseSync } = require('node:sqlite');
  const db = new DatabaseSync(process.argv[1]);
  const say = () => db.exec(\`insert or replace into lease values ('program earlier', '17', \${Date.now() + 60_000})\`);
  process.on('SIGTERM', () => { db.exec("delete from lease where name = 'program earlier'"); process.exit(0); });
  setInterval(say, 20_000);
  say();
  console.log('works');`;

/** All that the journal and the ledger of a file hold. */
function contents(file: string) {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = [
      'operation',
      'event',
      'chain',
      'note',
      'approval',
      'booking',
      'plan',
      'outbox',
      'delivery',
      'finding',
    ];
    const rows = (table: string) => db.prepare(`select * from ${table}`).all();
    const version = db.prepare("select value from meta where key = 'schema_version'").get()?.value;
    return { version, rows: Object.fromEntries(tables.map((table) => [table, rows(table)])) };
  } finally {
    db.close();
  }
}

/** A desk with the state of the version before, and a shell in the folder of its state. */
async function openShell() {
  const folders = freshState();
  const file = stateFile(folders);
  const folder = dirname(file);
  mkdirSync(folder, { mode: 0o700 });
  copyFileSync(join(KEPT, 'journal.sqlite'), file);
  cpSync(join(KEPT, 'records'), join(folder, 'witness'), { recursive: true });
  const db = new DatabaseSync(file);
  db.exec("update meta set value = 'sandbox' where key = 'airline'");
  db.close();
  const bin = join(folder, '..', 'bin');
  mkdirSync(bin);
  const command = (name: string, words: string) =>
    writeFileSync(join(bin, name), `#!/bin/sh\nexec "${process.execPath}" ${words} "$@"\n`, { mode: 0o755 });
  command('fareclerk', `"${program.bin}"`);
  // Not every machine that runs the tests has it.
  command('curl', `-e 'fetch(process.argv.at(-1)).then(async (it) => console.log(await it.text()))' --`);
  const path = [bin, dirname(process.execPath), program.env.PATH].join(':');
  const env = { ...program.env, ...folders, PATH: path };
  /** Fails if the command does. */
  const sh = (line: string) =>
    new Promise<string>((resolve, reject) => {
      execFile('bash', ['-euc', `umask 077; ${line}`], { cwd: folder, env }, (error, stdout) =>
        error === null ? resolve(stdout) : reject(error),
      );
    });
  const start = (argv: readonly string[]) => program.start(argv, folders);
  return { file, folder, sh, start, run: (argv: readonly string[]) => program.run(argv, folders) };
}

it('Upgrade takes a state of the earlier version along, waits for its programs, and leads back', async () => {
  const [before = [], after = []] = commandsOf('Upgrade');
  const [backup = []] = commandsOf('Backup').filter((lines) => lines.some((line) => SQLITE_BACKUP.test(line)));
  expect([before.length, after.length, backup.length]).toEqual([2, 4, 1]);
  const { file, folder, sh, start, run } = await openShell();
  const kept = contents(file);
  const earlier = spawn(process.execPath, ['-e', EARLIER_PROGRAM, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void earlier.kill('SIGKILL'));
  await once(earlier.stdout, 'data');

  // 1 and 2, while the earlier program works.
  const [version = '', verify = ''] = before;
  expect(await sh(version)).toBe(`${VERSION}\n`);
  const { head } = JSON.parse(await sh(verify));
  for (const line of backup) await sh(line);
  expect(contents(join(folder, 'copy.sqlite'))).toEqual(kept);

  // 3: too early, then in time.
  const port = await freePort();
  const serve = ['serve', '--http', '--port', String(port)];
  const early = await run(serve);
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('still in use by 1 program of an earlier') });
  expect([contents(file), existsSync(`${file}.v17`)]).toEqual([kept, false]);
  earlier.kill('SIGTERM');
  expect(await once(earlier, 'exit')).toEqual([0, null]);
  const server = start(serve);
  onTestFinished(() => void server.kill('SIGKILL'));
  const over = ended(server);
  let log = '';
  server.stderr?.on('data', (chunk) => {
    log += chunk;
  });
  await expect.poll(() => log).toContain('fareclerk serves MCP on');
  expect(contents(file).version).toBe('20');
  expect(statSync(`${file}.v17`).mode & 0o777).toBe(0o600);

  // 4.
  const played: string[] = [];
  for (const line of after) played.push(await sh(line.replace('8765', String(port)).replace('number:hash', head)));
  const [doctor = '', ready = '', routes = '', whole = ''] = played;
  // Its lines break where they fit the window, by the length of the path before.
  expect(doctor.replaceAll(/\s+/g, ' ')).toMatch(/ok state store \S+: mode 600, schema 20,/);
  expect(JSON.parse(ready)).toMatchObject({ status: 'ready' });
  expect(routes).toContain('QCA');
  expect(JSON.parse(whole)).toMatchObject({ whole: true });
  expect(JSON.parse(whole)).not.toHaveProperty('expected');

  // The way back, to what an earlier program reads.
  server.kill('SIGTERM');
  expect((await over).code).toBe(0);
  expect(log).toContain('took over the state of an earlier version');
  const [putBack = '', verified = ''] = [/^ *(rm -f fareclerk\.sqlite .*)$/m, /`fareclerk (journal verify --all)`/].map(
    (line) => line.exec(PAGE)?.[1],
  );
  copyFileSync(`${file}.v17`, join(folder, 'copy.sqlite'));
  await sh(putBack);
  expect(contents(file)).toEqual(kept);
  expect(JSON.parse(await sh(`fareclerk ${verified}`))).toMatchObject({ whole: true, head });
  expect(contents(file)).toEqual(kept);
});
