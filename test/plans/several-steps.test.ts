/** One act of several messages: asked as one question, carried out as the line of a plan, and told as one act. */
import { beforeEach, describe, expect, test } from 'vitest';
import { severalStepsCall } from '../../src/plans/several-steps.ts';
import { errorText, refusal } from '../approvals/harness.ts';
import { asSent } from '../support/halves.ts';
import {
  ANN,
  type Ask,
  accept,
  BOB,
  flightsLine,
  PlanHarness,
  type Planner,
  type Result,
  SAR,
  YES_MS,
} from './plan-harness.ts';

type How = Partial<Parameters<typeof severalStepsCall>[1]>;
type Line = ReturnType<typeof flightsLine>;

let harness: PlanHarness;
let locator: string;
let line: Line | undefined;

beforeEach(async () => {
  harness = await PlanHarness.open();
  [locator = ''] = harness.make(1);
  line = flightsLine(locator);
});

const ARGS = { offer_id: 'o1' };
const NAMES = { segments: [], passengers: [] } as never;

async function call(how: How = {}, approvalId?: unknown, planner: Planner = harness.planner, args: object = ARGS) {
  const act = { tool: 'rebook_segment', args: { ...args, locator } };
  const lineOf = async () => line && { line, names: NAMES };
  const answer = await harness.during(severalStepsCall(planner, { caller: ANN, ...how }, act, { lineOf, approvalId }));
  return answer && asSent(answer);
}

/** Asks in the dialog. */
async function asked() {
  const answer = (await call({ canElicit: true })) as Ask;
  const act = String(answer.form.properties.decision.enum[1]);
  const say = (raw: unknown) => call({ canElicit: true, dialog: { handle: answer.handle, raw } });
  return { ...answer, act, yes: () => say(accept(act)) as Promise<Result>, no: () => say({ action: 'decline' }) };
}

async function onPage() {
  const answer = (await call()) as Result;
  const [question] = await harness.state.approvals.waiting(harness.clock.now());
  if (question === undefined) throw new Error(answer.text);
  return { question, id: (answer.structured.approval as { id: string }).id };
}

const sent = () => harness.sent.map(({ tool }) => tool);
const messageOf = async (work: Promise<unknown>) => errorText(await refusal(work));

test('is one question with one sum, sends one message after the other, and reports one act', async () => {
  const question = await asked();
  expect(question.act).toBe(`Rebook connection: ${locator}, at most SAR 200.00`);
  expect(question.message.split('\n').slice(0, 3)).toEqual([
    '1. Change flight 1, at most 10000.',
    '2. Change flight 2, at most 10000.',
    'Costs at most SAR 200.00.',
  ]);
  expect(question.message.match(/Amal Haddad/g)).toHaveLength(1);
  const done = await question.yes();
  expect(done.structured).toMatchObject({ status: 'done', booking: { locator } });
  expect(done.meta).toMatchObject({ title: 'Rebooked; SAR 180.00 charged' });
  expect(sent()).toEqual(['rebook_segment', 'rebook_segment']);
  const again = (await call({}, String(done.meta?.approval_id))) as Result;
  expect(again.structured.status).toBe('already_done');
  expect(sent()).toHaveLength(2);
  const operations = await harness.state.operations.list({ locator });
  expect(operations.map(({ state, amount }) => [state, amount?.minor])).toEqual([
    ['succeeded', 10_000],
    ['succeeded', 10_000],
  ]);
});

test('of one message, and of an act that joins nothing, reports the last operation', async () => {
  line = flightsLine(locator, 1);
  expect((await (await asked()).yes()).meta).toMatchObject({ title: 'Rebooked; SAR 90.00 charged' });
  line = { ...flightsLine(locator, 1), steps: [{ tool: 'update_contact', args: { locator } }] };
  const question = await asked();
  expect(question.act).toBe(`Rebook connection: ${locator}, cost not known`);
  expect((await question.yes()).structured.status).toBe('done');
});

test('where nothing limits the cost, says so, and a limit refuses it', async () => {
  harness.costIsKnown = false;
  expect((await asked()).act).toContain('cost not known');
  harness.settings = { ...harness.settings, limits: { perAction: SAR(1_000_000) } };
  expect(await messageOf(call())).toContain('E_LIMIT');
});

test('counts the whole sum against the limit of one act', async () => {
  harness.settings = { ...harness.settings, limits: { perAction: SAR(15_000) } };
  expect(await messageOf(call())).toContain('E_LIMIT');
  expect(await harness.state.approvals.waiting(harness.clock.now())).toEqual([]);
});

test('is left to others if it is one act, or the handle names none of its questions', async () => {
  line = undefined;
  expect(await call()).toBeUndefined();
  expect(await call({}, 'ap_unknown')).toBeUndefined();
});

test('answers only its own caller, with the same arguments', async () => {
  const { id } = await onPage();
  expect(await messageOf(call({ caller: BOB }, id))).toContain('E_APPROVAL_INVALID');
  expect(await messageOf(call({}, id, harness.planner, { offer_id: 'o2' }))).toContain('E_APPROVAL_INVALID');
});

test('shows its open question again for the same call, and asks anew for another', async () => {
  const first = await asked();
  expect((await asked()).handle).toBe(first.handle);
  harness.drift(locator);
  const second = await asked();
  expect(second.handle).not.toBe(first.handle);
  expect(second.message).toContain('This question replaces an earlier one');
  expect(await messageOf(first.yes())).toContain('replaced');
});

test('says where to answer while nobody has', async () => {
  const { id } = await onPage();
  expect(((await call({}, id)) as Result).structured).toMatchObject({ status: 'approval_required', approval: { id } });
});

test('goes on where the page took the yes while the same call waited', async () => {
  harness.settings = { ...harness.settings, waitMs: 300_000 };
  const { question } = await onPage();
  const waiting = call();
  await harness.clock.pass(500);
  await harness.yes(question);
  expect(((await waiting) as Result).structured.status).toBe('done');
});

test('of a no sends nothing, and a no after the yes stops what is not begun', async () => {
  const question = await asked();
  expect(await messageOf(question.no() as Promise<unknown>)).toContain('E_APPROVAL_DECLINED');
  const second = await onPage();
  await harness.yesOfTheDead(second.question);
  await harness.no(second.question);
  expect(await messageOf(call({}, second.id))).toContain('E_APPROVAL_DECLINED');
  expect(sent()).toEqual([]);
});

describe('stopped', () => {
  const partly =
    /^E_\w+, retry never\nPARTLY DONE\. Done: Change flight 1, at most 10000 \(SAR 90\.00 was paid\)\. NOT done: Change flight 2, at most 10000\. Why not: /;

  /** Minutes pass, in each of which what is open is read again. */
  async function minutes(count: number) {
    for (let i = 0; i < count; i++) {
      await harness.clock.pass(60_000);
      await harness.planner.runtime.journal.reconcile();
    }
  }

  /** Gives the yes in a process that ends with the first message. */
  async function yesOfTheDying({ question }: Awaited<ReturnType<typeof onPage>>, owner: string) {
    const dying = harness.process(owner);
    harness.before = () => harness.end(owner);
    await harness.yes(question, undefined, dying);
    await harness.carriedOut(String(question.part?.plan), dying);
  }

  /** Something happens once the first message was carried out. */
  const afterFirst = (happens: () => void) => {
    harness.before = () => {
      if (harness.sent.length === 1) return;
      happens();
    };
  };

  test('at the first by a refusal: nothing is partly done', async () => {
    harness.manners.set(locator, 'refused');
    const told = await messageOf((await asked()).yes());
    expect(told).not.toContain('PARTLY');
    expect(sent()).toHaveLength(1);
  });

  test('at the second by a refusal: what is done and what is not', async () => {
    afterFirst(() => harness.manners.set(locator, 'refused'));
    const question = await asked();
    expect(await messageOf(question.yes())).toMatch(partly);
    const told = await refusal(call({}, question.handle));
    expect([told.effect, errorText(told)]).toEqual(['unknown', expect.stringMatching(partly)]);
    expect(sent()).toHaveLength(2);
  });

  test('at the second because a store fails meanwhile: the call fails', async () => {
    afterFirst(() => harness.manners.set(locator, 'refused'));
    const question = await asked();
    await refusal(question.yes());
    const { approvals } = harness.state;
    let calls = 0;
    const { markTold } = approvals;
    approvals.markTold = (...given) =>
      ++calls > 1 ? Promise.reject(new Error('down')) : markTold.apply(approvals, given);
    await expect(call({}, question.handle)).rejects.toThrow('down');
  });

  test('by a lost answer: pending, settled by a reading, and the rest sent then', async () => {
    afterFirst(() => harness.manners.set(locator, 'lost'));
    harness.settings = { ...harness.settings, answerMs: 1_000 };
    harness.proves = 'void';
    const question = await asked();
    const pending = await question.yes();
    expect(pending.structured).toMatchObject({ status: 'pending' });
    expect(pending.structured.summary).toMatch(
      /^Done: Change flight 1.+NOT done: Change flight 2.+OUTCOME NOT KNOWN YET/,
    );
    delete harness.proves;
    await minutes(3);
    expect(((await call({}, question.handle)) as Result).structured.status).toBe('done');
    expect(sent()).toHaveLength(2);
  });

  test('where a person must check: nothing more is sent', async () => {
    harness.manners.set(locator, 'lost');
    harness.proves = 'contradicted';
    const question = await asked();
    await question.yes();
    await minutes(20);
    const told = (await call({}, question.handle)) as Result;
    expect(told.structured.status).toBe('needs_person');
    expect(sent()).toHaveLength(1);
  });

  test('because the terms changed: before the first nothing is sent, after it the rest is not', async () => {
    const first = await asked();
    harness.drift(locator);
    expect(await messageOf(first.yes())).toMatch(/changed/);
    expect(sent()).toEqual([]);
    const second = await asked();
    harness.before = () => harness.drift(locator);
    expect(await messageOf(second.yes())).toMatch(/PARTLY DONE.+Why not: Its terms changed after the question/s);
    expect(sent()).toHaveLength(1);
  });

  test('by a price that rose; one that fell is still covered', async () => {
    const first = await asked();
    harness.before = () => void Object.assign(harness.kept(locator), { price: 12_000 });
    expect(await messageOf(first.yes())).toContain('PARTLY DONE');
    harness.sent.length = 0;
    const second = await asked();
    harness.before = () => void Object.assign(harness.kept(locator), { price: 8_000 });
    expect((await second.yes()).structured.status).toBe('done');
    const [last] = await harness.state.operations.list({ locator, limit: 1 });
    expect(last).toMatchObject({ amount: SAR(12_000), subject: { atMost: SAR(12_000) } });
  });

  test('by a charge above what was approved', async () => {
    harness.charges = 11_000;
    expect(await messageOf((await asked()).yes())).toContain('The airline charged more for the step before it');
    expect(sent()).toHaveLength(1);
  });

  test('because a later step costs more before the first is sent', async () => {
    const question = await asked();
    harness.over = (_, tool) => (harness.sent.length === 0 && tool === 'rebook_segment' ? { binds: 7 } : {});
    expect(await messageOf(question.yes())).toContain('The step after it changed');
    expect(sent()).toEqual([]);
  });

  test('by the death of its process: another one goes on for half an hour, and no longer', async () => {
    const { question, id } = await onPage();
    await harness.yesOfTheDead(question);
    await harness.clock.pass(12 * 60_000);
    expect(((await call({}, id)) as Result).structured.status).toBe('done');
    harness.sent.length = 0;
    const second = await onPage();
    await yesOfTheDying(second, 'dying');
    expect(sent()).toHaveLength(1);
    await harness.clock.pass(12 * 60_000);
    harness.before = () => undefined;
    expect(((await call({}, second.id)) as Result).structured.status).toBe('done');
    const third = await onPage();
    await yesOfTheDying(third, 'last');
    await harness.clock.pass(YES_MS);
    expect(await messageOf(call({}, third.id))).toMatch(
      /E_APPROVAL_EXPIRED.+PARTLY DONE.+not started within 30 minutes/s,
    );
    expect(sent()).toHaveLength(3);
  });

  test('for longer than a call waits: it goes on after the call', async () => {
    harness.settings = { ...harness.settings, answerMs: 1 };
    const { question, id } = await onPage();
    await harness.yesOfTheDead(question);
    const now = harness.clock.now();
    await harness.state.leases.take(`plan:${question.part?.plan}`, 'other', now + 60_000, now);
    const told = (await call({}, id)) as Result;
    expect(told.structured).toMatchObject({ status: 'pending', approval: { id } });
  });
});
