/** After `init` for a real airline, every command in a plain shell means that airline, and never the sandbox unasked. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/start.ts';
import { ran as run, temporary } from './screen.ts';

let airline: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => {
  airline = await startSandbox();
});
afterAll(() => airline.close());

/** A plain shell of a new user: folders, and no setting. */
function shell(profiles: readonly string[] = []): Record<string, string> {
  const home = temporary('profiles');
  const folder = join(home, 'config', 'fareclerk');
  mkdirSync(folder, { recursive: true });
  for (const name of profiles) {
    const settings = { ...airline.settings, FARECLERK_STATE_DIR: join(home, 'state', name) };
    const lines = Object.entries(settings).map(([setting, value]) => `${setting}='${value}'\n`);
    writeFileSync(join(folder, `${name}.env`), lines.join(''), { mode: 0o600 });
  }
  return { HOME: home, XDG_CONFIG_HOME: join(home, 'config'), XDG_STATE_HOME: join(home, 'xdg-state') };
}

const ran = (env: Record<string, string>, ...argv: readonly string[]) => run(env, argv);

const AGENCY =
  /agency SANDBOX AGENCY, SAR \(profile default\)\. State: SQLite \S+\/state\/default\/fareclerk\.sqlite\n/;

describe('a plain shell after the set-up of a real airline', () => {
  it('pauses that airline, and every other command sees the same state', async () => {
    const env = shell(['default']);
    const paused = await ran(env, 'pause', 'emergency');
    expect([paused.code, paused.stderr]).toEqual([0, expect.stringMatching(AGENCY)]);
    const doctor = await ran(env, 'doctor', '--no-report');
    expect(doctor.stdout).toMatch(/emergency/);
    for (const argv of [['journal'], ['events'], ['approve'], ['findings'], ['resume'], ['call', '--list']]) {
      const { code, stderr } = await ran(env, ...argv);
      expect([argv, code, stderr]).toEqual([argv, 0, expect.stringMatching(AGENCY)]);
    }
  });

  it.each([
    ['pause', 'emergency'],
    ['resume'],
    ['approve'],
    ['forget', '--locator', 'ABC123'],
    ['events', 'resend', 'all'],
    ['findings', 'close', 'ABC123'],
    ['journal', 'restored'],
    ['journal', 'resolve', 'abc', '--note', 'paid'],
  ])('refuses `%s %s` if a setting of the shell would make it mean the sandbox', async (...argv) => {
    const env = { ...shell(['jeddah']), FARECLERK_LOG_LEVEL: 'error' };
    const { code, stdout, stderr } = await ran(env, ...argv);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('mean the sandbox airline, and profile jeddah is of a real one. Nothing was changed.');
    expect(stderr).toMatch(/--profile jeddah`.* --sandbox`/);
  });

  it('refuses the default state if the profile of the same airline and agency has another', async () => {
    const env = { ...shell(['jeddah']), ...airline.settings };
    const { code, stderr } = await ran(env, 'pause', 'emergency');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /mean SQLite \S+\/xdg-state\/\S+, and profile jeddah .* SQLite \S+\/state\/jeddah\/\S+\. Nothing/,
      ),
    ]);
    expect(stderr).toMatch(/unset the FARECLERK_ variables and run `.* --profile jeddah`\. .* set FARECLERK_STATE_DIR/);
    const meant = { FARECLERK_STATE_DIR: join(env.HOME ?? '', 'state', 'jeddah') };
    expect((await ran({ ...env, ...meant }, 'pause', 'emergency')).code).toBe(0);
    expect((await ran({ ...env, FARECLERK_AGENCY_ID: 'another' }, 'pause', 'emergency')).code).toBe(0);
  });

  it.each(['', 'profiles/jeddah/'])(
    'refuses the sandbox if the state has a real journal: %sfareclerk.sqlite',
    async (at) => {
      const env = shell();
      const folder = join(env.XDG_STATE_HOME ?? '', 'fareclerk', at);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'fareclerk.sqlite'), '');
      const { code, stderr } = await ran(env, 'pause', 'emergency');
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(`${at}fareclerk.sqlite is the journal of a real one. Nothing`),
      ]);
      expect((await ran(env, 'pause', 'a rehearsal', '--sandbox')).code).toBe(0);
    },
  );

  it('acts on the sandbox with --sandbox', async () => {
    const env = shell(['default']);
    const { code, stderr } = await ran(env, 'pause', 'a rehearsal', '--sandbox');
    expect([code, stderr]).toEqual([0, expect.stringContaining('Airline: the sandbox, nothing is real.')]);
    expect((await ran(env, 'resume')).stdout).toBe('Sending was not paused.\n');
  });

  it('asks for the name if no profile is the default', async () => {
    const { code, stderr } = await ran(shell(['jeddah', 'riyadh']), 'pause', 'emergency');
    expect(code).toBe(1);
    expect(stderr).toContain('No profile is named default; there is jeddah, riyadh. Nothing was done.');
    expect(stderr).toContain('Add --profile jeddah');
  });

  it('acts on no state if the profile cannot be believed', async () => {
    const env = shell(['default']);
    chmodSync(join(env.XDG_CONFIG_HOME ?? '', 'fareclerk', 'default.env'), 0o666);
    const { code, stderr } = await ran(env, 'pause', 'emergency');
    expect(code).toBe(2);
    expect(stderr).toMatch(/settings of profile default \(.*\) are not valid\. Nothing was started\./);
    expect((await ran({ ...env, FARECLERK_LOCALE: 'en' }, 'pause', 'emergency')).code).toBe(1);
  });

  it('without a profile means the sandbox, as before', async () => {
    const { code, stderr } = await ran(shell(), 'pause', 'a rehearsal');
    expect([code, stderr]).toEqual([0, expect.stringContaining('Airline: the sandbox, nothing is real.')]);
  });

  it('says when every user can read the settings', async () => {
    const env = shell(['default']);
    const file = join(env.XDG_CONFIG_HOME ?? '', 'fareclerk', 'default.env');
    chmodSync(file, 0o644);
    const { code, stderr } = await ran(env, 'resume');
    expect([code, stderr]).toEqual([0, expect.stringContaining(`can read ${file}. Run \`chmod 600\` on it.`)]);
  });
});
