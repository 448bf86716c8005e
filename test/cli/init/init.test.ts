/**
 * `fareclerk init` with a person at the keyboard, against the sandbox airline as a real one: asked, examined, shown,
 * written.
 */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../../src/config/load.ts';
import { startSandbox } from '../../../src/sandbox/start.ts';
import { screen, temporary } from '../screen.ts';

let airline: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => {
  airline = await startSandbox();
});
afterAll(() => airline.close());
afterEach(() => vi.restoreAllMocks());

/** A question, by its end, and what is typed. `undefined` closes the input. */
type Reply = readonly [question: RegExp, typed: string | undefined];

/** Runs a command line. Without replies there is no keyboard. */
async function session(argv: readonly string[], env: Readonly<Record<string, string>>, replies?: readonly Reply[]) {
  const keys = replies?.map(([question, typed]): Reply => [question, typed === undefined ? typed : `${typed}\r`]);
  const it = screen(env, keys && { replies: keys });
  const program = ['/opt/node/bin/node', '/opt/fareclerk/bin/fareclerk.js'];
  Object.assign(it.terminal, { execPath: program[0], argv: program });
  const code = await it.run(...argv);
  const [raw, stdout] = [it.stderr(), it.stdout()];
  return { code, screen: stripVTControlCharacters(raw), raw, stdout, unasked: it.unasked() };
}

/** A home of its own, as Linux has it. */
function home() {
  const folder = temporary('init');
  const env = { HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), FARECLERK_STATE_DIR: join(folder, 'state') };
  return {
    env,
    folder,
    desktop: join(folder, 'config', 'Claude', 'claude_desktop_config.json'),
    profile: join(folder, 'config', 'fareclerk', 'default.env'),
  };
}

const setting = (name: string): string => airline.settings[`FARECLERK_${name}`] ?? '';
const SECRETS = ['API_KEY', 'CLIENT_SECRET', 'PASSWORD'] as const;

const REAL: Reply = [/1-2 \[1\]:$/, '2'];

function interview(over: Partial<Record<string, string>> = {}): Reply[] {
  const typed = (name: string) => over[name] ?? setting(name);
  return [
    [/base address\):$/, typed('BASE_URL')],
    [/both, key or token \[both\]:$/, ''],
    [/Api key \(not shown\):$/, typed('API_KEY')],
    [/without \/realms:$/, typed('AUTH_URL')],
    [/Realm \(short airline name\):$/, typed('TENANT')],
    [/Application id:$/, typed('CLIENT_ID')],
    [/Application secret \(not shown\):$/, typed('CLIENT_SECRET')],
    [/User name:$/, typed('USERNAME')],
    [/Password \(not shown\):$/, typed('PASSWORD')],
    [/Agent id.*:$/, typed('AGENT_ID')],
    [/Agency id.*:$/, typed('AGENCY_ID')],
    [/such as SAR:$/, typed('CURRENCY').toLowerCase()],
    [/routes and calendar.*:$/, typed('GATEWAY_URL')],
    [/ticket downloads.*:$/, ''],
    [/such as HHR:$/, typed('CARRIER')],
    [/one action may move.*:$/, '5000'],
    [/24 hours.*:$/, ''],
  ];
}

describe('init for a real airline', () => {
  it('asks, checks, shows, backs up and writes; no secret is on the screen or in the host’s file', async () => {
    const { env, folder, desktop, profile } = home();
    mkdirSync(dirname(desktop), { recursive: true });
    const others = `{\n\t"theme": "dark",\n\t"mcpServers": {\n\t\t"mail": {"command": "mail", "env": {"MAIL_TOKEN": "xoxb-not-ours"}, "big": 12345678901234567890}\n\t}\n}\n`;
    writeFileSync(desktop, others, { mode: 0o640 });
    const seen = await session(['init', '--host', 'claude-desktop'], env, [
      REAL,
      ...interview(),
      [/Write this\? \(yes\/no\):$/, 'yes'],
    ]);
    expect(seen.unasked, seen.screen).toEqual([]);
    expect(seen.code, seen.screen).toBe(0);

    for (const name of SECRETS) expect(seen.raw).not.toContain(setting(name));
    expect(seen.raw).not.toContain('xoxb-not-ours');
    expect(seen.screen).toMatch(/\+ {4}"fareclerk": \{/);
    expect(seen.screen).toContain('… 1 other server, not touched');
    expect(seen.screen).toContain('Quit Claude Desktop');
    expect(seen.screen).toContain('not the profile. Unset FARECLERK_STATE_DIR.');
    expect(seen.screen).toMatch(/ approve\s+--profile\s+default`/);

    const text = readFileSync(desktop, 'utf8');
    const { theme, mcpServers } = JSON.parse(text);
    expect(theme).toBe('dark');
    expect(mcpServers.mail).toEqual(JSON.parse(others).mcpServers.mail);
    expect(text).toContain('12345678901234567890');
    expect(text).toMatch(/^\{\n\t"theme"/);
    expect(mcpServers.fareclerk).toMatchObject({
      command: '/opt/node/bin/node',
      args: ['/opt/fareclerk/bin/fareclerk.js', 'serve', '--profile', 'default'],
      env: { XDG_CONFIG_HOME: env.XDG_CONFIG_HOME },
    });
    expect(statSync(desktop).mode & 0o777).toBe(0o640);
    const backup = readdirSync(dirname(desktop)).find((name) => name.includes('.before-fareclerk-')) ?? '';
    expect(readFileSync(join(dirname(desktop), backup), 'utf8')).toBe(others);

    const written = readFileSync(profile, 'utf8');
    expect([statSync(profile).mode & 0o777, statSync(dirname(profile)).mode & 0o777]).toEqual([0o600, 0o700]);
    for (const name of SECRETS) {
      expect(text).not.toContain(setting(name));
      expect(written).toContain(setting(name));
    }
    const { airline: read, state, amounts } = readConfig({ FARECLERK_SETTINGS_FILE: profile });
    expect(read).toMatchObject({ baseUrl: setting('BASE_URL'), agencyId: setting('AGENCY_ID'), currency: 'SAR' });
    expect([state.directory, amounts.perAction]).toEqual([join(folder, 'state'), '5000']);
    expect(written).toMatch(/^FARECLERK_WITNESS_DIR=\S+fareclerk-witness$/m);

    const shell = { HOME: folder, XDG_CONFIG_HOME: env.XDG_CONFIG_HOME ?? '' };
    const again = await session(['init', '--host', 'claude-desktop', '--no-check'], shell);
    expect([again.code, again.screen]).toEqual([0, expect.stringContaining('is up to date already')]);
    expect(again.screen).not.toContain('Unset');
    expect(readFileSync(profile, 'utf8')).toBe(written);
    expect(readdirSync(dirname(desktop))).toHaveLength(2);
    const cursor = await session(['init', '--host', 'cursor', '--yes', '--no-check', '--limit-per-day', '9000'], shell);
    expect(cursor.screen).toContain('+FARECLERK_LIMIT_PER_DAY=9000');
    expect(cursor.raw).not.toContain(setting('API_KEY'));
    expect(readConfig({ FARECLERK_SETTINGS_FILE: profile }).amounts).toMatchObject({
      perAction: '5000',
      perDay: '9000',
    });
  });

  it('asks again for a wrong secret that the doctor found, and writes only the right one', async () => {
    const { env, desktop, profile } = home();
    const seen = await session(['init', '--host', 'claude-desktop'], env, [
      REAL,
      ...interview({ API_KEY: 'wrong-key-of-mine' }),
      [/1-3 \[1\]:$/, '1'],
      [/1-2 \[2\]:$/, ''],
      [/base address\) \[http.*\]:$/, ''],
      [/\[both\]:$/, ''],
      [/Api key \(not shown\) \[keep the one that is set\]:$/, setting('API_KEY')],
      ...interview()
        .slice(3)
        .map(([question]): Reply => [new RegExp(question.source.replace(/:\$$/, '.*:$')), '']),
      [/Write this\? \(yes\/no\):$/, 'y'],
    ]);
    expect(seen.unasked, seen.screen).toEqual([]);
    expect(seen.code).toBe(0);
    expect(seen.raw).not.toContain('wrong-key-of-mine');
    expect(existsSync(desktop)).toBe(true);
    const { airline: read } = readConfig({ FARECLERK_SETTINGS_FILE: profile });
    expect(read?.apiKey?.reveal()).toBe(setting('API_KEY'));
  });

  it('takes a hyphen as none where an answer is optional', async () => {
    const { env, profile } = home();
    const given = { ...env, ...airline.settings, FARECLERK_CREDENTIALS: 'key', FARECLERK_LIMIT_PER_DAY: '2000' };
    const argv = ['init', '--host', 'generic', '--no-check'];
    expect((await session([...argv, '--yes'], given)).code).toBe(0);
    const kept = 'base address|Credentials|Api key|Agent|Agency|Currency|routes|downloads|HHR|one action'.split('|');
    const seen = await session(argv, { HOME: env.HOME ?? '', XDG_CONFIG_HOME: env.XDG_CONFIG_HOME ?? '' }, [
      [/1-3 \[3\]:$/, '2'],
      ...kept.map((asks): Reply => [new RegExp(`${asks}.*:$`), '']),
      [/24 hours.* \(- for none\) \[2000\]:$/, '-'],
      [/Write this\? \(yes\/no\):$/, 'yes'],
    ]);
    expect(seen.code, seen.screen).toBe(0);
    expect(seen.screen).toContain('-FARECLERK_LIMIT_PER_DAY=2000');
    expect(readFileSync(profile, 'utf8')).not.toContain('LIMIT_PER_DAY');
  });

  it('asks again after an invalid answer, and after answers that break a rule together', async () => {
    const { env, desktop } = home();
    const replies = interview();
    const seen = await session(['init', '--host', 'claude-desktop', '--no-check'], env, [
      REAL,
      [/base address\):$/, 'air.example'],
      [/base address\):$/, 'http://air.example/ota'],
      ...replies.slice(1),
      [/base address\) \[http:\/\/air\.example\/ota\]:$/, setting('BASE_URL')],
      [/Write this\? \(yes\/no\):$/, 'perhaps'],
      [/Write this\? \(yes\/no\):$/, 'no'],
    ]);
    expect(seen.unasked, seen.screen).toEqual([]);
    expect(seen.screen).toContain('Expected a whole https address');
    expect(seen.screen).toContain('plain http address of another machine');
    expect(seen.code).toBe(1);
    expect(existsSync(desktop)).toBe(false);
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['the end of input', undefined],
  ])('writes nothing after %s', async (_, typed) => {
    const { env, desktop, profile } = home();
    const seen = await session(['init', '--host', 'claude-desktop'], env, [REAL, [/base address\):$/, typed]]);
    expect(seen.code).toBe(1);
    expect(seen.screen).toContain('Nothing was written.');
    expect(existsSync(desktop)).toBe(false);
    expect(existsSync(profile)).toBe(false);
  });
});

describe('init for the sandbox', () => {
  it('needs one answer besides the host', async () => {
    const { env, folder } = home();
    const seen = await session(['init', '--no-check'], env, [
      [/1-2 \[1\]:$/, ''],
      [/1-5 \[1\]:$/, '4'],
      [/Write this\? \(yes\/no\):$/, 'yes'],
    ]);
    expect(seen.code, seen.screen).toBe(0);
    const { mcpServers } = JSON.parse(readFileSync(join(folder, '.cursor', 'mcp.json'), 'utf8'));
    expect(mcpServers.fareclerk).toMatchObject({ args: [expect.any(String), 'serve', '--sandbox'] });
    const { HOME: _, ...rest } = env;
    expect(mcpServers.fareclerk.env).toEqual(rest);
    expect(existsSync(join(folder, 'config', 'fareclerk'))).toBe(false);
  });
});

describe('init without a keyboard', () => {
  const flags = () =>
    `--base-url ${setting('BASE_URL')} --credentials key --agent-id ${setting('AGENT_ID')} --currency SAR`
      .split(' ')
      .concat('--agency-id', setting('AGENCY_ID'));

  it('shows the change, and writes it with --yes; secrets of the environment go into the profile', async () => {
    const { env, desktop, profile } = home();
    const secret = { ...env, FARECLERK_API_KEY: setting('API_KEY') };
    const shown = await session(['init', '--host', 'claude-desktop', '--no-check', ...flags()], secret);
    expect([shown.code, existsSync(desktop), existsSync(profile)]).toEqual([1, false, false]);
    expect(shown.screen).toContain('Use --yes to write it');
    const written = await session(['init', '--host', 'claude-desktop', '--no-check', '--yes', ...flags()], secret);
    expect(written.code, written.screen).toBe(0);
    expect(readFileSync(desktop, 'utf8')).not.toContain(setting('API_KEY'));
    expect(written.raw).not.toContain(setting('API_KEY'));
    expect(statSync(desktop).mode & 0o777).toBe(0o600);
    expect(readFileSync(profile, 'utf8')).toContain(setting('API_KEY'));
  });

  it('prints the lines for a generic host on stdout, and messages on stderr', async () => {
    const { env } = home();
    const seen = await session(['init', '--host', 'generic', '--no-check'], env);
    expect(seen.code).toBe(0);
    expect(JSON.parse(seen.stdout)).toMatchObject({
      mcpServers: { fareclerk: { args: [expect.any(String), 'serve', '--sandbox'] } },
    });
  });

  it('writes absolute paths, and leaves out the settings of HTTP mode', async () => {
    const { env, folder } = home();
    const argv = [
      'init',
      '--host',
      'generic',
      '--no-check',
      '--state-dir',
      './state',
      '--public-url',
      'https://x.example',
    ];
    const seen = await session(argv, { HOME: folder, XDG_CONFIG_HOME: env.XDG_CONFIG_HOME ?? '' });
    expect(JSON.parse(seen.stdout).mcpServers.fareclerk.env).toEqual({
      XDG_CONFIG_HOME: env.XDG_CONFIG_HOME,
      FARECLERK_STATE_DIR: join(process.cwd(), 'state'),
    });
  });

  it('ends if the doctor finds a problem', async () => {
    const { env, desktop } = home();
    const seen = await session(['init', '--host', 'claude-desktop', '--yes', ...flags()], {
      ...env,
      FARECLERK_API_KEY: 'wrong',
    });
    expect([seen.code, existsSync(desktop)], seen.screen).toEqual([1, false]);
    expect(seen.screen).toContain('Nothing was written.');
  });

  it('keeps the airline of a profile, and sets up another one beside it', async () => {
    const { env, folder, profile } = home();
    const base = { HOME: folder, XDG_CONFIG_HOME: env.XDG_CONFIG_HOME ?? '', FARECLERK_API_KEY: setting('API_KEY') };
    const init = (...more: string[]) =>
      session(['init', '--host', 'generic', '--no-check', '--yes', ...flags(), ...more], base);
    expect((await init()).code).toBe(0);
    const first = readFileSync(profile, 'utf8');
    const other = await init('--agency-id', 'Another');
    expect([other.code, other.screen]).toEqual([1, expect.stringContaining('Nothing was written.')]);
    expect(other.screen).toMatch(/Add --profile NAME to set up .* beside it\.\n/);
    expect(readFileSync(profile, 'utf8')).toBe(first);
    const beside = await init('--agency-id', 'Another', '--profile', 'second');
    expect(JSON.parse(beside.stdout).mcpServers.fareclerk.args.slice(-2)).toEqual(['--profile', 'second']);
    const states = [profile, profile.replace('default', 'second')].map(
      (file) => readConfig({ FARECLERK_SETTINGS_FILE: file }).state.directory,
    );
    expect(new Set(states).size).toBe(2);
  });

  it('keeps limits, folders and comments of a profile whose airline is set up again, and a copy of it', async () => {
    const { env, folder, profile } = home();
    const base = { HOME: folder, XDG_CONFIG_HOME: env.XDG_CONFIG_HOME ?? '', FARECLERK_API_KEY: setting('API_KEY') };
    const init = (own: object, ...more: string[]) =>
      session(['init', '--host', 'generic', '--no-check', '--yes', ...flags(), ...more], { ...base, ...own });
    expect((await init(env, '--read-only', 'true', '--limit-per-action', '500')).code).toBe(0);
    const before = `# Ask Nadia first.\n${readFileSync(profile, 'utf8')}`;
    writeFileSync(profile, before);
    chmodSync(profile, 0o644);
    const copies = () => readdirSync(dirname(profile)).filter((name) => name.includes('.before-fareclerk-'));

    const { screen } = await init({});
    expect(screen).toContain(`${profile} is up to date already.\nEvery user of this machine can read it.`);
    expect([readFileSync(profile, 'utf8'), copies()]).toEqual([before, []]);

    expect((await init({}, '--limit-per-action', '900')).code).toBe(0);
    expect(readFileSync(profile, 'utf8')).toBe(before.replace('ACTION=500', 'ACTION=900'));
    const [copy = ''] = copies();
    expect(readFileSync(join(dirname(profile), copy), 'utf8')).toBe(before);
  });

  it('moves a secret into a file, and takes an empty variable as unset', async () => {
    const { env, folder, profile } = home();
    const [key, settings] = [join(folder, 'key'), join(folder, 'settings.env')];
    writeFileSync(key, setting('API_KEY'));
    writeFileSync(settings, `FARECLERK_API_KEY=${setting('API_KEY')}\nFARECLERK_LIMIT_PER_DAY=2000\n`, { mode: 0o600 });
    const argv = ['init', '--host', 'generic', '--no-check', '--yes'];
    const given = { ...env, FARECLERK_SETTINGS_FILE: settings, FARECLERK_LIMIT_PER_DAY: '' };
    expect((await session([...argv, ...flags()], given)).code).toBe(0);
    const moved = await session(argv, { ...env, FARECLERK_API_KEY_FILE: key });
    expect(moved.code, moved.screen).toBe(0);
    const written = readFileSync(profile, 'utf8');
    expect(written).toContain(`FARECLERK_API_KEY_FILE=${key}\n`);
    expect(written).toContain('FARECLERK_LIMIT_PER_DAY=2000\n');
    expect(written).not.toContain(setting('API_KEY'));
  });

  it.skipIf(process.platform === 'win32').each(['HOME', 'XDG_CONFIG_HOME'])(
    'writes no profile if %s belongs to another user',
    async (name) => {
      const { env, profile } = home();
      const theirs = temporary('theirs');
      if (process.getuid?.() === 0) chownSync(theirs, 4711, 4711);
      vi.spyOn(process, 'geteuid').mockReturnValue(4712);
      const shell = { ...env, FARECLERK_API_KEY: setting('API_KEY'), [name]: theirs };
      const seen = await session(['init', '--host', 'generic', '--no-check', '--yes', ...flags()], shell);
      expect(seen.code).not.toBe(0);
      expect(seen.screen).toContain(`${theirs} belongs to another user`);
      expect([existsSync(profile), readdirSync(theirs)]).toEqual([false, []]);
    },
  );

  it('sets up the sandbox with --sandbox, and keeps the profile', async () => {
    const { env, profile } = home();
    const secret = { ...env, FARECLERK_API_KEY: setting('API_KEY') };
    await session(['init', '--host', 'generic', '--no-check', '--yes', ...flags()], secret);
    const before = readFileSync(profile, 'utf8');
    const { XDG_CONFIG_HOME = '', HOME = '' } = env;
    const seen = await session(['init', '--host', 'generic', '--no-check', '--sandbox'], { XDG_CONFIG_HOME, HOME });
    expect(JSON.parse(seen.stdout).mcpServers.fareclerk).toMatchObject({
      args: [expect.any(String), 'serve', '--sandbox'],
      env: { XDG_CONFIG_HOME },
    });
    expect(readFileSync(profile, 'utf8')).toBe(before);
  });

  it('puts no secret into the entry of a sandbox', async () => {
    const { env } = home();
    const secret = { ...env, FARECLERK_DATABASE_URL: 'postgres://clerk:hunter2@db.example/air' };
    const seen = await session(['init', '--host', 'generic', '--no-check'], secret);
    expect([seen.code, seen.screen]).toEqual([2, expect.stringContaining('FARECLERK_DATABASE_URL_FILE')]);
    expect(seen.screen + seen.stdout).not.toContain('hunter2');
  });

  it('finds the folder of --project in the home folder of the person', async () => {
    const argv = ['init', '--host', 'claude-code', '--no-check', '--sandbox', '--project=~/no-such-desk'];
    expect((await session(argv, home().env)).screen).toContain(`+++ ${join(homedir(), 'no-such-desk', '.mcp.json')}`);
  });
});
