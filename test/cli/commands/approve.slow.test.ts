/**
 * `fareclerk approve` against the embedded sandbox airline: another process asked, and the terminal answers.
 */
import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pendingApproval } from '../../support/approvals.ts';
import { expectGolden } from '../../support/golden.ts';
import { call, heldIn, openState, payment } from '../desk.ts';
import { freshState, type Person, ran, screen } from '../screen.ts';

const env = { ...freshState(), FARECLERK_APPROVAL: 'page', FARECLERK_LOG_LEVEL: 'silent' };
let state: Awaited<ReturnType<typeof openState>>;
beforeAll(async () => {
  state = await openState(env);
});
afterAll(() => state.close());

const approve = (argv: readonly string[], person?: Person) => ran(env, ['approve', ...argv], person);
const typing = (...types: readonly string[]) => ({ types, stdoutIsTerminal: true });

let asked = 0;
/** A question that another process put into the state. */
async function ask(over: Parameters<typeof pendingApproval>[0] = {}) {
  const [now, n] = [Date.now(), ++asked];
  const approval = pendingApproval({
    ...{
      handleHash: `h${n}`,
      operationId: crypto.randomUUID(),
      tenant: 'sandbox',
      caller: `os:${userInfo().username}`,
    },
    ...{ locator: `WAT${100 + n}`, act: { verb: `Pay SAR ${n}.00` }, createdAt: now, expiresAt: now + 600_000 },
    ...over,
  });
  await state.approvals.put(approval);
  return approval;
}

/** A held booking, and a payment of it that waits for a person. */
async function paymentThatWaits() {
  const locator = await heldIn(env);
  const { result } = await call(env, 'pay_booking', payment(locator));
  expect(result.status).toBe('approval_required');
  const afterwards = () => call(env, 'pay_booking', { ...payment(locator), approval_id: result.approval.id });
  return { id: String(result.operation_id), handle: String(result.approval.id), locator, afterwards };
}

describe('fareclerk approve', () => {
  test('lists pending approvals with all that a decision needs, and nothing that decides', async () => {
    expect((await approve([])).stdout).toBe('No approvals are pending.\n');
    const [one, two] = [await paymentThatWaits(), await ask()];
    const { code, stdout } = await approve([]);
    const [head, ...rows] = stdout.trimEnd().split('\n');
    expect([code, head]).toEqual([0, expect.stringMatching(/^operation +booking +left +act$/)]);
    expect(rows.map((row) => row.split(/ {2,}/).slice(0, 2))).toEqual([
      [one.id, one.locator],
      [two.operationId, two.locator],
    ]);
    expect(rows[0]).toMatch(/ 9:\d\d {2,}Pay SAR [\d,.]+$/);
    const listed = (await approve(['--json'])).json();
    expect(listed[0]).toMatchObject({ operation_id: one.id, locator: one.locator, terms: expect.any(Array) });
    expect(JSON.stringify(listed)).not.toContain(one.handle);
    for (const id of [one.id, two.operationId]) expect((await approve([id], typing('no'))).code).toBe(0);
    expect((await one.afterwards()).result.error.code).toBe('E_APPROVAL_DECLINED');
  });

  test('carries out what the typed locator approves, at once if only one is pending, and the tool reports it', async () => {
    const { id, locator, afterwards } = await paymentThatWaits();
    const { code, stdout } = await approve([], typing(` ${locator.toLowerCase()} `));
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/\nPaid SAR [\d,.]+\n {2}Booking \w+\n {2}Ticket \d+; Amal \w+ Haddad; \S+ \w+ → \w+, /),
    ]);
    const { result } = await afterwards();
    expect(result).toMatchObject({ status: expect.stringMatching(/^(already_)?done$/), _meta: { operation_id: id } });
    expect(result.tickets).toHaveLength(1);
    const gone = await approve([id], typing(locator));
    expect([gone.code, gone.stdout]).toEqual([1, '']);
    expect(gone.stderr).toContain('no single pending approval');
  });

  test('takes no as a no, and asks again three times for anything else', async () => {
    const one = await ask();
    const other = await approve([one.operationId.slice(0, 8)], typing('y', 'ok', one.locator?.slice(1) ?? ''));
    expect([other.code, other.shown.match(/no to decline: /g)?.length]).toEqual([1, 3]);
    expect(other.shown).toContain(`That is neither ${one.locator} nor no. Nothing was decided.`);
    const { code, stdout } = await approve([one.operationId], typing('', 'N'));
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'Declined']);
    expect(await state.approvals.get(one.handleHash)).toMatchObject({ decision: 'declined', assurance: 'page' });
  });

  test.each([
    ['Ctrl-C', '\u0003', false],
    ['Ctrl-C after a beginning', 'AB\u0003', false],
    ['Ctrl-D', '\u0004', false],
    ['a lost terminal', '', true],
    ['a terminal lost half-way', 'no', true],
  ])('leaves the approval pending after %s', async (_, keys, lost) => {
    const { operationId: id, locator = '', handleHash } = await ask();
    const left = screen(env, { keyboard: true, stdoutIsTerminal: true, columns: 0 });
    left.type(keys.replace('AB', locator));
    if (lost) left.hangUp();
    expect(await left.run('approve', id)).toBe(1);
    const line = ` approve ${id} --sandbox --state-dir ${env.FARECLERK_STATE_DIR}\` asks again, until the question`;
    expect(left.stdout()).toMatch(/^Not answered\n {2}Nothing was decided, and nothing was sent\.\n/);
    expect(left.stdout()).toContain(line);
    expect(await state.approvals.get(handleHash)).toMatchObject({ decision: 'pending' });
    await approve([id], typing('no'));
  });

  test('needs a keyboard, and prints the outcome as JSON', async () => {
    const { id, locator } = await paymentThatWaits();
    expect(await approve([id])).toMatchObject({
      ...{ code: 2, stdout: '', stderr: expect.stringContaining('you must answer') },
    });
    const { code, json } = await approve([id, '--json'], typing(locator));
    expect([code, json()]).toMatchObject([
      0,
      { operation_id: id, outcome: 'done', title: expect.stringMatching(/^Paid SAR /) },
    ]);
  });

  test('counts only one of two simultaneous answers', async () => {
    const { id, locator, afterwards } = await paymentThatWaits();
    const answers = await Promise.all([locator, 'no'].map((word) => approve([id, '--json'], typing(word))));
    // The later one may find that nothing waits any more.
    const outcomes = answers.flatMap(({ stdout }) => (stdout === '' ? [] : [JSON.parse(stdout).outcome]));
    const { status, error } = (await afterwards()).result;
    if (outcomes.includes('done')) expect(status).toMatch(/done$/);
    else {
      // The no came first, or took the yes back before it was carried out.
      expect(['E_APPROVAL_DECLINED', 'E_APPROVAL_EXPIRED']).toContain(error.code);
      expect(error).toMatchObject({ effect: 'none', message: expect.stringContaining('Nothing was sent') });
    }
  });

  test.each<[readonly string[], string]>([
    [['x', 'y'], 'too many'],
    [['x', '--yes'], '--yes was removed in 0.4.0'],
  ])('exits 2 for the arguments %j', async (argv, words) => {
    expect(await approve(argv)).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
  });
});

test('asks what may be done twice, and says first what was done here', async () => {
  const line = 'Paid here on Sun 29 Nov 08:00 (UTC+3): SAR 1,423.00, 3 tickets. The airline does not show it.';
  const sections = [{ kind: 'act', lines: [line, 'Pay SAR 1,423.00 for booking ACPVAH.'], below: [line] }] as const;
  const { operationId: id } = await ask({ locator: 'ACPVAH', pageOnly: true, sections });
  const { code, shown } = await approve([id], { types: ['no'], columns: 300 });
  const lines = shown.split('\n').map((each) => each.trim());
  const [act, said] = ['Pay SAR', line].map((words) => lines.findIndex((each) => each.startsWith(words)));
  expect([code, said]).toEqual([0, (act ?? 0) + 1]);
});

test('shows the question in full, in the window: cautions first, the arithmetic last, act and amount where it asks', async () => {
  const names = Array.from({ length: 3 }, (_, n) => `Passenger ${n + 1}: “${'Abdulrahman '.repeat(4)}Haddad”, adult`);
  const { operationId: id } = await ask({
    locator: 'ACPVAH',
    act: { verb: 'Pay SAR 1,423.00' },
    expiresAt: Date.now() + 590_000,
    nature: 'cancellation',
    carried: { args: {}, operation: { direction: 'refund' } },
    client: { name: 'claude-ai', version: '1' },
    near: '2026-12-09T18:40:00+03:00',
    sections: [
      { kind: 'act', lines: ['Pay SAR 1,423.00 for booking ACPVAH and issue its tickets.'] },
      { kind: 'trip', lines: ['Train HHR101: Makkah (QCA) → Madinah (XMD), Wed 9 Dec 18:40-20:45 (UTC+3)'] },
      { kind: 'people', lines: names },
      { kind: 'refund', lines: ['Estimated refund: SAR 562.00 until Mon 7 Dec 12:20 (UTC+3).'] },
      { kind: 'computed', lines: ['2 × 3'] },
      { kind: 'caution', lines: ['It may be paid \u001b[2Jalready.'] },
    ],
  });
  const scenes: Record<string, string> = {};
  for (const columns of [40, 80, 300]) {
    const { stderr, shown } = await approve([id], { types: ['\u0003'], columns });
    expect(stderr).not.toContain('\u001b[2J');
    const [, question = ''] = shown.split(/^(?=CANNOT BE UNDONE)/m);
    const [text = ''] = /[\s\S]*no to decline:/.exec(question) ?? [];
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(Math.min(columns, 101));
    scenes[`In ${columns} columns`] = text
      .replace(/Asked by [\s\S]*(?=\n.*minutes left)/, 'Asked by “claude-ai” 1 for ann.')
      .replace(/answer by \d\d:\d\d/, 'answer by HH:MM');
  }
  const { 'In 300 columns': _, ...narrow } = scenes;
  await expectGolden('questions/terminal', narrow);
  await approve([id], typing('no'));
});

test('lists in columns: wide letters count twice, and nothing is cut', async () => {
  const rows = [
    { operationId: '1f2e3d4c-0000-4000-8000-000000000001', locator: '東京123', act: { verb: 'Pay SAR 1,423.00' } },
    { operationId: '2f2e3d4c-0000-4000-8000-000000000002', locator: 'ABC123', act: { verb: 'Release Ko\u0308ln' } },
  ];
  for (const row of rows) await ask({ ...row, expiresAt: Date.now() + 590_000 });
  const { stdout } = await approve([], { stdoutIsTerminal: true, columns: 30 });
  await expectGolden('questions/terminal-list', { 'In any window': stdout.replaceAll(/9:\d\d/g, '9:MM') });
  for (const { operationId } of rows) await approve([operationId], typing('no'));
});
