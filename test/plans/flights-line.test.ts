/** A line that changes the flights of a connection: one question with one sum, and one message after the other. */
import { beforeEach, describe, expect, test } from 'vitest';
import { errorText, refusal } from '../approvals/harness.ts';
import {
  type Ask,
  accept,
  flightsLine,
  PlanHarness,
  planOf,
  type Result,
  SAR,
  statusOf,
  YES_MS,
} from './plan-harness.ts';

let harness: PlanHarness;
let locator: string;

beforeEach(async () => {
  harness = await PlanHarness.open();
  [locator = ''] = harness.make(1);
});

const line = () => [flightsLine(locator)];
const sent = () => harness.sent.map(({ tool }) => tool);
const messageOf = async (work: Promise<unknown>) => errorText(await refusal(work));

/** Asks in the dialog. */
async function asked(id?: string) {
  const plan = id ?? (await harness.propose(line())).id;
  const how = { canElicit: true };
  const { form, handle, message } = (await harness.run(plan, how, undefined, { again: true })) as Ask;
  const act = String(form.properties.decision.enum[1]);
  const yes = () => harness.run(plan, { ...how, dialog: { handle, raw: accept(act) } }) as Promise<Result>;
  return { id: plan, act, message, handle, yes };
}

const lineOf = (answer: unknown) => planOf(answer).lines[0] as { state: string; why?: string };

test('is one question with one sum, and sends one message after the other', async () => {
  const question = await asked();
  expect(question.act).toContain('costs at most SAR 200.00');
  expect(question.message).toContain('Change flight 1, at most 10000; Change flight 2, at most 10000');
  const done = await question.yes();
  expect([statusOf(done), lineOf(done).state]).toEqual(['done', 'done']);
  expect(done.text).toContain('SAR 180.00 was paid');
  const again = await harness.run(question.id, {}, question.handle);
  expect([statusOf(again), sent()]).toEqual(['done', ['rebook_segment', 'rebook_segment']]);
  const operations = await harness.state.operations.list({ locator });
  expect(operations.map(({ state, amount }) => [state, amount?.minor])).toEqual([
    ['succeeded', 10_000],
    ['succeeded', 10_000],
  ]);
});

test('where nothing limits the cost, says so, and a limit refuses it', async () => {
  harness.costIsKnown = false;
  expect((await asked()).act).toContain('an amount that is not known');
  harness.settings = { ...harness.settings, limits: { perAction: SAR(1_000_000) } };
  expect(await messageOf(asked())).toContain('E_NOT_PERMITTED');
});

describe('stopped', () => {
  const partly = /^Done: Change flight 1, at most 10000\. NOT done: Change flight 2, at most 10000\. /;

  /** Something happens once the first message was carried out. */
  const afterFirst = (happens: () => void) => {
    harness.before = () => {
      if (harness.sent.length === 1) return;
      happens();
    };
  };

  test('at the first by a refusal: nothing is partly done', async () => {
    harness.manners.set(locator, 'refused');
    expect(lineOf(await (await asked()).yes()).state).toBe('skipped');
    expect(sent()).toHaveLength(1);
  });

  test('at the second by a refusal: what is done and what is not, and the rest is asked again', async () => {
    afterFirst(() => harness.manners.set(locator, 'refused'));
    const question = await asked();
    const told = await question.yes();
    expect(lineOf(told)).toMatchObject({ state: 'partly_done', why: expect.stringMatching(partly) });
    expect(told.text).toContain('Tell the user at once what is done and what is NOT done');
    harness.manners.delete(locator);
    harness.before = () => undefined;
    const rest = await asked(question.id);
    expect(rest.act).toBe('Finish this booking: costs at most SAR 100.00; nothing comes back');
    expect(lineOf(await rest.yes()).state).toBe('done');
    expect(sent()).toHaveLength(3);
  });

  test('where a person must check: nothing more is sent', async () => {
    harness.manners.set(locator, 'lost');
    harness.proves = 'contradicted';
    const question = await asked();
    await question.yes();
    for (let i = 0; i < 20; i++) {
      await harness.clock.pass(60_000);
      await harness.planner.runtime.journal.reconcile();
    }
    expect(statusOf(await harness.run(question.id))).toBe('needs_person');
    expect(sent()).toHaveLength(1);
  });

  test('because the terms changed: before the first nothing is sent, after it the rest is not', async () => {
    const first = await asked();
    harness.drift(locator);
    expect(lineOf(await first.yes()).why).toContain('changed');
    expect(sent()).toEqual([]);
    const second = await asked();
    harness.before = () => harness.drift(locator);
    const told = lineOf(await second.yes());
    expect(told).toMatchObject({ state: 'partly_done', why: expect.stringMatching(partly) });
    expect(told.why).toContain('Its terms changed after the question.');
    expect(told.why).not.toContain('nothing was sent');
    expect(sent()).toHaveLength(1);
  });

  test('by a price that rose; one that fell is still covered', async () => {
    const first = await asked();
    harness.before = () => void Object.assign(harness.kept(locator), { price: 12_000 });
    expect(lineOf(await first.yes()).state).toBe('partly_done');
    harness.sent.length = 0;
    const second = await asked();
    harness.before = () => void Object.assign(harness.kept(locator), { price: 8_000 });
    expect(statusOf(await second.yes())).toBe('done');
    const [last] = await harness.state.operations.list({ locator, limit: 1 });
    expect(last).toMatchObject({ amount: SAR(12_000), subject: { atMost: SAR(12_000) } });
  });

  test('by a charge above what was approved', async () => {
    harness.charges = 11_000;
    const question = await asked();
    expect(lineOf(await question.yes()).why).toContain('The airline charged more for the step before it');
    expect(sent()).toHaveLength(1);
    // Who says yes to the rest knows of it.
    const rest = await asked(question.id);
    expect(lineOf(await rest.yes()).state).toBe('done');
    expect(sent()).toHaveLength(2);
  });

  test('because a later step costs more before the first is sent', async () => {
    const question = await asked();
    harness.over = (_, tool) => (harness.sent.length === 0 && tool === 'rebook_segment' ? { binds: 7 } : {});
    expect(lineOf(await question.yes()).why).toContain('The step after it changed');
    expect(sent()).toEqual([]);
  });

  test('by the death of its process: another one goes on for half an hour, and no longer', async () => {
    const yesOfTheDying = async (owner: string) => {
      const { id, question } = await harness.asked(line());
      const dying = harness.process(owner);
      harness.before = () => harness.end(owner);
      await harness.yes(question, undefined, dying);
      await harness.carriedOut(id, dying);
      return id;
    };
    const second = await yesOfTheDying('dying');
    expect(sent()).toHaveLength(1);
    await harness.clock.pass(12 * 60_000);
    harness.before = () => undefined;
    expect(statusOf(await harness.run(second))).toBe('done');
    const third = await yesOfTheDying('last');
    await harness.clock.pass(YES_MS);
    expect(lineOf(await harness.run(third))).toMatchObject({
      state: 'partly_done',
      why: expect.stringContaining('not started within 30 minutes'),
    });
    expect(sent()).toHaveLength(3);
  });
});
