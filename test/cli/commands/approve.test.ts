/**
 * `fareclerk approve` against the embedded sandbox airline: another process asked, and the terminal answers.
 */
import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pendingApproval } from '../../support/approvals.ts';
import { expectGolden } from '../../support/golden.ts';
import { call, heldIn, LIVE, openState, payment } from '../desk.ts';
import { freshState, type Person, ran, screen } from '../screen.ts';

const env = { ...freshState(), FARECLERK_APPROVAL: 'page', FARECLERK_LOG_LEVEL: 'silent' };
let state: Awaited<ReturnType<typeof openState>>;
beforeAll(async () => {
  state = await openState(env);
});
afterAll(() => state.close());

const approve = (argv: readonly string[], person?: Person, more = {}) =>
  ran({ ...env, ...more }, ['approve', ...argv], person);
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
    ...{ locator: `WAT${100 + n}`, act: `Pay SAR ${n}.00`, createdAt: now, expiresAt: now + 600_000 },
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
    for (const id of [one.id, two.operationId]) expect((await approve([id, '--no'])).code).toBe(0);
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
    expect(result).toMatchObject({ status: expect.stringMatching(/^(already_)?done$/), operation_id: id });
    expect(result.tickets).toHaveLength(1);
    const gone = await approve([id], typing(locator));
    expect([gone.code, gone.stdout]).toEqual([1, '']);
    expect(gone.stderr).toContain('no single pending approval');
  });

  test('takes no as a no, and asks again three times for anything else', async () => {
    const one = await ask();
    const other = await approve([one.operationId.slice(0, 8)], typing('y', 'ok', one.locator?.slice(1) ?? ''));
    expect([other.code, other.shown.match(/no for no: /g)?.length]).toEqual([1, 3]);
    expect(other.shown).toContain(`That is neither ${one.locator} nor no. Nothing was decided.`);
    const { code, stdout } = await approve([one.operationId], typing('', 'N'));
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'You said no']);
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
    await approve([id, '--no']);
  });

  test('needs a keyboard; in the sandbox a flag can answer', async () => {
    const { id } = await paymentThatWaits();
    expect(await approve([id])).toMatchObject({
      ...{ code: 2, stdout: '', stderr: expect.stringContaining('a person must answer') },
    });
    const { code, json } = await approve([id, '--yes', '--json']);
    expect([code, json()]).toMatchObject([
      0,
      { operation_id: id, outcome: 'done', title: expect.stringMatching(/^Paid SAR /) },
    ]);
  });

  test('points at an approval that is pending under other settings, and does not answer it', async () => {
    const { operationId: id, locator = '' } = await ask();
    const elsewhere = expect.stringContaining('under other settings');
    const listed = await approve([], undefined, LIVE);
    expect([listed.code, listed.stdout, listed.stderr]).toEqual([0, 'No approvals are pending.\n', elsewhere]);
    expect(await approve([id], typing(locator), LIVE)).toMatchObject({ code: 1, stdout: '', stderr: elsewhere });
    await approve([id, '--no']);
    expect((await approve([], undefined, LIVE)).stderr).not.toEqual(elsewhere);
  });

  test('counts only one of two simultaneous answers', async () => {
    const { id, afterwards } = await paymentThatWaits();
    const answers = await Promise.all([approve([id, '--yes', '--json']), approve([id, '--no', '--json'])]);
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

  test.each<[readonly string[], string, object?]>([
    [['--yes'], 'need the id'],
    [['x', '--yes', '--no'], 'opposites'],
    [['x', 'y'], 'too many'],
    [['--yess'], 'Nearest: --yes'],
    [['x', '--watch'], '--watch takes no id'],
    [['x', '--no', '--watch'], '--watch takes no id'],
    [['--lines', '2'], '--lines needs the id'],
    [['x', '--yes'], 'for the sandbox only', LIVE],
  ])('exits 2 for the arguments %j', async (argv, words, more) => {
    expect(await approve(argv, undefined, more)).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
  });
});

test('shows the question in full, in the window: cautions first, the arithmetic last, act and amount where it asks', async () => {
  const names = Array.from({ length: 3 }, (_, n) => `Passenger ${n + 1}: “${'Abdulrahman '.repeat(4)}Haddad”, adult`);
  const { operationId: id } = await ask({
    locator: 'ACPVAH',
    act: 'Pay SAR 1,423.00',
    expiresAt: Date.now() + 590_000,
    nature: 'cancellation',
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
    const [text = ''] = /[\s\S]*no for no:/.exec(question) ?? [];
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(Math.min(columns, 101));
    scenes[`In ${columns} columns`] = text
      .replace(/Asked by [\s\S]*(?=\n.*minutes left)/, 'Asked by “claude-ai” 1 for ann.')
      .replace(/answer by \d\d:\d\d/, 'answer by HH:MM');
  }
  const { 'In 300 columns': _, ...narrow } = scenes;
  await expectGolden('questions/terminal', narrow);
  await approve([id, '--no']);
});

test('lists in columns that fit the window: wide letters count twice, only ids are cut, a row takes several lines', async () => {
  const rows = [
    { operationId: '1f2e3d4c-0000-4000-8000-000000000001', locator: '東京123', act: 'Pay SAR 1,423.00' },
    { operationId: '2f2e3d4c-0000-4000-8000-000000000002', locator: 'ABC123', act: 'Release Ko\u0308ln' },
  ];
  for (const row of rows) await ask({ ...row, expiresAt: Date.now() + 590_000 });
  const scenes: Record<string, string> = {};
  for (const columns of [100, 60, 30]) {
    const { stdout } = await approve([], { stdoutIsTerminal: true, columns });
    scenes[`In ${columns} columns`] = stdout.replaceAll(/9:\d\d/g, '9:MM');
  }
  await expectGolden('questions/terminal-list', scenes);
  for (const { operationId } of rows) await approve([operationId, '--no']);
});

describe('fareclerk approve --watch', () => {
  const watch = (argv: readonly string[] = [], keyboard = false) => {
    const inbox = screen(env, { keyboard, stdoutIsTerminal: keyboard });
    return { ...inbox, ended: inbox.run('approve', '--watch', ...argv) };
  };

  test('announces each question, lets the person pick and answer; without a keyboard only announces', async () => {
    const [inbox, other, program] = [watch([], true), watch(), watch(['--json'])];
    await inbox.sees('No questions are open.');
    await ask({ caller: 'os:somebody-else', act: 'Pay SAR 999.00' });
    const one = await ask({ client: { name: 'claude-ai', version: '' } });
    for (const screen of [inbox, other]) await screen.sees(`New question: ${one.act}, booking ${one.locator} (9:5`);
    expect(inbox.stderr()).toContain('\u0007New question');
    expect(inbox.shown()).toContain('left, asked by “claude-ai”)');
    const two = await ask();
    await inbox.sees(`2) ${two.act}`);
    // What is answered between two looks was never announced.
    for (const { operationId } of [one, two]) await program.sees(operationId);
    inbox.type('7\n');
    inbox.type('2\n');
    await inbox.sees(`${two.act}? Type ${two.locator} for yes, no for no:`);
    inbox.type('no\n');
    for (const [screen, words] of [
      [inbox, 'You said no'],
      [program, '"how":"declined"'],
    ] as const)
      await screen.sees(words);
    expect(await state.approvals.get(two.handleHash)).toMatchObject({ decision: 'declined', assurance: 'page' });
    inbox.type('1\n');
    await inbox.sees(`${one.act}? Type ${one.locator} for yes`);
    // Ctrl-C in a question leads back to the list.
    inbox.type('\u0003');
    await inbox.sees('Not answered');
    expect(await state.approvals.get(one.handleHash)).toMatchObject({ decision: 'pending' });
    await state.approvals.decide(one.handleHash, 'declined', 'page', Date.now());
    for (const screen of [inbox, other]) await screen.sees(`Answered no: ${one.act}`);
    await program.sees(`"answered","operation_id":"${one.operationId}"`);
    inbox.type('\u0003');
    for (const screen of [other, program]) screen.leave();
    expect(await Promise.all([inbox.ended, other.ended, program.ended])).toEqual([0, 0, 0]);
    for (const { shown } of [inbox, other, program]) expect(shown()).not.toContain('999.00');
    const lines = program.stdout().trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        event: 'asked',
        operation_id: one.operationId,
        act: one.act,
        terms: expect.any(Array),
      }),
      expect.objectContaining({ event: 'asked', operation_id: two.operationId }),
      { event: 'answered', operation_id: two.operationId, how: 'declined' },
      { event: 'answered', operation_id: one.operationId, how: 'declined' },
    ]);
  }, 30_000);

  test('goes on after a question expired, in the list or while it is being answered, or was asked anew', async () => {
    const [inbox, program] = [watch([], true), watch(['--json'])];
    await inbox.sees('No questions are open.');
    const brief = await ask({ expiresAt: Date.now() + 4_000 });
    await inbox.sees(`1) ${brief.act}`);
    inbox.type('1\n');
    await inbox.sees(`Type ${brief.locator} for yes`);
    await expect.poll(() => Date.now() > brief.expiresAt, { timeout: 8_000 }).toBe(true);
    inbox.type(`${brief.locator}\n`);
    await inbox.sees('Too late to answer');
    const next = await ask({ expiresAt: Date.now() + 3_000 });
    await inbox.sees(`New question: ${next.act}`);
    await program.sees(next.operationId);
    await inbox.sees(`Expired without an answer; nothing was sent: ${next.act}`);
    await program.sees(`{"event":"expired","operation_id":"${next.operationId}","how":"expired"}`);

    const [id, now, caller] = ['pl_watched', Date.now(), brief.caller];
    const body = { lines: [], terms: [], leftOut: [], notAsked: {} };
    const expiresAt = now + 600_000;
    await state.plans.put({ id, tenant: 'sandbox', caller, createdAt: now, expiresAt, body });
    const askPlan = (question: string, before?: Parameters<typeof state.plans.ask>[2]) => {
      const part = { plan: id, question, line: 0, step: 0, alone: true as const };
      const own = {
        handleHash: question,
        operationId: question,
        act: `Carry out ${question}`,
        createdAt: now,
        expiresAt,
      };
      return state.plans.ask(
        { id, question, expiresAt, body },
        [pendingApproval({ ...own, tenant: 'sandbox', caller, part })],
        before,
      );
    };
    await askPlan('old-question');
    for (const screen of [inbox, program]) await screen.sees('Carry out old-question');
    await askPlan('new-question', { operationId: 'old-question', decision: 'pending' });
    await inbox.sees('Replaced by a newer question; nothing was sent by it: Carry out old-question');
    await program.sees('{"event":"replaced","operation_id":"old-question","how":"replaced"}');
    inbox.type('\u0004');
    program.leave();
    expect(await Promise.all([inbox.ended, program.ended])).toEqual([0, 0]);
  }, 30_000);
});
