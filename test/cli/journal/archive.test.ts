/** `fareclerk journal archive`, and what the other commands say of an archived journal. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { paid as paidDaysAgo, NOW as SUITE_NOW } from '../../store/archive-suite.ts';
import { freshState, screen } from '../screen.ts';

const DAY = 86_400_000;

/** The sandbox's state with operations of so many days ago. */
async function journal(days: Readonly<Record<string, number>>) {
  const env = freshState();
  const folder = env.FARECLERK_STATE_DIR ?? '';
  const state = await openSqliteState(join(folder, 'sandbox', 'fareclerk.sqlite'), {
    airline: 'sandbox',
    witnesses: join(folder, 'sandbox', 'witness'),
  });
  const shift = (SUITE_NOW - Date.now()) / DAY;
  for (const [id, ago] of Object.entries(days)) await paidDaysAgo(state, id, shift + ago);
  await state.close();
  const ran = async (...argv: readonly string[]) => {
    const it = screen(env);
    const code = await it.run('journal', ...argv);
    return { code, stdout: it.stdout(), stderr: it.stderr() };
  };
  return { folder, ran };
}

const dayBefore = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);

it('moves old operations into a file that verify can read', async () => {
  const { folder, ran } = await journal({ old: 90, older: 100, young: 5 });
  const file = join(folder, 'old.jsonl.gz');
  const first = JSON.parse((await ran('verify')).stdout);
  const moved = await ran('archive', file, '--before', dayBefore(60), '--by', 'Ann');
  expect([moved.code, moved.stderr]).toEqual([0, expect.stringMatching(/^Airline: .*\n$/)]);
  const { operations, to, sha256 } = JSON.parse(moved.stdout);
  expect(operations).toBe(2);
  const whole = JSON.parse((await ran('verify', '--all')).stdout);
  expect(whole).toMatchObject({ whole: true, complete: true, from: to, archived: { to, sha256 } });
  const checked = await ran('verify', '--archive', file);
  expect([checked.code, JSON.parse(checked.stdout)]).toMatchObject([0, { whole: true, recorded: true, operations: 2 }]);
  const exported = await ran('export');
  expect(exported.stdout.trim().split('\n')).toHaveLength(1);
  expect(exported.stderr).toMatch(
    /^Airline: .*\n1 operation exported\.\nMost operations from before .* are in archives, .*old\.jsonl\.gz/,
  );
  expect(await ran('show', 'old')).toMatchObject({ code: 1, stderr: expect.stringContaining('may be in an archive') });
  expect((await ran('verify', '--expect', first.head)).code).toBe(0);
});

it('looks for an expected link in an archive too', async () => {
  const { folder, ran } = await journal({ old: 90 });
  const link = JSON.parse((await ran('verify')).stdout).head;
  const file = join(folder, 'old.jsonl.gz');
  const later = await ran('archive', file, '--before', dayBefore(60));
  expect(later.code).toBe(0);
  const other = link.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'));
  expect((await ran('verify', '--archive', file, '--expect', link)).code).toBe(0);
  expect((await ran('verify', '--archive', file, '--expect', other)).code).toBe(1);
});

it('does not accept a file that the journal does not record, or that was changed', async () => {
  const [one, other] = [await journal({ old: 90 }), await journal({ old: 91 })];
  const file = join(one.folder, 'old.jsonl.gz');
  await one.ran('archive', file, '--before', dayBefore(60));
  const foreign = await other.ran('verify', '--archive', file);
  expect([foreign.code, JSON.parse(foreign.stdout)]).toMatchObject([1, { whole: true, recorded: false }]);
  writeFileSync(file, readFileSync(file).subarray(0, -30));
  const cut = await one.ran('verify', '--archive', file);
  expect([cut.code, JSON.parse(cut.stdout).whole]).toEqual([1, false]);
  expect((await one.ran('verify', '--archive', '/nowhere')).code).toBe(1);
});

it('requires a file and a day at least thirty days ago, and makes no file for nothing', async () => {
  const { folder, ran } = await journal({ old: 90 });
  const file = join(folder, 'f');
  expect((await ran('archive')).code).toBe(2);
  expect((await ran('archive', file)).stderr).toContain('expected --before DAY');
  expect((await ran('archive', file, '--before', 'soon')).code).toBe(2);
  expect((await ran('archive', file, '--before', dayBefore(20))).stderr).toContain('cannot be archived');
  expect(JSON.parse((await ran('archive', file, '--before', dayBefore(200))).stdout)).toEqual({ operations: 0 });
  expect((await ran('list', '--all')).stderr).toContain('--all: goes with journal verify.');
});
