/**
 * `fareclerk init` with a person at the keyboard, against the sandbox airline as a real one: asked, examined, shown,
 * written.
 */
import { chownSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { registryEntry } from '../../../scripts/manifests.ts';
import { readConfig } from '../../../src/config/load.ts';
import { startSandbox } from '../../../src/sandbox/addresses/start.ts';
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
    profile: join(folder, 'config', 'fareclerk', 'default.env'),
  };
}

const setting = (name: string): string => airline.settings[`FARECLERK_${name}`] ?? '';
/** What a client of the registry asks for, but for the file with more settings: the profile is one itself. */
const ASKED = registryEntry()
  .packages.flatMap(({ environmentVariables }) => environmentVariables.map(({ name }) => name))
  .filter((name) => name !== 'FARECLERK_SETTINGS_FILE');
const SECRETS = ['API_KEY', 'CLIENT_SECRET', 'PASSWORD'] as const;

const REAL: Reply = [/1-2 \[1\]:$/, '2'];

const named = (name: string, rest = ''): RegExp => new RegExp(`\\(FARECLERK_${name}\\)${rest}:$`);

function interview(over: Partial<Record<string, string>> = {}): Reply[] {
  const typed = (name: string) => over[name] ?? setting(name);
  const asked = (...names: readonly string[]) => names.map((name): Reply => [named(name), typed(name)]);
  const hidden = (name: string): Reply => [named(name, ' \\(not shown\\)'), typed(name)];
  return [
    ...asked('BASE_URL'),
    [named('CREDENTIALS', ' \\[both\\]'), ''],
    hidden('API_KEY'),
    ...asked('AUTH_URL', 'CLIENT_ID'),
    hidden('CLIENT_SECRET'),
    ...asked('USERNAME'),
    hidden('PASSWORD'),
    ...asked('AGENT_ID', 'AGENCY_ID'),
    [named('CURRENCY'), typed('CURRENCY').toLowerCase()],
    [named('TOOLSET', ' \\[plans\\]'), over.TOOLSET ?? ''],
    [named('LIMIT_PER_ACTION'), '5000'],
    ...asked('GATEWAY_URL'),
    [named('REST_URL'), ''],
  ];
}

describe('init for a real airline', () => {
  it('asks, checks, shows and writes; no secret is on the screen or in the file of the host', async () => {
    const { env, folder, profile } = home();
    const seen = await session(['init', '--host', 'claude-desktop'], env, [
      REAL,
      ...interview(),
      [/Write this\? \(yes\/no\):$/, 'yes'],
    ]);
    expect([seen.code, seen.unasked], seen.screen).toEqual([0, []]);

    for (const name of SECRETS) expect(seen.raw).not.toContain(setting(name));
    const shown = ['Quit Claude Desktop', 'not the profile. Unset FARECLERK_STATE_DIR.'];
    for (const words of shown) expect(seen.screen).toContain(words);
    // Three lines of the checks; the doctor shows the rest.
    expect(seen.screen).toMatch(/\d+ checks? passed\.\n`[^`]* doctor\s+--profile\s+default` shows each check\.\n/);
    expect(seen.screen).not.toMatch(/^ {2}(?:ok|warn) /m);
    const hostFile = readFileSync(join(env.XDG_CONFIG_HOME, 'Claude', 'claude_desktop_config.json'), 'utf8');
    expect(JSON.parse(hostFile).mcpServers.fareclerk).toEqual({
      command: '/opt/node/bin/node',
      args: ['/opt/fareclerk/bin/fareclerk.js', 'serve', '--profile', 'default'],
      env: { XDG_CONFIG_HOME: env.XDG_CONFIG_HOME },
    });

    const written = readFileSync(profile, 'utf8');
    expect([statSync(profile).mode & 0o777, statSync(dirname(profile)).mode & 0o777]).toEqual([0o600, 0o700]);
    for (const name of SECRETS) {
      expect(hostFile).not.toContain(setting(name));
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
    const cursor = await session(['init', '--host', 'cursor', '--yes', '--no-check', '--limit-per-day', '9000'], shell);
    expect(cursor.screen).toContain('+FARECLERK_LIMIT_PER_DAY=9000');
    expect(cursor.raw).not.toContain(setting('API_KEY'));
    expect(readConfig({ FARECLERK_SETTINGS_FILE: profile }).amounts).toMatchObject({
      perAction: '5000',
      perDay: '9000',
    });
  });

  it('asks again for a wrong secret that the doctor found, and writes only the right one', async () => {
    const { env, profile } = home();
    const seen = await session(['init', '--host', 'claude-desktop'], env, [
      REAL,
      ...interview({ API_KEY: 'wrong-key-of-mine' }),
      [/1-3 \[1\]:$/, '1'],
      [/1-2 \[2\]:$/, ''],
      [named('BASE_URL', ' \\[http.*\\]'), ''],
      [named('CREDENTIALS', ' \\[both\\]'), ''],
      [named('API_KEY', ' \\(not shown\\) \\[keep the one that is set\\]'), setting('API_KEY')],
      ...ASKED.slice(3).map((name): Reply => [new RegExp(`\\(${name}[;)].*:$`), '']),
      [/Write this\? \(yes\/no\):$/, 'y'],
    ]);
    expect([seen.code, seen.unasked], seen.screen).toEqual([0, []]);
    expect(seen.raw).not.toContain('wrong-key-of-mine');
    const { airline: read } = readConfig({ FARECLERK_SETTINGS_FILE: profile });
    expect(read?.apiKey?.reveal()).toBe(setting('API_KEY'));
  });

  it('asks for the settings of the form, each by its name', async () => {
    const { env, profile } = home();
    const seen = await session(['init', '--host', 'generic', '--no-check'], env, [
      REAL,
      ...interview({ TOOLSET: 'core' }),
      [/Write this\? \(yes\/no\):$/, 'yes'],
    ]);
    expect([seen.code, seen.unasked], seen.screen).toEqual([0, []]);
    const asked = seen.screen.match(/\((FARECLERK_[A-Z_]+)\)/g)?.map((name) => name.slice(1, -1)) ?? [];
    expect(asked).toEqual(ASKED);
    expect(readFileSync(profile, 'utf8')).toContain('TOOLSET=core');
  });

  it('takes a hyphen as none where an answer is optional', async () => {
    const { env, profile } = home();
    const given = { ...env, ...airline.settings, FARECLERK_CREDENTIALS: 'key', FARECLERK_LIMIT_PER_ACTION: '2000' };
    const argv = ['init', '--host', 'generic', '--no-check'];
    expect((await session([...argv, '--yes'], given)).code).toBe(0);
    const kept = ASKED.filter((name) => !/AUTH|CLIENT|USERNAME|PASSWORD|LIMIT/.test(name));
    const at = kept.indexOf('FARECLERK_GATEWAY_URL');
    const keep = (names: readonly string[]) => names.map((name): Reply => [new RegExp(`\\(${name}[;)].*:$`), '']);
    const seen = await session(argv, { HOME: env.HOME ?? '', XDG_CONFIG_HOME: env.XDG_CONFIG_HOME ?? '' }, [
      [/1-3 \[3\]:$/, '2'],
      ...keep(kept.slice(0, at)),
      [/\(FARECLERK_LIMIT_PER_ACTION; - for none\) \[2000\]:$/, '-'],
      ...keep(kept.slice(at)),
      [/Write this\? \(yes\/no\):$/, 'yes'],
    ]);
    expect(seen.code, seen.screen).toBe(0);
    expect(seen.screen).toContain('-FARECLERK_LIMIT_PER_ACTION=2000');
    expect(readFileSync(profile, 'utf8')).not.toContain('LIMIT_PER_ACTION');
  });

  it('asks again after an invalid answer, and after answers that break a rule together', async () => {
    const { env, profile } = home();
    const replies = interview();
    const seen = await session(['init', '--host', 'claude-desktop'], env, [
      REAL,
      [named('BASE_URL'), 'air.example'],
      [named('BASE_URL'), 'http://air.example/ota'],
      ...replies.slice(1, 8),
      [named('AGENT_ID'), setting('BASE_URL')],
      ...replies.slice(8),
      [/1-2 \[2\]:$/, ''],
      [named('BASE_URL', ' \\[http://air\\.example/ota\\]'), setting('BASE_URL')],
      ...ASKED.slice(1).map((name): Reply => [new RegExp(`\\(${name}[;)].*:$`), '']),
      [/Write this\? \(yes\/no\):$/, 'perhaps'],
      [/Write this\? \(yes\/no\):$/, 'no'],
    ]);
    expect([seen.code, seen.unasked, existsSync(profile), seen.stdout], seen.screen).toEqual([1, [], false, '']);
    expect(seen.screen).toContain('Expected a whole https address');
    expect(seen.screen).toContain('plain http address');
    expect(seen.screen).toContain('the id that the airline gave the seller, such as A1, and not an address');
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['the end of input', undefined],
  ])('writes nothing after %s', async (_, typed) => {
    const { env, profile } = home();
    const seen = await session(['init', '--host', 'claude-desktop'], env, [REAL, [named('BASE_URL'), typed]]);
    expect([seen.code, seen.stdout, existsSync(profile)]).toEqual([1, '', false]);
    expect(seen.screen).toContain('Nothing was written.');
  });
});

describe('init for the sandbox', () => {
  it('needs one answer besides the host, and a yes to its file', async () => {
    const { env, folder } = home();
    const seen = await session(['init', '--no-check'], env, [
      [/1-2 \[1\]:$/, ''],
      [/1-9 \[1\]:$/, '7'],
      [/Write this\? \(yes\/no\):$/, 'yes'],
    ]);
    expect(seen.code, seen.screen).toBe(0);
    const file = join(folder, '.codeium', 'windsurf', 'mcp_config.json');
    const { mcpServers } = JSON.parse(readFileSync(file, 'utf8'));
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

  /** A home whose shell has the key of the airline. `init` sets up that airline; `plain` what its words say. */
  function desk() {
    const place = home();
    const shell = { HOME: place.folder, XDG_CONFIG_HOME: place.env.XDG_CONFIG_HOME };
    const key = { FARECLERK_API_KEY: setting('API_KEY') };
    const plain = (env: Readonly<Record<string, string>>, host: string, ...more: readonly string[]) =>
      session(['init', '--host', host, '--no-check', ...more], env);
    const init = (...more: readonly string[]) => plain({ ...shell, ...key }, 'generic', '--yes', ...flags(), ...more);
    const entry = ({ stdout }: { stdout: string }) => JSON.parse(stdout).mcpServers.fareclerk;
    return { ...place, shell, key, plain, init, entry };
  }

  it('shows the change, and writes it with --yes; secrets of the environment go into the profile', async () => {
    const { env, profile, plain, key } = desk();
    const shown = await plain({ ...env, ...key }, 'claude-desktop', ...flags());
    expect([shown.code, shown.stdout, existsSync(profile)]).toEqual([1, '', false]);
    expect(shown.screen).toContain('Use --yes to write it');
    const written = await plain({ ...env, ...key }, 'claude-desktop', '--yes', ...flags());
    expect(written.code, written.screen).toBe(0);
    expect(written.stdout + written.raw).not.toContain(key.FARECLERK_API_KEY);
    expect(readFileSync(profile, 'utf8')).toContain(key.FARECLERK_API_KEY);
  });

  it('prints the lines for a generic host on stdout, with absolute paths and without the settings of HTTP mode', async () => {
    const { plain, shell, entry } = desk();
    const made = await plain(shell, 'generic', '--state-dir', './state', '--public-url', 'https://x.example');
    expect([made.code, entry(made).args.slice(1)]).toEqual([0, ['serve', '--sandbox']]);
    expect(entry(made).env).toEqual({
      XDG_CONFIG_HOME: shell.XDG_CONFIG_HOME,
      FARECLERK_STATE_DIR: join(process.cwd(), 'state'),
    });
  });

  it('ends if the doctor finds a problem', async () => {
    const { env, profile } = home();
    const wrong = { ...env, FARECLERK_API_KEY: 'wrong' };
    const seen = await session(['init', '--host', 'claude-desktop', '--yes', ...flags()], wrong);
    expect([seen.code, seen.stdout, existsSync(profile)], seen.screen).toEqual([1, '', false]);
    expect(seen.screen).toContain('Nothing was written.');
  });

  it('keeps the airline of a profile, and sets up another one beside it', async () => {
    const { init, profile, entry } = desk();
    expect((await init()).code).toBe(0);
    const first = readFileSync(profile, 'utf8');
    const other = await init('--agency-id', 'Another');
    expect([other.code, other.screen]).toEqual([1, expect.stringContaining('Nothing was written.')]);
    expect(other.screen).toMatch(/Add --profile NAME to set up .* beside it\.\n/);
    expect(readFileSync(profile, 'utf8')).toBe(first);
    const beside = await init('--agency-id', 'Another', '--profile', 'second');
    expect(entry(beside).args.slice(-2)).toEqual(['--profile', 'second']);
    const states = [profile, profile.replace('default', 'second')].map(
      (file) => readConfig({ FARECLERK_SETTINGS_FILE: file }).state.directory,
    );
    expect(new Set(states).size).toBe(2);
  });

  it('keeps limits and folders of a profile whose airline is set up again, and a copy of it', async () => {
    const { init, profile } = desk();
    expect((await init('--state-dir', '/s', '--toolset', 'read', '--limit-per-action', '500')).code).toBe(0);
    const before = `# Ask Nadia first.\n${readFileSync(profile, 'utf8')}`;
    writeFileSync(profile, before);
    const copies = () => readdirSync(dirname(profile)).filter((name) => name.includes('.before-fareclerk-'));

    const { screen } = await init();
    expect(screen).toContain(`${profile} is up to date already.\n`);
    expect([readFileSync(profile, 'utf8'), copies()]).toEqual([before, []]);

    expect((await init('--limit-per-action', '900')).code).toBe(0);
    expect(readFileSync(profile, 'utf8')).toBe(
      before.replace('# Ask Nadia first.\n', '').replace('ACTION=500', 'ACTION=900'),
    );
    const [copy = ''] = copies();
    expect(readFileSync(join(dirname(profile), copy), 'utf8')).toBe(before);
  });

  it('moves a secret into a file, and takes an empty variable as unset', async () => {
    const { env, folder, profile, key, plain } = desk();
    const [file, settings] = [join(folder, 'key'), join(folder, 'settings.env')];
    writeFileSync(file, key.FARECLERK_API_KEY);
    const lines = `FARECLERK_API_KEY=${key.FARECLERK_API_KEY}\nFARECLERK_LIMIT_PER_DAY=2000\n`;
    writeFileSync(settings, lines, { mode: 0o600 });
    const given = { ...env, FARECLERK_SETTINGS_FILE: settings, FARECLERK_LIMIT_PER_DAY: '' };
    expect((await plain(given, 'generic', '--yes', ...flags())).code).toBe(0);
    const moved = await plain({ ...env, FARECLERK_API_KEY_FILE: file }, 'generic', '--yes');
    expect(moved.code, moved.screen).toBe(0);
    const written = readFileSync(profile, 'utf8');
    for (const line of [`FARECLERK_API_KEY_FILE=${file}\n`, 'FARECLERK_LIMIT_PER_DAY=2000\n'])
      expect(written).toContain(line);
    expect(written).not.toContain(key.FARECLERK_API_KEY);
  });

  it('writes any value of one line as it was given, and none of two lines', async () => {
    const { plain, shell, folder } = desk();
    const values = ['plain', 'k=e+y', ' spaces ', `it's`, `"quoted"`, `'quoted'`, `a'b"c`, '#hash', 'a #1'];
    const init = async (password: string, n: number) => {
      const env = { ...airline.settings, ...shell, FARECLERK_PASSWORD: password };
      const { code } = await plain(env, 'generic', '--yes', '--profile', `p${n}`);
      return { code, file: join(folder, 'config', 'fareclerk', `p${n}.env`) };
    };
    for (const [n, password] of values.entries()) {
      const { code, file } = await init(password, n);
      const { airline: read } = readConfig({ FARECLERK_SETTINGS_FILE: file });
      expect([code, read?.login?.password.reveal()]).toEqual([0, password]);
    }
    for (const password of [`'" `, 'two\nlines']) {
      const { code, file } = await init(password, 99);
      expect([code > 0, existsSync(file)]).toEqual([true, false]);
    }
  });

  it.skipIf(process.platform === 'win32')('writes no profile into a folder of another user', async () => {
    const { env, profile, key, plain } = desk();
    const theirs = temporary('theirs');
    if (process.getuid?.() === 0) chownSync(theirs, 4711, 4711);
    vi.spyOn(process, 'geteuid').mockReturnValue(4712);
    const seen = await plain({ ...env, ...key, XDG_CONFIG_HOME: theirs }, 'generic', '--yes', ...flags());
    expect(seen.code).not.toBe(0);
    // The folder of temporary files may be of this user too, and is then the one that is named.
    const [, named] = /(\S+) belongs to another user/.exec(seen.screen) ?? [];
    expect(`${theirs}/`).toMatch(new RegExp(`^${named}(?:/|$)`));
    expect([existsSync(profile), readdirSync(theirs)]).toEqual([false, []]);
  });

  it('sets up the sandbox with --sandbox, and keeps the profile; its entry has no secret', async () => {
    const { profile, plain, shell, init, entry } = desk();
    await init();
    const before = readFileSync(profile, 'utf8');
    const { args, env } = entry(await plain(shell, 'generic', '--sandbox'));
    expect([args.slice(1), env]).toEqual([['serve', '--sandbox'], { XDG_CONFIG_HOME: shell.XDG_CONFIG_HOME }]);
    expect(readFileSync(profile, 'utf8')).toBe(before);
    const secret = { ...shell, FARECLERK_DATABASE_URL: 'postgres://clerk:hunter2@db.example/air' };
    const refused = await plain(secret, 'generic', '--sandbox');
    expect([refused.code, refused.screen]).toEqual([2, expect.stringContaining('FARECLERK_DATABASE_URL_FILE')]);
    expect(refused.screen + refused.stdout).not.toContain('hunter2');
  });
});
