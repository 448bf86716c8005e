/** Where settings come from: the environment or one profile, never both; and which files are believed. */
import { chmodSync, chownSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readConfig, UsageError } from '../../src/config/load.ts';
import { type Chosen, configRoot, originOf, profileNames } from '../../src/config/origin.ts';
import { readSettingsFile, settingsLine } from '../../src/config/settings-file.ts';
import { defaultStateDir } from '../../src/config/state-dir.ts';

const REAL = [
  'FARECLERK_BASE_URL=https://air.example/ota',
  'FARECLERK_API_KEY=hunter2',
  'FARECLERK_CREDENTIALS=key',
  'FARECLERK_AGENT_ID=A1',
  'FARECLERK_AGENCY_ID=Agency',
  'FARECLERK_CURRENCY=SAR',
];

/** An environment whose config folder has these profiles. */
function withProfiles(profiles: Readonly<Record<string, readonly string[]>>, mode = 0o600) {
  const config = mkdtempSync(join(tmpdir(), 'fareclerk-origin-'));
  mkdirSync(join(config, 'fareclerk'));
  for (const [name, lines] of Object.entries(profiles)) {
    const file = join(config, 'fareclerk', `${name}.env`);
    writeFileSync(file, lines.join('\n'));
    chmodSync(file, mode);
  }
  return { XDG_CONFIG_HOME: config };
}

function read(env: Record<string, string>, chosen: Chosen = {}, flags = {}) {
  return readConfig({ ...env }, flags, originOf(env, flags, chosen));
}

describe('the source of settings', () => {
  it('is the profile named default in a plain shell', () => {
    const config = read(withProfiles({ default: REAL }));
    expect(config.airline).toMatchObject({ baseUrl: 'https://air.example/ota', currency: 'SAR' });
    expect(config.airline?.apiKey?.reveal()).toBe('hunter2');
    expect(config.origin).toMatchObject({ from: 'profile', profile: 'default' });
  });

  it('is the environment as soon as one setting is there, and nothing of the profile', () => {
    const env = withProfiles({ default: [...REAL, 'FARECLERK_LOCALE=ar'] });
    expect(read({ ...env, FARECLERK_LOG_LEVEL: 'debug' })).toMatchObject({ environment: 'sandbox', locale: 'en' });
    expect(read({ ...env, FARECLERK_API_KEY: `\${user_config.api_key}` }).environment).toBe('sandbox');
    expect(read({ ...env, FARECLERK_LOG_LEVEL: ' ' }).environment).toBe('live');
  });

  it('is the named profile, and never with settings of the environment', () => {
    const env = withProfiles({ default: [], jeddah: REAL });
    expect(read(env, { profile: 'jeddah' }).environment).toBe('live');
    const mixed = () => read({ ...env, FARECLERK_LIMIT_PER_DAY: '9' }, { profile: 'jeddah' });
    expect(mixed).toThrow(/--profile: the environment has settings too \(FARECLERK_LIMIT_PER_DAY\)/);
  });

  it('is the embedded sandbox with --sandbox, whatever profile there is', () => {
    const env = withProfiles({ default: REAL });
    expect(read(env, { sandbox: true })).toMatchObject({ environment: 'sandbox', origin: { from: 'sandbox' } });
    const told = () => read({ FARECLERK_BASE_URL: 'https://air.example/ota' }, { sandbox: true });
    expect(told).toThrow(/FARECLERK_BASE_URL is set, and --sandbox means the embedded sandbox/);
    expect(() => read(env, { sandbox: true, profile: 'default' })).toThrow(UsageError);
  });

  it('a flag refines a profile, but names neither its airline nor its state', () => {
    const env = withProfiles({ default: REAL });
    expect(read(env, {}, { FARECLERK_READ_ONLY: 'true' })).toMatchObject({ environment: 'live', readOnly: true });
    for (const name of ['FARECLERK_AGENT_ID', 'FARECLERK_STATE_DIR', 'FARECLERK_WITNESS_DIR']) {
      expect(() => read(env, { profile: 'default' }, { [name]: 'x' })).toThrow(/the profile says which airline/);
      expect(() => read(env, {}, { [name]: 'x' })).toThrow(/a profile \(default\) says which .*, or add --sandbox\./);
      expect(originOf({}, { [name]: 'x' }, {})).toEqual({ from: 'environment' });
    }
    for (const name of ['FARECLERK_BASE_URL', 'FARECLERK_SETTINGS_FILE']) {
      expect(() => read(env, { profile: 'default' }, { [name]: 'x' })).toThrow(/the profile says which airline/);
      expect(originOf(env, { [name]: 'x', FARECLERK_STATE_DIR: 'x' }, {})).toEqual({ from: 'environment' });
    }
  });

  it('asks which profile is meant if none is named default', () => {
    const env = withProfiles({ riyadh: REAL, jeddah: REAL });
    expect(() => read(env)).toThrow('No profile is named default; there is jeddah, riyadh. Nothing was done.');
    expect(() => read(env, { profile: 'medina' })).toThrow(/no profile medina .* There is jeddah, riyadh\./);
    expect(() => read(env, { profile: '../riyadh' })).toThrow(/expected a name of small letters/);
  });

  it('is the environment where there are no profiles', () => {
    expect(read({ XDG_CONFIG_HOME: '/nowhere' })).toMatchObject({ environment: 'sandbox' });
    expect(profileNames({ XDG_CONFIG_HOME: '/dev/null' })).toEqual([]);
    expect(() => read({ XDG_CONFIG_HOME: '/nowhere' }, { profile: 'default' })).toThrow(/`fareclerk init` makes one/);
  });

  it.each(['', 'relative'])('is never in the current folder, where the home folder is "%s"', (home) => {
    vi.stubEnv('HOME', home);
    onTestFinished(() => void vi.unstubAllEnvs());
    const env = { HOME: home, USERPROFILE: home };
    for (const folder of [configRoot, defaultStateDir, readConfig])
      expect(() => folder({ ...env })).toThrow(/HOME is not set to an absolute path/);
    expect(profileNames(env)).toEqual([]);
  });

  it.each([
    ['linux', { HOME: '/home/ann' }, '/home/ann/.config'],
    ['linux', { HOME: '/home/ann', XDG_CONFIG_HOME: '/etc/ann' }, '/etc/ann'],
    ['linux', { HOME: '/home/ann', XDG_CONFIG_HOME: 'relative' }, '/home/ann/.config'],
    ['darwin', { HOME: '/Users/ann' }, '/Users/ann/Library/Application Support'],
    ['win32', { APPDATA: '/ann/AppData/Roaming' }, '/ann/AppData/Roaming'],
  ] as const)('the config folder on %s with %j is %s', (platform, env, folder) => {
    expect(configRoot(env, platform)).toBe(folder);
  });
});

describe('a file of settings', () => {
  /** As a profile, and as the file that the setting names. */
  const both = (lines: readonly string[], mode?: number) => {
    const env = withProfiles({ default: lines }, mode);
    const file = join(env.XDG_CONFIG_HOME, 'fareclerk', 'default.env');
    return { file, reads: [() => read(env), () => read({ FARECLERK_SETTINGS_FILE: file })] };
  };

  it.each([0o620, 0o602, 0o666])('is refused with mode %o: other users can write it', (mode) => {
    for (const one of both(REAL, mode).reads) expect(one).toThrow(/can be written by other users/);
  });

  it('is refused if it belongs to another user', () => {
    const { file, reads } = both(REAL);
    // Only root can give a file away; a test as another user cannot, and reads one of root's, which is believed.
    if (process.getuid?.() === 0) chownSync(file, 12_345, 12_345);
    for (const one of reads) {
      if (process.getuid?.() === 0) expect(one).toThrow(/belongs to another user/);
      else expect(one().environment).toBe('live');
    }
  });

  it('is read and reported if every user can read it', () => {
    const [open, closed] = [both(REAL, 0o644), both(REAL, 0o640)];
    expect(open.reads.map((one) => one().openFile)).toEqual([open.file, open.file]);
    expect(closed.reads.map((one) => one().openFile)).toEqual([undefined, undefined]);
  });

  it.each([
    ['FARCLERK_LIMIT_PER_ACTION=5', 'FARECLERK_LIMIT_PER_ACTION'],
    ['FARECLERK_LIMIT_PER_ACTON=5', 'FARECLERK_LIMIT_PER_ACTION'],
    ['LIMIT_PER_ACTION=5', 'other variables belong in the environment'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318', 'other variables belong in the environment'],
  ])('refuses the name in %s, and says which is nearest', (line, expected) => {
    for (const one of both([...REAL, line]).reads) {
      expect(one).toThrow(/line 7 has a name that is no setting/);
      expect(one).toThrow(expected);
    }
  });

  it('may name files of secrets', () => {
    const secret = join(mkdtempSync(join(tmpdir(), 'fareclerk-secret-')), 'key');
    writeFileSync(secret, 'from-a-file\n');
    const lines = REAL.map((line) =>
      line.startsWith('FARECLERK_API_KEY') ? `FARECLERK_API_KEY_FILE=${secret}` : line,
    );
    for (const one of both(lines).reads) expect(one().airline?.apiKey?.reveal()).toBe('from-a-file');
  });

  it.each(['plain', 'k=e+y', ' spaces ', `it's`, `"quoted"`, `'quoted'`, `a'b"c`, '#hash', 'a #1', ''])(
    'reads the value %j as it was written',
    (value) => {
      const { file } = both([settingsLine('FARECLERK_PASSWORD', value) ?? '']);
      const { settings } = readSettingsFile({ path: file, namedBy: 'test' }, []);
      expect(settings).toEqual({ FARECLERK_PASSWORD: value });
    },
  );

  it('has no line for a value that no line can hold', () => {
    expect([settingsLine('FARECLERK_PASSWORD', 'two\nlines'), settingsLine('FARECLERK_PASSWORD', `'" `)]).toEqual([
      undefined,
      undefined,
    ]);
  });
});
