/** A plan answered in a terminal, and read in the journal afterwards, against the embedded sandbox airline. */
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call as callIn, heldIn, openState } from '../desk.ts';
import { freshState, type Person, ran, stateFile } from '../screen.ts';

const env = {
  ...freshState(),
  FARECLERK_TOOLSET: 'plans',
  FARECLERK_APPROVAL: 'page',
  FARECLERK_LOG_LEVEL: 'silent',
};
let db: DatabaseSync;
let state: Awaited<ReturnType<typeof openState>>;
beforeAll(async () => {
  state = await openState(env);
  db = new DatabaseSync(stateFile(env));
});
afterAll(async () => {
  db.close();
  await state.close();
});

const run = (argv: readonly string[], person?: Person) => ran(env, argv, person);
const answering = (...types: readonly string[]): Person => ({
  replies: types.map((typed) => [/(?:none|yes or no):$/, `${typed}\n`]),
});
const call = async (tool: string, args: object) => (await callIn(env, tool, args)).result;

/** A plan that releases holds, and waits for its answer. */
async function planThatWaits(count: number) {
  const locators: string[] = [];
  for (let i = 0; i < count; i++) locators.push(await heldIn(env));
  const { plan_id: id } = await call('propose_plan', { steps: [{ tool: 'cancel_bookings', arguments: { locators } }] });
  expect((await call('run_plan', { plan_id: id })).status).toBe('approval_required');
  const [question] = (await run(['approve', '--json'])).json();
  return { id: String(id), locators, question: String(question.operation_id) };
}

test('is listed as one question, shows every line, does those that are typed, and is proved by the journal', async () => {
  const { id, locators, question } = await planThatWaits(3);
  const [first, , third] = locators;
  expect((await run(['approve'])).stdout.trimEnd().split('\n')).toHaveLength(2);
  const { code, stdout, stderr } = await run(['approve', question.slice(0, 8)], answering('1,3'));
  const said = ['CANNOT BE UNDONE', 'Release the unpaid hold', `1. Cancel booking: ${first}: done`];
  for (const words of said) expect(stderr).toContain(words);
  for (const [i, locator] of locators.entries()) expect(stderr).toContain(`${i + 1}. Cancel booking: ${locator}`);
  expect([code, stdout]).toEqual([0, expect.stringContaining('2 done, 1 not approved')]);

  const shown = (await run(['journal', 'plan', id.slice(0, 9)])).json();
  expect(shown).toMatchObject({ plan_id: id, state: 'over', lines: '2 done, 1 not approved' });
  expect(shown.acts.map((act: { as_approved?: boolean }) => act.as_approved)).toEqual([true, undefined, true]);
  expect(shown.acts[0]).toMatchObject({ line: 1, tool: 'cancel_booking', locator: first, state: 'done' });
  const inWords = (...argv: readonly string[]) => run(['journal', 'plan', ...argv], { stdoutIsTerminal: true });
  expect(await inWords(id)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('2 operations fit the approval.'),
  });
  expect((await inWords()).stdout).toMatch(new RegExp(`${id} +20\\d\\d-.* +over +2 done`));
  expect(await run(['journal', 'plan', 'pl_none'])).toMatchObject({ code: 1, stdout: '' });
  db.exec('update plan set body = null');
  expect(await inWords(id)).toMatchObject({ code: 0, stdout: expect.stringContaining('Lines: 3 erased.') });
  db.exec(`update operation set plan = 'another' where locator = '${third}'`);
  expect(await inWords(id)).toMatchObject({ code: 1, stdout: expect.stringContaining('NOT AS APPROVED: ') });
});

test('says of a line that moves a booking that its hold is released, and of a step asked by itself which plan it is of', async () => {
  const { id, question } = await planThatWaits(1);
  const body = JSON.parse(String(db.prepare('select body from plan where id = ?').get(id)?.body));
  const [{ steps }] = body.lines;
  steps.push(steps[0], { ...steps[0], insteadOf: 0 });
  body.terms[0].push(body.terms[0][0], body.terms[0][0]);
  db.prepare('update plan set body = ? where id = ?').run(JSON.stringify(body), id);
  const [, step] = await state.plans.approvals(id);
  if (step?.part === undefined) throw new Error('the plan has no step');
  await state.approvals.put({
    ...{ ...step, handleHash: 'second', operationId: 'second', part: { ...step.part, step: 1 } },
  });
  const { stderr } = await run(['approve', question], answering('no'));
  expect(stderr).toContain('If the new booking cannot be paid, its hold is released; that is free.');

  const part = { plan: id, question, line: 1, step: 1, alone: true as const };
  await state.approvals.put({
    ...{ ...step, part, handleHash: 'own', operationId: 'own-step', decision: 'pending', act: 'Cancel it' },
  });
  const listed = (await run(['approve', '--json'])).json();
  expect(listed).toEqual([expect.objectContaining({ operation_id: 'own-step', plan_id: id, line: 1 })]);
  const alone = await run(['approve'], { types: ['no'], stdoutIsTerminal: true });
  expect(alone.stdout).toContain(`Booking 1 of plan ${id}: Cancel it`);
  expect(alone.stderr.replace(/\s+/g, ' ')).toContain(
    `Booking 1 of plan ${id}. Its terms changed after the step before it was paid, so it is`,
  );
});

test('takes lines one by one, as ranges, or all, and only those that are asked; then only a yes or a no', async () => {
  const { question } = await planThatWaits(3);
  const approve = (lines: string, ...types: readonly string[]) =>
    run(['approve', question, '--lines', lines], answering(...types));
  for (const lines of ['', '4', '1-5', '3-1', '0', '1;2', 'yes', '100'])
    expect([lines, (await approve(lines, 'yes')).code]).toEqual([lines, 2]);
  expect((await approve('all', '?', '!', '?')).stderr).toContain('Carry out lines 1-3, and no other?');
  const { code, stdout, stderr } = await approve(' 3, 1-1 ,3', 'no');
  expect(stderr).toContain('Carry out lines 1, 3, and no other? Type yes or no:');
  expect([code, stdout.split('\n')[0]]).toEqual([0, 'You declined']);
});

test('decides nothing after anything else', async () => {
  const { question } = await planThatWaits(1);
  const { code, stderr, stdout } = await run(['approve', question], answering('7', '9', '8'));
  expect(stderr).toContain('That is neither lines of the plan nor no. Nothing was decided.');
  expect([code, stdout.split('\n')[0]]).toEqual([1, 'Not answered']);
  expect(await run(['approve', question, '--yes'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 done'),
  });
});
