/**
 * `fareclerk approve --watch`: the inbox of a terminal. The questions lie in the state of the embedded sandbox.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Approval } from '../../../src/approvals/ports.ts';
import type { Terminal } from '../../../src/cli/commands/command.ts';
import { osUser } from '../../../src/cli/terminal/person.ts';
import { readConfig } from '../../../src/config/load.ts';
import { main } from '../../../src/main.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import type { State } from '../../../src/store/state.ts';
import { pendingApproval } from '../../support/approvals.ts';
import { NOBODYS } from '../screen.ts';

const folder = mkdtempSync(join(tmpdir(), 'fareclerk-watch-'));
const env = { FARECLERK_STATE_DIR: folder, FARECLERK_LOG_LEVEL: 'silent' };
let state: State;

beforeAll(async () => {
  // The first run makes the state.
  expect((await run(['call', 'list_bookings']).ended).code).toBe(0);
  state = await openSqliteState(readConfig({ ...env }).state.file);
});
afterAll(async () => {
  await state.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The program, running. `keyboard`: somebody sits at it. */
function run(argv: readonly string[], keyboard = false) {
  const stream = () => Object.assign(new PassThrough(), { isTTY: keyboard, columns: 100 });
  const [stdin, stdout, stderr] = [stream(), stream(), stream()];
  const said = { stdout: '', stderr: '' };
  stdout.on('data', (chunk) => (said.stdout += chunk));
  stderr.on('data', (chunk) => (said.stderr += chunk));
  const { argv: started, execPath } = process;
  const terminal = {
    env: { ...NOBODYS, ...env },
    argv: started,
    execPath,
    stdin,
    stdout,
    stderr,
  } as unknown as Terminal;
  const ended = main(argv, terminal).then((code) => ({ code, ...said }));
  const sees = (words: string) =>
    expect.poll(() => stripVTControlCharacters(said.stderr + said.stdout), { timeout: 10_000 }).toContain(words);
  return {
    said,
    ended,
    sees,
    type: (keys: string) => void stdin.write(keys),
    leave: () => stdout.emit('error', Object.assign(new Error('gone'), { code: 'EPIPE' })),
  };
}

let asked = 0;
async function ask(over: Partial<Approval> = {}): Promise<Approval> {
  const now = Date.now();
  const n = ++asked;
  const approval = pendingApproval({
    ...{ handleHash: `h${n}`, operationId: crypto.randomUUID(), tenant: 'sandbox', caller: osUser() },
    ...{ locator: `WAT${100 + n}`, act: `Pay SAR ${n}.00`, createdAt: now, expiresAt: now + 600_000 },
    ...over,
  });
  await state.approvals.put(approval);
  return approval;
}

test('announces each new question with a bell, lets the person pick and answer, and ends on Ctrl-C with 0', async () => {
  const watching = run(['approve', '--watch'], true);
  await watching.sees('No questions are open.');
  const one = await ask({ client: { name: 'claude-ai', version: '' } });
  await watching.sees(`New question: ${one.act}, booking ${one.locator} (9:5`);
  expect(watching.said.stderr).toContain('\u0007New question');
  expect(watching.said.stderr).toContain('left, asked by “claude-ai”)');
  const two = await ask();
  await watching.sees(`2) ${two.act}`);
  watching.type('7\n');
  watching.type('2\n');
  await watching.sees(`${two.act}? Type ${two.locator} for yes, no for no:`);
  watching.type('no\n');
  await watching.sees('You said no');
  expect(await state.approvals.get(two.handleHash)).toMatchObject({ decision: 'declined', assurance: 'page' });
  watching.type('1\n');
  await watching.sees(`${one.act}? Type ${one.locator} for yes`);
  // Ctrl-C in a question leads back to the list.
  watching.type('\u0003');
  await watching.sees('Not answered');
  expect(await state.approvals.get(one.handleHash)).toMatchObject({ decision: 'pending' });
  await state.approvals.decide(one.handleHash, 'declined', 'page', Date.now());
  await watching.sees(`Answered no: ${one.act}`);
  watching.type('\u0003');
  expect((await watching.ended).code).toBe(0);
}, 30_000);

test('goes on after a question expired, in the list or while it is being answered', async () => {
  const brief = await ask({ expiresAt: Date.now() + 2_500 });
  const watching = run(['approve', '--watch'], true);
  await watching.sees(`1) ${brief.act}`);
  watching.type('1\n');
  await watching.sees(`Type ${brief.locator} for yes`);
  await expect.poll(() => Date.now() > brief.expiresAt, { timeout: 5_000 }).toBe(true);
  watching.type(`${brief.locator}\n`);
  await watching.sees('Too late to answer');
  const next = await ask({ expiresAt: Date.now() + 1_500 });
  await watching.sees(`New question: ${next.act}`);
  await watching.sees(`Expired without an answer; nothing was sent: ${next.act}`);
  watching.type('\u0004');
  expect((await watching.ended).code).toBe(0);
}, 30_000);

test('prints one line of JSON for each event', async () => {
  const watching = run(['approve', '--watch', '--json']);
  const one = await ask();
  await watching.sees(one.operationId);
  await state.approvals.decide(one.handleHash, 'declined', 'page', Date.now());
  await watching.sees('"answered"');
  const two = await ask({ expiresAt: Date.now() + 1_200 });
  await watching.sees('"expired"');
  watching.leave();
  const { code, stdout } = await watching.ended;
  expect(code).toBe(0);
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    expect.objectContaining({ event: 'asked', operation_id: one.operationId, act: one.act, terms: expect.any(Array) }),
    { event: 'answered', operation_id: one.operationId, how: 'declined' },
    expect.objectContaining({ event: 'asked', operation_id: two.operationId }),
    { event: 'expired', operation_id: two.operationId, how: 'expired' },
  ]);
}, 30_000);

test('only announces without a keyboard, and nothing of other callers', async () => {
  const watching = run(['approve', '--watch']);
  await ask({ caller: 'os:somebody-else', act: 'Pay SAR 999.00' });
  const mine = await ask();
  await watching.sees(`New question: ${mine.act}`);
  watching.leave();
  expect((await watching.ended).stdout).not.toContain('999.00');
}, 30_000);

test('says of the question of a plan that was asked anew that a newer one replaced it', async () => {
  const [id, now] = ['pl_watched', Date.now()];
  const body = { lines: [], terms: [], leftOut: [], notAsked: {} };
  await state.plans.put({ id, tenant: 'sandbox', caller: osUser(), createdAt: now, expiresAt: now + 600_000, body });
  const questionOf = (operationId: string) =>
    pendingApproval({
      ...{ handleHash: operationId, operationId, tenant: 'sandbox', caller: osUser(), act: `Carry out ${operationId}` },
      ...{ createdAt: now, expiresAt: now + 600_000 },
      part: { plan: id, question: operationId, line: 0, step: 0, alone: true },
    });
  const askPlan = (question: string, before?: Pick<Approval, 'operationId' | 'decision'>) =>
    state.plans.ask({ id, question, expiresAt: now + 600_000, body }, [questionOf(question)], before);
  const watching = [run(['approve', '--watch']), run(['approve', '--watch', '--json'])] as const;
  await askPlan('old-question');
  for (const one of watching) await one.sees('Carry out old-question');
  await askPlan('new-question', { operationId: 'old-question', decision: 'pending' });
  await watching[0].sees('Replaced by a newer question; nothing was sent by it: Carry out old-question');
  await watching[1].sees('{"event":"replaced","operation_id":"old-question","how":"replaced"}');
  for (const one of watching) one.leave();
  for (const one of watching) expect((await one.ended).code).toBe(0);
}, 20_000);
