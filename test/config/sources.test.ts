/** Where settings come from: the environment or one profile, never both; and which files are believed. */
import { chmodSync, chownSync, lchownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { configRoot } from '../../src/config/folders.ts';
import { readConfig, UsageError } from '../../src/config/load.ts';
import { chooseOrigin, profileNames } from '../../src/config/sources.ts';
import { fileOf, folderOf, problems } from './read.ts';

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
  const config = folderOf('origin');
  mkdirSync(join(config, 'fareclerk'));
  for (const [name, lines] of Object.entries(profiles)) {
    const file = join(config, 'fareclerk', `${name}.env`);
    writeFileSync(file, lines.join('\n'));
    chmodSync(file, mode);
  }
  return { XDG_CONFIG_HOME: config };
}

function read(env: Record<string, string>, chosen: Parameters<typeof chooseOrigin>[2] = {}, flags = {}) {
  return readConfig({ ...env }, flags, chooseOrigin(env, flags, chosen));
}

afterEach(() => vi.unstubAllEnvs());

describe('the source of settings', () => {
  it('is the profile named default in a plain shell', () => {
    const { airline, origin } = read(withProfiles({ default: REAL }));
    expect(airline).toMatchObject({ baseUrl: 'https://air.example/ota', currency: 'SAR' });
    expect(airline?.apiKey?.reveal()).toBe('hunter2');
    expect(origin).toMatchObject({ from: 'profile', profile: 'default' });
  });

  it('is the environment as soon as one setting is there, and nothing of the profile', () => {
    const env = withProfiles({ default: [...REAL, 'FARECLERK_LIMIT_PER_DAY=9'] });
    const { environment, amounts } = read({ ...env, FARECLERK_LOG_LEVEL: 'debug' });
    expect([environment, amounts.perDay]).toEqual(['sandbox', undefined]);
    expect(read({ ...env, FARECLERK_API_KEY: `\${user_config.api_key}` }).environment).toBe('sandbox');
    expect(read({ ...env, FARECLERK_LOG_LEVEL: ' ' }).environment).toBe('live');
    expect(read({ XDG_CONFIG_HOME: '/nowhere' }).environment).toBe('sandbox');
    expect(profileNames({ XDG_CONFIG_HOME: '/dev/null' })).toEqual([]);
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
    const both = () => read({ FARECLERK_BASE_URL: 'https://air.example/ota' }, { sandbox: true });
    expect(both).toThrow(/FARECLERK_BASE_URL is set, and --sandbox means the embedded sandbox/);
    expect(() => read(env, { sandbox: true, profile: 'default' })).toThrow(UsageError);
  });

  it('may be refined by a flag, which names neither the airline nor the state of a profile', () => {
    const env = withProfiles({ default: REAL });
    expect(read(env, {}, { FARECLERK_TOOLSET: 'read' })).toMatchObject({ environment: 'live', readOnly: true });
    for (const name of ['FARECLERK_AGENT_ID', 'FARECLERK_STATE_DIR', 'FARECLERK_WITNESS_DIR']) {
      expect(() => read(env, { profile: 'default' }, { [name]: 'x' })).toThrow(/the profile says which airline/);
      expect(() => read(env, {}, { [name]: 'x' })).toThrow(/the profile says which .*, or add --sandbox\./);
      expect(chooseOrigin({}, { [name]: 'x' }, {})).toEqual({ from: 'environment' });
    }
    for (const name of ['FARECLERK_BASE_URL', 'FARECLERK_SETTINGS_FILE']) {
      expect(() => read(env, { profile: 'default' }, { [name]: 'x' })).toThrow(/the profile says which airline/);
      expect(chooseOrigin(env, { [name]: 'x', FARECLERK_STATE_DIR: 'x' }, {})).toEqual({ from: 'environment' });
    }
  });

  it('must be named if no profile is the default', () => {
    const env = withProfiles({ riyadh: REAL, jeddah: REAL });
    expect(() => read(env)).toThrow(/no profile default .* There is jeddah, riyadh: add --profile NAME/);
    expect(() => read(env, { profile: 'medina' })).toThrow(/no profile medina .* There is jeddah, riyadh:/);
    expect(() => read(env, { profile: '../riyadh' })).toThrow(/expected a name of small letters/);
    expect(() => read({ XDG_CONFIG_HOME: '/nowhere' }, { profile: 'default' })).toThrow(/`fareclerk init` makes one/);
  });

  it.each(['', 'relative'])('is never in the current folder, where the home folder is "%s"', (HOME) => {
    vi.stubEnv('HOME', HOME);
    const env = { HOME, USERPROFILE: HOME };
    for (const folder of [configRoot, readConfig])
      expect(() => folder({ ...env })).toThrow(/HOME is not set to an absolute path/);
    expect(profileNames(env)).toEqual([]);
  });

  it.each<[NodeJS.Platform, Record<string, string>, string, string]>([
    ['linux', {}, '/h/.config', '/h/.local/state/fareclerk'],
    ['linux', { XDG_CONFIG_HOME: '/etc/ann', XDG_STATE_HOME: '/x' }, '/etc/ann', '/x/fareclerk'],
    ['linux', { XDG_CONFIG_HOME: 'a', XDG_STATE_HOME: 'b' }, '/h/.config', '/h/.local/state/fareclerk'],
    ['darwin', {}, '/h/Library/Application Support', '/h/Library/Application Support/fareclerk'],
    ['win32', { APPDATA: '/roaming', LOCALAPPDATA: 'C:\\Local' }, '/roaming', 'C:\\Local\\fareclerk'],
  ])('is, on %s with %j, below %s, and state is in %s', (platform, env, config, state) => {
    const { platform: own } = process;
    Object.defineProperty(process, 'platform', { value: platform });
    try {
      expect(configRoot({ HOME: '/h', ...env })).toBe(config);
      const { directory } = readConfig({ HOME: '/h', ...env }).state;
      expect(directory.replace(/[\\/]sandbox$/, '')).toBe(state);
    } finally {
      Object.defineProperty(process, 'platform', { value: own });
    }
  });
});

/** This user is in the group. */
const WRITABLE = [0o602, 0o666];

describe('a file of settings', () => {
  const named = (lines: readonly string[]) => ({ FARECLERK_SETTINGS_FILE: fileOf(lines.join('\n')) });
  /** As a profile, and as the file that the setting names. */
  const both = (lines: readonly string[], mode?: number) => {
    const env = withProfiles({ default: lines }, mode);
    const file = join(env.XDG_CONFIG_HOME, 'fareclerk', 'default.env');
    return { file, reads: [() => read(env), () => read({ FARECLERK_SETTINGS_FILE: file })] };
  };

  it('has one setting a line; comments, quotes, export and files of secrets are allowed', () => {
    const lines = ['# from the airline', '', ...REAL, "export FARECLERK_API_KEY='k=e+y'", 'FARECLERK_AGENT_ID="A2"'];
    const { airline } = readConfig(named(lines));
    expect(airline).toMatchObject({ baseUrl: 'https://air.example/ota', agentId: 'A2', currency: 'SAR' });
    expect(airline?.apiKey?.reveal()).toBe('k=e+y');
    const keyFile = REAL.map((line) => line.replace('KEY=hunter2', `KEY_FILE=${fileOf('from-a-file\n')}`));
    for (const one of both(keyFile).reads) expect(one().airline?.apiKey?.reveal()).toBe('from-a-file');
  });

  it('yields to the environment and to flags, and not to fields that a host left empty', () => {
    const env = { ...named(REAL), FARECLERK_CURRENCY: 'EUR', FARECLERK_AGENT_ID: '' };
    const unfilled = { ...env, FARECLERK_API_KEY: `\${user_config.api_key}` };
    const { airline } = readConfig(unfilled, { FARECLERK_AGENCY_ID: 'Other' });
    expect(airline).toMatchObject({ currency: 'EUR', agentId: 'A1', agencyId: 'Other' });
    expect(airline?.apiKey?.reveal()).toBe('hunter2');
    const secret: Record<string, string> = { ...env, FARECLERK_API_KEY: 'own' };
    expect(readConfig(secret).airline?.apiKey?.reveal()).toBe('own');
    expect(secret).not.toHaveProperty('FARECLERK_API_KEY');
  });

  it('is refused if other users can write it or it belongs to one; reported if every user can read it', () => {
    for (const mode of WRITABLE)
      for (const one of both(REAL, mode).reads) expect(one).toThrow(/can be written by other users/);
    const [open, closed] = [both(REAL, 0o664), both(REAL, 0o660)];
    expect(open.reads.map((one) => one().files)).toEqual(Array(2).fill([{ path: open.file, isOpen: true }]));
    expect(closed.reads.map((one) => one().files)).toEqual(Array(2).fill([{ path: closed.file, isOpen: false }]));
    // Only root can give a file away; a test as another user cannot, and reads one of root's, which is believed.
    const { file, reads } = both(REAL);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(file, 12_345, 12_345);
    for (const one of reads) {
      if (isRoot) expect(one).toThrow(/belongs to another user/);
      else expect(one().environment).toBe('live');
    }
  });

  it.each([
    ['FARCLERK_LIMIT_PER_ACTION=5', 'FARECLERK_LIMIT_PER_ACTION'],
    ['FARECLERK_LIMIT_PER_ACTON=5', 'FARECLERK_LIMIT_PER_ACTION'],
    ['LIMIT_PER_ACTION=5', 'other variables belong in the environment'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318', 'other variables belong in the environment'],
    ['hunter2', 'line 7 is not a setting'],
    ['FARECLERK_SETTINGS_FILE=/x', 'line 7 is not a setting'],
    ['FARECLERK_TOOLSET=read              # hunter2', 'does not say where the value of FARECLERK_TOOLSET ends'],
    ["FARECLERK_AGENCY_ID='My Agency'   # hunter2", 'does not say where the value of FARECLERK_AGENCY_ID ends'],
    ['FARECLERK_PASSWORD=hunter2 #1', 'does not say where the value of FARECLERK_PASSWORD ends'],
    ['FARECLERK_PASSWORD="hunter2"1', 'does not say where the value of FARECLERK_PASSWORD ends'],
  ])('is refused with the line %s, which is named and not repeated', (line, expected) => {
    for (const one of both([...REAL, line]).reads) {
      expect(one).toThrow(expected);
      expect(one).toThrow(/line 7/);
      expect(one).not.toThrow(/hunter2/);
    }
  });

  it('must be there, and its path is not repeated', () => {
    const absent = () => readConfig({ FARECLERK_SETTINGS_FILE: '/nowhere/hunter2' });
    expect(absent).toThrow(/cannot be read/);
    expect(absent).not.toThrow(/hunter2/);
  });
});

describe.skipIf(process.platform === 'win32')('a file of a secret', () => {
  const isRoot = process.getuid?.() === 0;
  const keyIn = (file: string) => {
    const env = Object.fromEntries(
      REAL.map((line) => line.split('=')).filter(([name]) => name !== 'FARECLERK_API_KEY'),
    );
    return readConfig({ ...env, FARECLERK_API_KEY_FILE: file });
  };

  it('is refused if other users can write it or it belongs to one, with its mode and what to do', () => {
    for (const mode of WRITABLE) {
      const file = fileOf('hunter2');
      chmodSync(file, mode);
      const told = problems(() => keyIn(file));
      expect(told).toContain(`can be written by other users (mode ${mode.toString(8)})`);
      expect(told).toContain(`expected: a file that only you can write: own ${file} and \`chmod 600 ${file}\``);
      expect(told).not.toContain('hunter2');
    }
    const file = fileOf('hunter2');
    if (!isRoot) return;
    chownSync(file, 12_345, 12_345);
    expect(problems(() => keyIn(file))).toContain('FARECLERK_API_KEY_FILE names a file that belongs to another user.');
  });

  it('is reported if every user can read it', () => {
    const [open, closed] = [fileOf('from-a-file'), fileOf('from-a-file')];
    chmodSync(open, 0o644);
    chmodSync(closed, 0o440);
    expect([keyIn(open).files, keyIn(closed).files]).toEqual([
      [{ path: open, isOpen: true }],
      [{ path: closed, isOpen: false }],
    ]);
  });

  it('is read through the links of Kubernetes, in a folder that is sticky', () => {
    const mounted = folderOf('secrets');
    mkdirSync(join(mounted, '..2026_11_23'));
    writeFileSync(join(mounted, '..2026_11_23', 'api_key'), 'from-a-link', { mode: 0o440 });
    symlinkSync('..2026_11_23', join(mounted, '..data'));
    symlinkSync('..data/api_key', join(mounted, 'api_key'));
    chmodSync(mounted, 0o1777);
    expect(keyIn(join(mounted, 'api_key')).airline?.apiKey?.reveal()).toBe('from-a-link');
    // Without the sticky bit anybody could put another link there.
    chmodSync(mounted, 0o777);
    const told = problems(() => keyIn(join(mounted, 'api_key')));
    expect(told).toContain(`names a file below ${mounted}, which can be written by other users (mode 777).`);
    expect(told).toContain(`own ${mounted} and \`chmod go-w ${mounted}\``);
  });

  it.skipIf(!isRoot)('is not read through a link of another user, nor out of a folder of one', () => {
    const [file, shared, theirs] = [fileOf('hunter2'), folderOf('shared'), folderOf('theirs')];
    chmodSync(shared, 0o1777);
    symlinkSync(file, join(shared, 'key'));
    expect(keyIn(join(shared, 'key')).airline?.apiKey?.reveal()).toBe('hunter2');
    lchownSync(join(shared, 'key'), 12_345, 12_345);
    expect(problems(() => keyIn(join(shared, 'key')))).toContain('names a file that belongs to another user.');
    symlinkSync(file, join(theirs, 'key'));
    chownSync(theirs, 12_345, 12_345);
    const link = join(folderOf('link'), 'key');
    symlinkSync(join(theirs, 'key'), link);
    for (const path of [join(theirs, 'key'), link])
      expect(problems(() => keyIn(path))).toContain(`names a file below ${theirs}, which belongs to another user.`);
  });

  it('is believed whatever its mode where files have no owner, as on Windows', () => {
    const file = fileOf('from-a-file');
    chmodSync(file, 0o666);
    const { geteuid } = process;
    Object.assign(process, { geteuid: undefined });
    try {
      const { airline, files } = keyIn(file);
      expect([airline?.apiKey?.reveal(), files]).toEqual(['from-a-file', [{ path: file, isOpen: false }]]);
    } finally {
      Object.assign(process, { geteuid });
    }
  });

  it('is the one that the system opens: `..` after a link is above what the link leads to', () => {
    const [place, open] = [folderOf('place'), folderOf('open')];
    mkdirSync(join(open, 'below'));
    writeFileSync(join(open, 'key'), 'hunter2', { mode: 0o600 });
    symlinkSync(join(open, 'below'), join(place, 'link'));
    const path = `${place}/link/../key`;
    expect(keyIn(path).airline?.apiKey?.reveal()).toBe('hunter2');
    chmodSync(open, 0o777);
    expect(problems(() => keyIn(path))).toContain(`names a file below ${open}, which can be written by other users`);
  });

  it('is refused if it leads in a circle', () => {
    const link = join(folderOf('circle'), 'key');
    symlinkSync(link, link);
    expect(problems(() => keyIn(link))).toContain('FARECLERK_API_KEY_FILE names a file that leads nowhere.');
  });
});
