/** The units of systemd: what they start is started here, with their settings, in a folder in place of /var/lib. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildProgram, folderFor, type Program } from '../cli/program.ts';

const UNITS = new URL('../../deploy/systemd/', import.meta.url);
const folder = folderFor('systemd');
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** All values of a key, in order. */
function valuesOf(unit: string, key: string): readonly string[] {
  const text = readFileSync(new URL(unit, UNITS), 'utf8');
  return [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
}

const SERVICES = readdirSync(UNITS).filter((name) => name.endsWith('.service'));
const TIMERS = readdirSync(UNITS).filter((name) => name.endsWith('.timer'));
const [state, credentials] = ['state', 'credentials'].map((name) => join(folder, name));
/** As systemd writes them out. */
const placed = (text: string): string =>
  text
    .replaceAll('%S', state ?? '')
    .replaceAll('%d', credentials ?? '')
    .replaceAll('%%', '%');

function settingsOf(unit: string): Record<string, string> {
  const pairs = valuesOf(unit, 'Environment').flatMap((line) => placed(line).split(' '));
  return Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]));
}

describe('the units', () => {
  let program: Program;
  beforeAll(async () => {
    program = await buildProgram();
    for (const name of ['fareclerk', 'fareclerk-witness', 'fareclerk-backup'])
      mkdirSync(join(state ?? '', name), { recursive: true });
    mkdirSync(credentials ?? '');
  });

  it('each timer has its service, and the services have one user without rights', () => {
    expect(TIMERS.map((name) => name.replace('.timer', '.service')).filter((name) => !SERVICES.includes(name))).toEqual(
      [],
    );
    expect(TIMERS.length).toBe(2);
    for (const unit of SERVICES) {
      expect([unit, ...valuesOf(unit, 'User')]).toEqual([unit, 'fareclerk']);
      for (const key of ['DynamicUser', 'NoNewPrivileges', 'ProtectHome']) expect(valuesOf(unit, key)).toEqual(['yes']);
    }
    expect(valuesOf('fareclerk.service', 'TimeoutStopSec')).toEqual(['80']);
  });

  it('the server and the check start with exactly these settings, from the same secrets', async () => {
    const secrets = valuesOf('fareclerk.service', 'LoadCredential').map((line) => line.split(':')[0] ?? '');
    expect(valuesOf('fareclerk-verify.service', 'LoadCredential')).toEqual(
      valuesOf('fareclerk.service', 'LoadCredential'),
    );
    expect(settingsOf('fareclerk-verify.service')).toEqual(settingsOf('fareclerk.service'));
    for (const name of secrets)
      writeFileSync(join(credentials ?? '', name), `${name}-0123456789abcdef-0123456789`, { mode: 0o400 });
    const used = Object.entries(settingsOf('fareclerk.service')).filter(([name]) => name.endsWith('_FILE'));
    expect(used.map(([, path]) => path).toSorted()).toEqual(
      secrets.map((name) => join(credentials ?? '', name)).toSorted(),
    );
    const [start = ''] = valuesOf('fareclerk.service', 'ExecStart');
    expect(start).toBe('/opt/fareclerk/node_modules/.bin/node /opt/fareclerk/bin/fareclerk.js serve --http');
  });

  it('the check and the backup do what their commands say, and the backup says when', async () => {
    const { FARECLERK_STATE_DIR = '', FARECLERK_WITNESS_DIR = '' } = settingsOf('fareclerk-verify.service');
    const env = { FARECLERK_STATE_DIR, FARECLERK_WITNESS_DIR, XDG_CONFIG_HOME: join(folder, 'config') };
    const made = await program.run(['call', 'list_bookings'], env);
    expect(made.code).toBe(0);
    const [command = ''] = valuesOf('fareclerk-verify.service', 'ExecStart');
    const checked = await program.run(command.split('fareclerk.js ')[1]?.split(' ') ?? [], env);
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('"whole": true')]);

    // The sandbox keeps its state in a folder of its own; a real airline's is where the unit looks.
    const file = join(FARECLERK_STATE_DIR, 'fareclerk.sqlite');
    new DatabaseSync(join(FARECLERK_STATE_DIR, 'sandbox/fareclerk.sqlite')).exec(`vacuum into '${file}'`);
    const backUp = () => {
      const lines = ['ExecStart', 'ExecStartPost'].flatMap((key) => valuesOf('fareclerk-backup.service', key));
      for (const line of lines) {
        const command = placed(line)
          .replace(/^\+/, '')
          .replace('/opt/fareclerk/node_modules/.bin/node', process.execPath);
        execFileSync('/bin/sh', ['-c', command.replaceAll('\\\\n', '\\n')], { stdio: 'pipe' });
      }
    };
    backUp();
    const copy = new DatabaseSync(join(state ?? '', 'fareclerk-backup/copy.sqlite'), { readOnly: true });
    expect(copy.prepare('select count(*) as n from chain').get()).toEqual({ n: 1 });
    const mark = join(state ?? '', 'fareclerk-metrics/fareclerk.prom');
    const metric = readFileSync(mark, 'utf8');
    expect(Number(/^fareclerk_backup_timestamp_seconds (\d+)\n$/.exec(metric)?.[1])).toBeGreaterThan(
      Date.now() / 1000 - 60,
    );

    copy.close();
    const kept = readFileSync(join(state ?? '', 'fareclerk-backup/copy.sqlite'));
    rmSync(mark);
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
    expect(backUp).toThrow('unable to open database file');
    expect([existsSync(file), existsSync(mark)]).toEqual([false, false]);
    expect(readFileSync(join(state ?? '', 'fareclerk-backup/copy.sqlite')).equals(kept)).toBe(true);
  });
});
