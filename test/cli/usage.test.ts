import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type CommandInfo, type CommandName, COMMANDS as KNOWN } from '../../src/cli/commands/index.ts';
import { flagOf, SETTING_NAMES, SETTINGS } from '../../src/config/settings.ts';
import { main } from '../../src/main.ts';
import { VERSION } from '../../src/version.ts';
import { freshState, screen } from './screen.ts';

const COMMANDS = Object.keys(KNOWN);

describe('help', () => {
  it.each(COMMANDS)('prints help for %s on stdout, with an example, in 80 columns', async (command) => {
    const { run, stdout, stderr } = screen({});
    expect(await run(command, '--help')).toBe(0);
    expect(stdout()).toMatch(new RegExp(`^usage: fareclerk \\[?${command}`));
    expect(stdout()).toMatch(new RegExp(`^  (?:FARECLERK_\\S+ )?fareclerk ${command}`, 'm'));
    expect(
      stdout()
        .split('\n')
        .filter((line) => line.length > 80),
    ).toEqual([]);
    // One screen.
    expect(stdout().split('\n').length).toBeLessThanOrEqual(40);
    expect(stderr()).toBe('');
  });

  it.each(COMMANDS)('describes each option in the help for %s', async (command) => {
    const { run, stdout } = screen({});
    await run(command, '--help');
    const words = stdout().replaceAll(/\s+/g, ' ');
    const { options } = KNOWN[command as CommandName] as CommandInfo;
    for (const [name, { value, says }] of Object.entries(options)) {
      expect(words).toContain(` --${name}${value === undefined ? '' : ` ${value}`} ${says}`);
    }
  });

  it('lists every command in the help', async () => {
    const { run, stdout } = screen({});
    expect(await run('--help')).toBe(0);
    for (const command of COMMANDS) expect(stdout()).toMatch(new RegExp(`^  ${command} `, 'm'));
    expect(
      stdout()
        .split('\n')
        .filter((line) => line.length > 80),
    ).toEqual([]);
  });

  it('prints the same for `help COMMAND` and `COMMAND --help`, and names that help in errors', async () => {
    const [asked, wrong] = [screen({}), screen({})];
    expect(await asked.run('help', 'journal')).toBe(0);
    expect(asked.stdout()).toMatch(/^usage: fareclerk journal/);
    expect(await wrong.run('journal', '--limt', '5')).toBe(2);
    expect(wrong.stderr()).toContain(' journal --help` lists');
  });

  it('lists every setting in `help settings`, in 80 columns, and points there', async () => {
    const [settings, serve] = [screen({}), screen({})];
    expect(await settings.run('help', 'settings')).toBe(0);
    const lines = settings.stdout().split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    for (const name of SETTING_NAMES) {
      expect(lines).toContain(`  ${SETTINGS[name].secret ? name : flagOf(name)}`);
    }
    await serve.run('serve', '--help');
    expect(serve.stdout()).toContain('`fareclerk help settings`');
  });

  it('names the nearest command for a misspelt one, also after `help`', async () => {
    const [run, help] = [screen({}), screen({})];
    expect([await run.run('docter'), await help.run('help', 'docter')]).toEqual([2, 2]);
    for (const { stderr } of [run, help]) expect(stderr()).toContain('Nearest: doctor.');
  });

  it('says alike in serve, call and approve that the sandbox needs no person', async () => {
    for (const command of ['serve', 'call', 'approve']) {
      const { run, stdout } = screen({});
      await run(command, '--help');
      expect(stdout().replaceAll(/\s+/g, ' ')).toContain('approved by nobody: sandbox');
    }
  });

  it('prints the version with `--version`', async () => {
    const { run, stdout } = screen({});
    expect([await run('--version'), stdout()]).toEqual([0, `${VERSION}\n`]);
  });
});

describe('exit code 2', () => {
  it.each<[string, string[], Record<string, string>, RegExp]>([
    ['an unknown command', ['jurnal'], {}, /Nearest: journal\./],
    ['an unknown option', ['serve', '--base-ulr', 'https://x.example'], {}, /Nearest: --base-url\./],
    ['an option in place of a command', ['--read-onyl'], {}, /Nearest: --read-only\./],
    ['a secret as a flag', ['serve', '--password', 'hunter2'], {}, /FARECLERK_PASSWORD_FILE/],
    ['an unknown variable', ['serve'], { FARECLERK_BASEURL: 'x' }, /FARECLERK_BASE_URL/],
    ['an airline setting without a base', ['serve'], { FARECLERK_API_KEY: 'hunter2' }, /FARECLERK_BASE_URL/],
    ['a call with a tenant but no base', ['call', 'list_routes'], { FARECLERK_TENANT: 'air' }, /FARECLERK_BASE_URL/],
    ['a port without --http', ['serve', '--port', '9'], {}, /go with --http/],
    ['an open address without sign-in', ['serve', '--http', '--host', '0.0.0.0'], {}, /FARECLERK_ISSUER/],
    ['a call without a tool', ['call'], {}, /expected a tool/],
    ['arguments that are not JSON', ['call', 'list_routes', '{from: RUH}'], {}, /not JSON/],
    ['arguments that are not an object', ['call', 'list_routes', '[1]'], {}, /one JSON object/],
    ['an unknown shell', ['completion', 'powershell'], {}, /bash, zsh or fish/],
    [
      'an unknown journal action',
      ['journal', 'burn'],
      {},
      /expected list, show ID, plan \[ID\], verify, reconcile, export, archive FILE, resolve ID or restored/,
    ],
    ['a flag of export with another action', ['journal', 'list', '--csv'], {}, /goes with journal export/],
    ['an export from an invalid day', ['journal', 'export', '--from', 'monday'], {}, /--from: expected a day/],
    [
      'an export that ends before it begins',
      ['journal', 'export', '--from', '2026-12-02', '--to', '2026-12-01'],
      {},
      /after --from/,
    ],
    ['journal show without an id', ['journal', 'show'], {}, /expected one operation id/],
    ['an unknown dialect', ['sandbox', '--dialect', 'bus'], {}, /rail or airline/],
    ['an inventory that does not exist', ['sandbox', '--inventory', '/nowhere'], {}, /nowhere/],
  ])('exits with 2 and writes only to stderr for %s', async (_, argv, env, words) => {
    const { run, stdout, stderr } = screen(env);
    expect(await run(...argv)).toBe(2);
    expect(stdout()).toBe('');
    expect(stderr()).toMatch(words);
    expect(stderr()).not.toContain('hunter2');
  });

  it('exits with 2 for --yes with a real airline', async () => {
    const live = {
      ...freshState(),
      FARECLERK_BASE_URL: 'https://air.example',
      FARECLERK_API_KEY: 'k',
      FARECLERK_CREDENTIALS: 'key',
      FARECLERK_AGENT_ID: 'a',
      FARECLERK_AGENCY_ID: 'b',
      FARECLERK_CURRENCY: 'SAR',
    };
    const { run, stderr } = screen(live);
    expect(await run('call', 'pay_booking', '{}', '--yes')).toBe(2);
    expect(stderr()).toContain('in the sandbox only');
  });
});

it('ends quietly when the reader of stdout closes the pipe, and hides no other failure of it', async () => {
  const stdout = new PassThrough();
  await main(['--version'], { ...process, stdout } as never);
  expect(() => stdout.emit('error', Object.assign(new Error('broken pipe'), { code: 'EPIPE' }))).not.toThrow();
  expect(() => stdout.emit('error', Object.assign(new Error('disk full'), { code: 'ENOSPC' }))).toThrow('disk full');
});
