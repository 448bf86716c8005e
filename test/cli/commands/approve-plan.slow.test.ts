/** `fareclerk approve` and `fareclerk call` open the page of a plan, against the embedded sandbox airline. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enter } from '../../pages/approval/support/page-client.ts';
import { browserThatTicks } from '../browser-that-ticks.ts';
import { call as callIn, heldIn, openState } from '../desk.ts';
import { freshState, type Person, ran, screen } from '../screen.ts';

const env = {
  ...freshState(),
  FARECLERK_APPROVAL: 'page',
  FARECLERK_LOG_LEVEL: 'silent',
};
let state: Awaited<ReturnType<typeof openState>>;
beforeAll(async () => {
  state = await openState(env);
});
afterAll(() => state.close());

const run = (argv: readonly string[], person?: Person, more: Readonly<Record<string, string>> = {}) =>
  ran({ ...env, ...more }, argv, person);
/** Answers with a browser that ticks these lines. */
const ticking = (argv: readonly string[], ...lines: readonly number[]) =>
  run(argv, { keyboard: true }, { BROWSER: browserThatTicks(lines) });
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

test('is listed as one question; its page opens, and what was ticked there is done and printed', async () => {
  const { id, locators, question } = await planThatWaits(3);
  const [first, second, third] = locators;
  expect((await run(['approve'])).stdout.trimEnd().split('\n')).toHaveLength(2);
  const { code, stdout, stderr } = await ticking(['approve', question.slice(0, 8)], 1, 3);
  expect(stderr).toMatch(
    /Answer the plan on its page\. This address opens it once:\n {2}http:\/\/127\.0\.0\.1:\d+\/approve\//,
  );
  expect([code, stdout]).toEqual([0, expect.stringContaining('2 done, 1 not approved')]);
  expect(stdout).toContain(`1. Cancel booking: ${first}: done`);
  expect(stdout).toContain(`2. Cancel booking: ${second}: not approved`);

  const operations = (await run(['journal', 'list'])).json();
  const done = operations.filter(({ tool }: { tool: string }) => tool === 'cancel_booking');
  expect(done.map(({ locator }: { locator: string }) => locator).sort()).toEqual([first, third].sort());
  const shown = (await run(['journal', 'show', done[0].operation_id])).json();
  expect(shown).toMatchObject({ tool: 'cancel_booking', state: 'succeeded', assurance: 'page' });
  expect((await call('run_plan', { plan_id: id })).plan.state).toBe('over');
});

test('its address is printed for a person without a browser, and a no on the page sends nothing', async () => {
  const { question } = await planThatWaits(2);
  const seen = screen({ ...env, BROWSER: 'none' }, { keyboard: true });
  const running = seen.run('approve', question, '--json');
  await seen.sees('/approve/');
  const { answer } = await enter(/http:\S+/.exec(seen.stderr())?.[0] ?? '');
  await answer('no');
  expect(await running).toBe(0);
  expect(JSON.parse(seen.stdout())).toMatchObject({ operation_id: question, outcome: 'declined' });
});

test('a call in a terminal opens it too, and tells what became of the plan', async () => {
  const locator = await heldIn(env);
  const steps = [{ tool: 'cancel_bookings', arguments: { locators: [locator] } }];
  const { plan_id: id } = await call('propose_plan', { steps });
  const { code, json } = await ticking(['call', 'run_plan', `plan_id=${id}`, '--json'], 1);
  expect([code, json()]).toMatchObject([0, { status: 'done', plan: { state: 'over' } }]);
});
