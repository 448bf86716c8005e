import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { newOperation } from '../../store/new-operation.ts';
import { freshState, screen } from '../screen.ts';

const ID = '1f2e3d4c-0000-4000-8000-000000000001';
const OTHER = '1f2e3d4c-0000-4000-8000-000000000002';

/** The sandbox's state, with an operation that needs a person. */
async function needing(ids: readonly string[] = [ID]): Promise<{ env: Record<string, string>; folder: string }> {
  const env = freshState();
  const folder = join(env.FARECLERK_STATE_DIR ?? '', 'sandbox');
  const state = await openSqliteState(join(folder, 'fareclerk.sqlite'), {
    airline: 'sandbox',
    witnesses: join(folder, 'witness'),
  });
  for (const id of ids) {
    const locator = `ABC${id.at(-1)}`;
    await state.operations.insert(newOperation(id, { locator }), { now: 1000, owner: 'p1', leaseUntil: 61_000 });
    await state.operations.transition(id, ['intent'], 'dispatched', { dispatchedAt: 1500 }, { now: 1500, actor: 'p1' });
    const outcome = { check: 'A person must check.' };
    await state.operations.transition(id, ['dispatched'], 'needs_person', { outcome }, { now: 2000, actor: 'p1' });
  }
  await state.close();
  return { env, folder };
}

async function ran(env: Record<string, string>, ...argv: readonly string[]) {
  const it = screen(env);
  const code = await it.run(...argv);
  return { code, stdout: it.stdout(), stderr: it.stderr() };
}

describe('fareclerk journal resolve', () => {
  it('closes an operation that a person checked and removes it from the list of those that need one', async () => {
    const { env } = await needing();
    const listed = async () => JSON.parse((await ran(env, 'journal', 'list', '--state', 'needs_person')).stdout);
    expect(await listed()).toHaveLength(1);
    const told = await ran(env, 'journal', 'resolve', '1f2e', '--note', 'it is  paid', '--by', 'Ann of the desk');
    expect(told.code).toBe(0);
    expect(JSON.parse(told.stdout)).toMatchObject({
      state: 'resolved',
      resolved: { by: 'Ann of the desk', note: 'it is paid' },
    });
    expect(told.stdout).not.toContain('noteSalt');
    expect(await listed()).toHaveLength(0);
    const shown = screen(env, { stdoutIsTerminal: true });
    await shown.run('journal', 'show', '1f2e');
    expect(shown.stdout()).toContain('Ann of the desk: it is paid');
    expect((await ran(env, 'journal', 'resolve', '1f2e', '--note', 'again')).code).toBe(1);
    expect((await ran(env, 'journal', 'verify')).code).toBe(0);
  });

  it('requires a note and one operation to resolve', async () => {
    const { env } = await needing([ID, OTHER]);
    expect(await ran(env, 'journal', 'resolve', ID)).toMatchObject({ code: 2 });
    expect(await ran(env, 'journal', 'resolve')).toMatchObject({ code: 2 });
    expect(await ran(env, 'journal', 'resolve', '1f2e', '--note', 'x')).toMatchObject({ code: 1, stdout: '' });
    const { stderr, code } = await ran(env, 'journal', 'list', '--note', 'x');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--note: goes with journal resolve.')]);
    expect((await ran(env, 'journal', 'list', '--state', 'open')).code).toBe(2);
  });
});

describe('fareclerk journal verify', () => {
  it('prints the head and accepts it as --expect', async () => {
    const { env } = await needing();
    const { head } = JSON.parse((await ran(env, 'journal', 'verify')).stdout);
    expect(head).toMatch(/^3:[0-9a-f]{64}$/);
    expect((await ran(env, 'journal', 'verify', '--expect', head)).code).toBe(0);
    const later = await ran(env, 'journal', 'verify', '--expect', head.replace('3:', '4:'));
    expect(later.code).toBe(1);
    expect(JSON.parse(later.stdout)).toMatchObject({ whole: true, expected: false });
    expect((await ran(env, 'journal', 'verify', '--expect', '3')).code).toBe(2);
    expect((await ran(freshState(), 'journal', 'verify', '--expect', head)).code).toBe(1);
    const words = screen(env, { stdoutIsTerminal: true });
    await words.run('journal', 'verify');
    expect(words.stdout()).toContain(`Head: ${head}`);
  });
});

describe('fareclerk journal restored', () => {
  it('does nothing if sending is not blocked', async () => {
    const { env } = await needing();
    const { code, stdout } = await ran(env, 'journal', 'restored');
    expect([code, JSON.parse(stdout)]).toEqual([0, { held: false }]);
  });

  it('names the line that runs here, if the second records are lost', async () => {
    const { env, folder } = await needing();
    rmSync(join(folder, 'witness'), { recursive: true });
    const shown = screen(env, { stdoutIsTerminal: true });
    expect(await shown.run('journal', 'restored')).toBe(1);
    const line = `journal restored --without-second-records --sandbox --state-dir ${env.FARECLERK_STATE_DIR}`;
    expect(shown.stdout()).toContain(`${line}\`.`);
  });

  it('starts fresh after the whole sandbox folder is deleted, but not after its journal alone', async () => {
    const { env, folder } = await needing();
    expect((await ran(env, 'call', 'list_routes')).code).toBe(0);
    rmSync(join(folder, 'fareclerk.sqlite'));
    expect((await ran(env, 'doctor', '--json', '--no-report')).stdout).toContain('"sending_held"');
    for (const name of ['fareclerk.sqlite', 'airline.sqlite']) rmSync(join(folder, name));
    expect(existsSync(join(folder, 'witness'))).toBe(true);
    expect((await ran(env, 'journal', 'restored')).stdout).toContain('"held": false');
  });
});

describe('fareclerk doctor, of the journal', () => {
  const finding = async (env: Record<string, string>) => {
    const { checks } = JSON.parse((await ran(env, 'doctor', '--json', '--no-report')).stdout);
    return checks.find(({ id }: { id: string }) => id === 'journal');
  };

  it('advises to ask the airline and to close what a person must check, which no reading can settle', async () => {
    const { env } = await needing();
    const { finding: name, said, advice } = await finding(env);
    expect([name, said]).toEqual([
      'operations_need_person',
      'Operations that a person must check with the airline: 1.',
    ]);
    expect(advice).toContain('fareclerk journal resolve ID');
    expect(advice).not.toContain('reconcile');
  });

  it('checks the newest entries only, and says how to check all', async () => {
    const { env, folder } = await needing();
    await ran(env, 'journal', 'resolve', '1f2e', '--note', 'paid');
    const state = await openSqliteState(join(folder, 'fareclerk.sqlite'), { airline: 'sandbox' });
    for (let at = 1; at <= 1_000; at++) {
      await state.chain.pause('x', 'y', at);
      await state.chain.resume('y', at);
    }
    await state.close();
    const { level, said } = await finding(env);
    expect(level).toBe('ok');
    expect(said).toMatch(/^Newest 2000 entries whole, nothing in doubt\. `fareclerk journal verify --all`/);
  });
});

describe('fareclerk pause and resume', () => {
  it('stops sending and allows it again, by a named person, and shows it in doctor', async () => {
    const { env } = await needing();
    const paused = await ran(env, 'pause', 'the airline asked us', '--by', 'Ann');
    expect(paused).toMatchObject({ code: 0, stdout: expect.stringContaining('“Ann” paused sending at ') });
    expect((await ran(env, 'doctor', '--json', '--no-report')).stdout).toContain('"sending_paused"');
    expect((await ran(env, 'resume')).stdout).toBe('Sending is no longer paused.\n');
    expect((await ran(env, 'resume')).stdout).toBe('Sending was not paused.\n');
    expect((await ran(env, 'pause')).code).toBe(2);
    expect((await ran(env, 'journal', 'verify')).code).toBe(0);
  });
});
