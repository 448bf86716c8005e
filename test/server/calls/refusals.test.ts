/**
 * Every commit tool with the same invalid answers. Whatever is wrong with the yes, the airline's ledger does not change.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Ask } from '../../../src/approvals/answer.ts';
import { CATALOG } from '../../../src/tools/index.ts';
import { heldBooking, preparedFor, rebookableBooking, seatedBooking, ticketedBooking } from './bookings.ts';
import { accept, CALLER, codeOf, type Desk, dialogHow, failures, openDesk } from './desk.ts';

interface Scenario {
  readonly booking: (desk: Desk) => Promise<string>;
  readonly args: (locator: string) => object;
  /** Arguments of the same tool for another act. */
  readonly others: (locator: string) => object;
}

/** Defaults for bookings that were made for another tool. */
const SEAT = { segment_ref: '1', passenger_ref: '1', seat: '1A' };
const FLIGHT = { segment_ref: '1', offer_id: 'o000000' };

const SCENARIOS: Record<string, Scenario> = {
  pay_booking: {
    booking: heldBooking,
    args: (locator) => ({ locator, payment: { type: 'invoice' } }),
    others: (locator) => ({ locator, payment: { type: 'cash' } }),
  },
  cancel_segment: {
    booking: ticketedBooking,
    args: (locator) => ({ locator, segment_refs: ['1'] }),
    others: (locator) => ({ locator, all: true }),
  },
  cancel_passenger: {
    booking: ticketedBooking,
    args: (locator) => ({ locator, passenger_refs: ['1'] }),
    others: (locator) => ({ locator, passenger_refs: ['2'] }),
  },
  change_names: {
    booking: ticketedBooking,
    args: (locator) => ({ locator, changes: [{ passenger_ref: '1', given_name: 'Amina' }] }),
    others: (locator) => ({ locator, changes: [{ passenger_ref: '1', given_name: 'Alma' }] }),
  },
  cancel_booking: {
    booking: ticketedBooking,
    args: (locator) => ({ locator }),
    others: (locator) => ({ locator: locator === 'ABCDEF' ? 'ABCDEG' : 'ABCDEF' }),
  },
  assign_seats: {
    booking: seatedBooking,
    args: (locator) => ({ locator, seats: [SEAT], ...preparedFor('assign_seats', locator).args }),
    others: (locator) => ({ locator, seats: [SEAT], ...preparedFor('assign_seats', locator).others }),
  },
  update_contact: {
    booking: ticketedBooking,
    args: (locator) => ({ locator, email: 'amal.haddad@example.com' }),
    others: (locator) => ({ locator, email: 'noor.haddad@example.com' }),
  },
  update_passenger: {
    booking: ticketedBooking,
    args: (locator) => ({ locator, changes: [{ passenger_ref: '1', gender: 'Male' }] }),
    others: (locator) => ({ locator, changes: [{ passenger_ref: '2', gender: 'Male' }] }),
  },
  rebook_segment: {
    booking: rebookableBooking,
    args: (locator) => ({ locator, ...FLIGHT, ...preparedFor('rebook_segment', locator).args }),
    others: (locator) => ({ locator, ...FLIGHT, ...preparedFor('rebook_segment', locator).others }),
  },
  split_booking: {
    booking: ticketedBooking,
    args: (locator) => ({ locator, passenger_refs: ['1'] }),
    others: (locator) => ({ locator, passenger_refs: ['2'] }),
  },
};

test('covers every commit tool with a scenario', () => {
  const commits = [...CATALOG]
    .filter((tool) => tool.effect === 'commit' && tool.toolset !== 'plans')
    .map((tool) => tool.name);
  expect(Object.keys(SCENARIOS).sort()).toEqual(commits.sort());
});

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(async () => {
  await desk.close();
  expect(failures).toEqual([]);
});

describe.each(Object.entries(SCENARIOS))('%s', (tool, scenario) => {
  let locator: string;
  let before: number;
  let args: object;

  beforeAll(async () => {
    locator = await scenario.booking(desk);
    args = scenario.args(locator);
  });
  beforeEach(() => {
    before = desk.sandbox.ledger().length;
  });

  const nothingHappened = () => expect(desk.sandbox.ledger()).toHaveLength(before);

  async function ask(): Promise<Ask> {
    const answer = await desk.call(tool, args, dialogHow);
    if (answer.kind !== 'ask') throw new Error(`did not ask: ${JSON.stringify(answer)}`);
    return answer;
  }

  const act = (question: Ask) => question.form.properties.decision.enum[1] ?? '';
  const answered = (question: Ask, raw: unknown, other: object = args) =>
    desk.call(tool, other, { ...dialogHow, dialog: { handle: question.handle, raw } });

  test('names the booking and the act in the question', async () => {
    const question = await ask();
    expect(question.message).toContain(locator);
    expect(act(question).length).toBeGreaterThan(5);
    expect(question.form).not.toHaveProperty('properties.decision.default');
    nothingHappened();
  });

  test('refuses as unavailable if nobody can be asked', async () => {
    expect(codeOf(await desk.call(tool, args))).toBe('E_APPROVAL_UNAVAILABLE');
    nothingHappened();
  });

  test('keeps a no as final if a yes follows with the same handle', async () => {
    const question = await ask();
    expect(codeOf(await answered(question, { action: 'decline' }))).toBe('E_APPROVAL_DECLINED');
    expect(codeOf(await answered(question, accept(act(question))))).toBe('E_APPROVAL_DECLINED');
    const no = await ask();
    expect(codeOf(await answered(no, { action: 'accept', content: { decision: 'no' } }))).toBe('E_APPROVAL_DECLINED');
    nothingHappened();
  });

  test.each([
    ['a closed dialog', { action: 'cancel' }],
    ['an empty accept', { action: 'accept', content: {} }],
    ['an accept without content', { action: 'accept' }],
    ['a wrong choice', { action: 'accept', content: { decision: 'Pay SAR 0.01' } }],
    ['another form', { action: 'accept', content: { confirm: true, yes: true } }],
    ['nothing at all', undefined],
  ])('does not take %s for an answer, and asks on the page', async (_name, raw) => {
    const question = await ask();
    const answer = await answered(question, raw);
    expect(codeOf(answer)).toBe('approval_required');
    // The dialog can no longer answer this question.
    expect(codeOf(await answered(question, accept(act(question))))).toBe('approval_required');
    nothingHappened();
  });

  test('refuses an answer with a forged handle', async () => {
    const question = await ask();
    for (const handle of ['ap_forged', '', act(question), `${question.handle}x`]) {
      const answer = await desk.call(tool, args, { ...dialogHow, dialog: { handle, raw: accept(act(question)) } });
      expect(codeOf(answer)).toBe('E_APPROVAL_INVALID');
    }
    nothingHappened();
  });

  test('refuses a yes with changed arguments', async () => {
    const question = await ask();
    const answer = await answered(question, accept(act(question)), scenario.others(locator));
    expect(codeOf(answer)).toBe('E_APPROVAL_INVALID');
    nothingHappened();
  });

  test('asks again if the handle of the dialog comes as approval_id', async () => {
    const question = await ask();
    const again = await desk.call(tool, { ...args, approval_id: question.handle }, dialogHow);
    expect(codeOf(again)).toBe('ask');
    nothingHappened();
  });

  test('refuses the handle of another caller', async () => {
    const question = await ask();
    const answer = await desk.call(tool, args, {
      ...dialogHow,
      caller: { ...CALLER, id: 'bob' },
      dialog: { handle: question.handle, raw: accept(act(question)) },
    });
    expect(codeOf(answer)).toBe('E_APPROVAL_INVALID');
    nothingHappened();
  });

  test('refuses the handle of a question for another tool', async () => {
    const question = await ask();
    for (const [other, otherScenario] of Object.entries(SCENARIOS)) {
      if (other === tool) continue;
      const answer = await desk.call(other, otherScenario.args(locator), {
        ...dialogHow,
        dialog: { handle: question.handle, raw: accept(act(question)) },
      });
      expect(codeOf(answer)).toBe('E_APPROVAL_INVALID');
    }
    nothingHappened();
  });
});

describe.each(Object.entries(SCENARIOS))('%s, once', (tool, scenario) => {
  test('refuses an expired yes, and carries out a new one once', async () => {
    const locator = await scenario.booking(desk);
    const args = scenario.args(locator);
    const first = await desk.call(tool, args, dialogHow);
    if (first.kind !== 'ask') throw new Error('did not ask');
    const raw = accept(first.form.properties.decision.enum[1] ?? '');
    desk.advance(10 * 60_000);
    const before = desk.acts().length;
    expect(codeOf(await desk.call(tool, args, { ...dialogHow, dialog: { handle: first.handle, raw } }))).toBe(
      'E_APPROVAL_EXPIRED',
    );
    expect(desk.acts()).toHaveLength(before);

    const second = await desk.call(tool, args, dialogHow);
    if (second.kind !== 'ask') throw new Error('did not ask');
    const yes = {
      ...dialogHow,
      dialog: { handle: second.handle, raw: accept(second.form.properties.decision.enum[1] ?? '') },
    };
    const done = await desk.result(tool, args, yes);
    expect(done.structured.status, done.text).toBe('done');
    const after = desk.acts().length;
    expect(after).toBeGreaterThan(before);
    for (const how of [yes, {}]) {
      const again = await desk.result(tool, { ...args, ...(how === yes ? {} : { approval_id: second.handle }) }, how);
      expect(again.structured.status, again.text).toBe('already_done');
      expect(again.structured.operation_id).toBe(done.structured.operation_id);
    }
    expect(desk.acts()).toHaveLength(after);
  });
});
