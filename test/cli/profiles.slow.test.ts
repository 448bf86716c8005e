/** After `init` for a real airline, every command in a plain shell means that airline, or says which one it means. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/addresses/start.ts';
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

describe('a plain shell after the set-up of a real airline', () => {
  it.each([
    'pause emergency',
    'resume',
    'approve',
    'forget --locator ABC123',
    'events resend',
    'findings close ABC123',
    'journal restored',
    'journal resolve abc --note paid',
  ])('says before `%s` that a setting of the shell makes it mean the sandbox', async (line) => {
    const { stderr } = await ran({ ...shell(['jeddah']), FARECLERK_LOG_LEVEL: 'error' }, ...line.split(' '));
    expect(stderr).toMatch(/^Airline: the sandbox, nothing is real\. State: SQLite /);
  });

  const paused = (env: Record<string, string>, ...more: readonly string[]) => ran(env, 'pause', 'emergency', ...more);
  const refused = (said: string | RegExp, code = 1) => ({ code, stderr: expect.stringMatching(said) });

  it('acts on the sandbox with --sandbox, or without a profile', async () => {
    const env = shell(['default']);
    const sandbox = { code: 0, stderr: expect.stringContaining('Airline: the sandbox, nothing is real.') };
    expect(await paused(env, '--sandbox')).toMatchObject(sandbox);
    expect((await ran(env, 'resume')).stdout).toBe('Sending was not paused.\n');
    expect(await paused(shell())).toMatchObject(sandbox);
  });

  it('acts on no state if no profile is the default, or it cannot be believed', async () => {
    const two = /There is no profile default \(.*\)\. There is jeddah, riyadh: add --profile NAME, or --sandbox\./;
    expect(await paused(shell(['jeddah', 'riyadh']))).toMatchObject(refused(two, 2));
    const env = shell(['default']);
    const file = join(env.XDG_CONFIG_HOME ?? '', 'fareclerk', 'default.env');
    chmodSync(file, 0o666);
    const wrong = /settings of profile default \(.*\) are not valid\. Nothing was started\./;
    expect(await paused(env)).toMatchObject(refused(wrong, 2));
    chmodSync(file, 0o644);
    expect(await paused(env)).toMatchObject(refused(`can read ${file}. Run \`chmod 600\` on it.`, 0));
  });
});
