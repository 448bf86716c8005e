/** A plan answered in a terminal, and read in the journal afterwards, against the embedded sandbox airline. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Approval } from '../../../src/approvals/ports.ts';
import { linesNamed } from '../../../src/cli/approve/plan.ts';
import { questionText } from '../../../src/cli/terminal/question-text.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { CONTACT, passenger } from '../../support/people.ts';
import { freshState, screen } from '../screen.ts';

const folder = freshState();
const env: Record<string, string> = {
  ...folder,
  FARECLERK_PLANS: 'true',
  FARECLERK_APPROVAL: 'page',
  FARECLERK_LOG_LEVEL: 'silent',
};

async function run(argv: readonly string[], typed?: string) {
  const it = screen(env, typed === undefined ? {} : { types: [] });
  const answers = typed?.split('\n') ?? [];
  (it.terminal.stderr as unknown as NodeJS.ReadableStream).on('data', (chunk) => {
    const answer = /(?:none|yes or no): /.test(String(chunk)) ? answers.shift() : undefined;
    if (answer !== undefined) (it.terminal.stdin as unknown as NodeJS.WritableStream).write(`${answer}\n`);
  });
  const code = await it.run(...argv);
  return { code, stdout: it.stdout(), stderr: it.stderr() };
}

async function call(tool: string, args: object) {
  return JSON.parse((await run(['call', tool, JSON.stringify(args)])).stdout);
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const NAMES = ['Amal', 'Badr', 'Dana', 'Fahad', 'Ghada', 'Huda', 'Jamal', 'Khalid', 'Lama'];

let offer: string;

beforeAll(async () => {
  const { routes } = await call('list_routes', { max_results: 1 });
  const [{ from, to }] = routes;
  const ends = { from: from.code, to: to[0].code };
  const { dates } = await call('get_calendar_dates', { ...ends, start_date: inDays(10), end_date: inDays(17) });
  const legs = [{ ...ends, date: dates[0] }];
  offer = (await call('search_fares', { legs, passengers: { adults: 1 }, max_results: 1 })).offers[0].offer_id;
});

afterAll(() => rmSync(folder.FARECLERK_STATE_DIR ?? '', { recursive: true, force: true }));

async function hold(): Promise<string> {
  const one = passenger(`P000000${NAMES.length}`, { given_name: NAMES.shift() });
  const made = await call('create_booking', { offer_ids: [offer], contact: CONTACT, passengers: [one] });
  return made.booking.locator;
}

/** A plan that releases holds, and waits for its answer. */
async function planThatWaits(count: number) {
  const locators: string[] = [];
  for (let i = 0; i < count; i++) locators.push(await hold());
  const steps = [{ tool: 'cancel_bookings', arguments: { locators } }];
  const { plan_id: id } = await call('propose_plan', { steps });
  expect((await call('run_plan', { plan_id: id })).status).toBe('approval_required');
  const [question] = JSON.parse((await run(['approve', '--json'])).stdout);
  return { id, locators, question: question.operation_id as string };
}

describe('a plan in the terminal', () => {
  test('is listed as one question, shows every line, does those that are typed, and is proved by the journal', async () => {
    const { id, locators, question } = await planThatWaits(3);
    const listed = await run(['approve']);
    expect(listed.stdout.trimEnd().split('\n')).toHaveLength(2);
    const { code, stdout, stderr } = await run(['approve', question.slice(0, 8)], '1,3');
    expect(stderr).toContain('CANNOT BE UNDONE');
    for (const [i, locator] of locators.entries()) expect(stderr).toContain(`${i + 1}. Cancel booking: ${locator}`);
    expect(stderr).toContain('Release the unpaid hold');
    expect(stderr).toContain(`1. Cancel booking: ${locators[0]}: done`);
    expect(stdout).toContain('2 done, 1 left out by the person');
    expect(code).toBe(0);
    await journalOf(id, locators);
  }, 20_000);

  async function journalOf(id: string, locators: readonly string[]) {
    const shown = JSON.parse((await run(['journal', 'plan', id.slice(0, 9)])).stdout);
    expect(shown).toMatchObject({ plan_id: id, state: 'over', lines: '2 done, 1 left out by the person' });
    expect(shown.acts.map((act: { as_approved?: boolean }) => act.as_approved)).toEqual([true, undefined, true]);
    expect(shown.acts[0]).toMatchObject({ line: 1, tool: 'cancel_booking', locator: locators[0], state: 'done' });
    const it = screen(env, { stdoutIsTerminal: true });
    expect(await it.run('journal', 'plan', id)).toBe(0);
    expect(it.stdout()).toContain('2 operations fit the yes.');
    const all = screen(env, { stdoutIsTerminal: true });
    expect(await all.run('journal', 'plan')).toBe(0);
    expect(all.stdout()).toMatch(new RegExp(`${id} +20\\d\\d-.* +over +2 done`));
    expect(await run(['journal', 'plan', 'pl_none'])).toMatchObject({ code: 1, stdout: '' });
    const db = new DatabaseSync(join(env.FARECLERK_STATE_DIR ?? '', 'sandbox', 'fareclerk.sqlite'));
    db.exec('update plan set body = null');
    const erased = screen(env, { stdoutIsTerminal: true });
    expect(await erased.run('journal', 'plan', id)).toBe(0);
    expect(erased.stdout()).toContain('Lines: 3 erased.');
    db.exec(`update operation set plan = 'another' where locator = '${locators[2]}'`);
    db.close();
    const wrong = screen(env, { stdoutIsTerminal: true });
    expect(await wrong.run('journal', 'plan', id)).toBe(1);
    expect(wrong.stdout()).toContain('NOT AS APPROVED: ');
  }

  test('says of a line that moves a booking that its hold is released, and of a step asked by itself which plan it is of', async () => {
    const { id, question } = await planThatWaits(1);
    const file = join(env.FARECLERK_STATE_DIR ?? '', 'sandbox', 'fareclerk.sqlite');
    const db = new DatabaseSync(file);
    const body = JSON.parse(String(db.prepare('select body from plan where id = ?').get(id)?.body));
    const [{ steps }] = body.lines;
    steps.push(steps[0], { ...steps[0], insteadOf: 0 });
    body.terms[0].push(body.terms[0][0], body.terms[0][0]);
    db.prepare('update plan set body = ? where id = ?').run(JSON.stringify(body), id);
    db.close();
    const state = await openSqliteState(file);
    const [, step] = await state.plans.approvals(id);
    const second = { ...step, handleHash: 'second', operationId: 'second', part: { ...step?.part, step: 1 } };
    await state.approvals.put(second as Approval);
    const { stderr } = await run(['approve', question], 'no');
    expect(stderr).toContain('If the new booking cannot be paid, its hold is released; that is free.');
    const asked = await state.approvals.byOperation(question);
    const part = { plan: id, question, line: 1, step: 1, alone: true as const };
    const own = { ...asked, part, handleHash: 'own', operationId: 'own-step', decision: 'pending', act: 'Cancel it' };
    await state.approvals.put(own as Approval);
    await state.close();
    const listed = JSON.parse((await run(['approve', '--json'])).stdout);
    expect(listed).toEqual([expect.objectContaining({ operation_id: 'own-step', plan_id: id, line: 1 })]);
    const shown = screen(env, { stdoutIsTerminal: true });
    await shown.run('approve');
    expect(shown.stdout()).toContain(`Line 1 of plan ${id}: Cancel it`);
    const text = questionText(own as Approval, process.stderr, Date.now());
    expect(text.replace(/\s+/g, ' ')).toContain(
      `Line 1 of plan ${id}. Its terms changed after the step before it was paid, so it is`,
    );
    await run(['approve', 'own-step', '--no']);
  }, 20_000);

  test('takes the lines from the flag and then only a yes or a no', async () => {
    const { question } = await planThatWaits(2);
    expect(await run(['approve', question, '--lines', '3'], 'yes')).toMatchObject({ code: 2 });
    const { code, stdout, stderr } = await run(['approve', question, '--lines', '2'], 'no');
    expect(stderr).toContain('Carry out line 2, and no other? Type yes or no:');
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'You said no']);
    expect(await run(['approve', '--lines', '2'])).toMatchObject({ code: 2 });
  }, 20_000);

  test('decides nothing after anything else', async () => {
    const { question } = await planThatWaits(1);
    const { code, stderr, stdout } = await run(['approve', question], '7\n9\n8');
    expect(stderr).toContain('That is neither lines of the plan nor no. Nothing was decided.');
    expect([code, stdout.split('\n')[0]]).toEqual([1, 'Not answered']);
    const yes = await run(['approve', question, '--yes']);
    expect([yes.code, yes.stdout]).toEqual([0, expect.stringContaining('1 done')]);
  }, 20_000);
});

test('lines are named one by one, as ranges, or all, and only those that are asked', () => {
  const asked = [1, 2, 3, 5].map((n) => ({ n }));
  expect(linesNamed('all', asked)).toEqual([1, 2, 3, 5]);
  expect(linesNamed(' 5, 1-2 ,2', asked)).toEqual([1, 2, 5]);
  for (const text of ['', '4', '1-5', '3-1', '0', '1;2', 'yes', '100']) expect(linesNamed(text, asked)).toBeUndefined();
});
