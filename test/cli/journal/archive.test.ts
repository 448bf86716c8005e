/** `fareclerk journal archive`, and what the other commands say of an archived journal. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ran } from '../screen.ts';
import { journalOf } from './operations.ts';

const DAY = 86_400_000;
const dayBefore = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);

/** The sandbox's state with operations of so many days ago. */
async function journal(days: Readonly<Record<string, number>>) {
  const left = Object.entries(days).map(([id, ago]) => [
    id,
    { at: Date.now() - ago * DAY, more: { locator: 'OLD123' } },
  ]);
  const env = await journalOf(Object.fromEntries(left));
  const file = join(env.FARECLERK_STATE_DIR, 'old.jsonl.gz');
  return { file, run: (...argv: readonly string[]) => ran(env, ['journal', ...argv]) };
}

it('moves old operations into a file that verify can read, and looks for an expected link there too', async () => {
  const { file, run } = await journal({ old: 90, older: 100, young: 5 });
  const { head } = (await run('verify')).json();
  const moved = await run('archive', file, '--before', dayBefore(60), '--by', 'Ann');
  expect([moved.code, moved.stderr]).toEqual([0, expect.stringMatching(/^Airline: .*\n$/)]);
  const { operations, to, sha256 } = moved.json();
  expect(operations).toBe(2);
  const whole = (await run('verify', '--all')).json();
  expect(whole).toMatchObject({ whole: true, complete: true, from: to, archived: { to, sha256 } });
  const checked = await run('verify', '--archive', file);
  expect([checked.code, checked.json()]).toMatchObject([0, { whole: true, recorded: true, operations: 2 }]);
  const exported = await run('export');
  expect(exported.stdout.trim().split('\n')).toHaveLength(1);
  expect(exported.stderr).toMatch(
    /^Airline: .*\n1 operation exported\.\nMost operations from before .* are in archives, .*old\.jsonl\.gz/,
  );
  expect(await run('show', 'old')).toMatchObject({ code: 1, stderr: expect.stringContaining('may be in an archive') });
  expect((await run('verify', '--expect', head)).code).toBe(0);
  const other = to.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'));
  const expecting = async (link: string) => (await run('verify', '--archive', file, '--expect', link)).code;
  expect([await expecting(to), await expecting(other)]).toEqual([0, 1]);
});

it('does not accept a file that the journal does not record, or that was changed', async () => {
  const [one, other] = [await journal({ old: 90 }), await journal({ old: 91 })];
  await one.run('archive', one.file, '--before', dayBefore(60));
  const foreign = await other.run('verify', '--archive', one.file);
  expect([foreign.code, foreign.json()]).toMatchObject([1, { whole: true, recorded: false }]);
  writeFileSync(one.file, readFileSync(one.file).subarray(0, -30));
  const cut = await one.run('verify', '--archive', one.file);
  expect([cut.code, cut.json()]).toMatchObject([1, { whole: false }]);
  expect((await one.run('verify', '--archive', '/nowhere')).code).toBe(1);
});

it('requires a file and a day at least thirty days ago, and makes no file for nothing', async () => {
  const { file, run } = await journal({ old: 90 });
  expect((await run('archive')).code).toBe(2);
  expect((await run('archive', file)).stderr).toContain('expected --before DAY');
  expect((await run('archive', file, '--before', 'soon')).code).toBe(2);
  expect((await run('archive', file, '--before', dayBefore(20))).stderr).toContain('cannot be archived');
  expect((await run('archive', file, '--before', dayBefore(200))).json()).toEqual({ operations: 0 });
});
