/** How .ci/run and .ci/full count: by their own functions, in a shell where tools are missing. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = new URL('../..', import.meta.url).pathname;
let bare: string;

beforeAll(() => {
  // What the functions themselves call; neither apt-get nor sudo.
  bare = mkdtempSync(join(tmpdir(), 'fareclerk-path-'));
  for (const name of ['mktemp', 'rm', 'id', 'true', 'false'])
    symlinkSync(spawnSync('bash', ['-c', `type -P ${name}`], { encoding: 'utf8' }).stdout.trim(), join(bare, name));
});
afterAll(() => rmSync(bare, { recursive: true }));

function run(script: string) {
  const bash = spawnSync('bash', ['-c', 'type -P bash'], { encoding: 'utf8' }).stdout.trim();
  const { status, stdout } = spawnSync(bash, ['-c', `. .ci/steps.sh\n${script}\nfinish`], {
    cwd: ROOT,
    env: { PATH: bare },
    encoding: 'utf8',
  });
  return { status, last: stdout.trim().split('\n').at(-1), stdout };
}

describe('the steps of the gate', () => {
  it('counts what passes and what fails, and ends with 1 if anything failed', () => {
    expect(run("step 'one' true\nstep 'two' true")).toMatchObject({ status: 0, last: '2 passed, 0 failed' });
    expect(run("step 'one' true\nstep 'two' false")).toMatchObject({ status: 1, last: '1 passed, 1 failed' });
  });

  it('counts a step whose program is missing as failed', () => {
    const { status, last, stdout } = run("step 'alerts' promtool check rules deploy/alerts.yaml\nstep 'one' true");
    expect([status, last]).toEqual([1, '1 passed, 1 failed']);
    expect(stdout).toContain('FAILED: alerts');
  });

  it('counts a program that cannot be installed as failed, and says its package', () => {
    const { status, last, stdout } = run("step 'Caddy is there' tool caddy caddy");
    expect([status, last]).toEqual([1, '0 passed, 1 failed']);
    expect(stdout).toContain('caddy is not there: install the package caddy');
  });

  it('counts a suite that dies without a report as failed', () => {
    expect(run("suite 'tests' false")).toMatchObject({ status: 1, last: '0 passed, 1 failed' });
  });

  it.each(['run', 'full'])('.ci/%s has no step that is left out under a condition', (file) => {
    const script = readFileSync(join(ROOT, '.ci', file), 'utf8');
    expect(script).toContain('. .ci/steps.sh');
    expect(script).not.toMatch(/\b(?:if|case|skip)\b|\|\| true|&& step/);
  });
});
