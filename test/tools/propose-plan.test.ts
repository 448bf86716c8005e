import { describe, expect, test } from 'vitest';
import type { Finding } from '../../src/domain/booking/finding.ts';
import { ClerkError } from '../../src/errors.ts';
import { inputJsonSchema } from '../../src/server/schemas.ts';
import { proposePlan } from '../../src/tools/propose-plan.ts';
import { ticketed } from '../support/bookings.ts';
import { CONTACT } from '../support/people.ts';
import { openPlanDesk } from './plans/plan-desk.ts';
import { openDesk, parsed, refusedWith, shelved } from './support/tool-context.ts';

const step = (tool: string, args: object) => ({ tool, arguments: args });

async function propose(steps: readonly object[], desk = openPlanDesk()) {
  const args = parsed(proposePlan, { steps });
  const output = proposePlan.output().parse(await proposePlan.run(args, desk.ctx));
  return { output, text: proposePlan.text(output, args), kept: desk.kept[0] ?? [] };
}

const locators = (count: number) => Array.from({ length: count }, (_, i) => `ABC${100 + i}`);

describe('propose_plan', () => {
  test('lists each line with its money, then the sums, what is final and what was left out, and how to go on', async () => {
    const { output, text } = await propose([
      step('pay_booking', { locator: 'abc123', payment: { type: 'invoice' } }),
      step('cancel_segment', { locator: 'ABC124', all: true }),
      step('cancel_bookings', { locators: ['ABC125', 'ABC124'] }),
      step('change_names', { locator: 'ABC126', changes: [{ passenger_ref: '1', given_name: 'Amal' }] }),
    ]);
    expect(text).toBe(`Plan p1234567, 4 lines. Nothing was sent, and nobody was asked yet.
  1  Pay booking: ABC123; pays SAR 345.00
  2  Cancel segment: ABC124; about SAR 172.50 comes back
  3  Cancel booking: ABC125; what comes back is not known
  4  Change names: ABC126
In all: SAR 345.00 is paid; about SAR 172.50 comes back.
Cannot be undone: lines 2-3.
Left out:
     Cancel booking: ABC124: line 2 changes the same booking
Tell the person. Then call run_plan with plan_id p1234567 before 2026-11-29T05:10:00Z: one person is asked once, and ticks lines.`);
    expect(output.sums).toEqual([
      {
        currency: 'SAR',
        paid: '345.00',
        comes_back: '172.50',
        words: 'SAR 345.00 is paid; about SAR 172.50 comes back',
      },
    ]);
    expect(output.lines[0]).toEqual({
      line: 1,
      title: 'Pay booking: ABC123',
      locator: 'ABC123',
      money: 'pays SAR 345.00',
    });
  });

  test('says once for each change of the airline which lines it is about', async () => {
    const desk = openPlanDesk();
    const changed: Finding = {
      ...{ id: 'f1', tenant: 'desk', locator: 'ABC123', kind: 'segment_cancelled', seenAt: 0, since: 0 },
      segment: { from: 'MED', to: 'JED', number: '101', departs: '2026-12-01T08:00:00.000+03:00' },
      after: { status: 'cancelled' },
    };
    const findings = { open: async () => [changed], list: async () => [], close: async () => 0 };
    const ctx = { ...desk.ctx, state: { ...desk.ctx.state, findings } };
    const { output, text } = await propose([step('cancel_bookings', { locators: ['ABC123', 'ABC124'] })], {
      ...desk,
      ctx,
    });
    const why = 'the airline changed it: train 101 MED → JED on Tue 1 Dec was cancelled by the airline';
    expect(output.reasons).toEqual([{ why, lines: [1] }]);
    expect(text).toContain(`\nWhy line 1: ${why}\nIn all: `);
  });

  test('leaves out what is final and what was left out where there is none', async () => {
    const { text, output } = await propose([step('pay_booking', { locator: 'ABC123', payment: { type: 'cash' } })]);
    expect(text).not.toMatch(/undone|Left out/);
    expect(text).toContain('Plan p1234567, 1 line.');
    expect(output.cannot_be_undone).toBeUndefined();
    expect(output.reasons).toBeUndefined();
    const one = await propose([step('cancel_booking', { locator: 'ABC123' })]);
    expect(one.output.cannot_be_undone).toBe('line 1');
  });

  test.each([
    [step('cancel_booking', { locator: '?' }), 'steps[1].arguments.locator: expected a booking reference'],
    [
      step('cancel_booking', { locater: 'ABC123' }),
      'steps[1].arguments.locater: there is no such field. Nearest: locator',
    ],
    [step('cancel_bookings', { locators: [] }), 'steps[1].arguments.locators: expected 1 to 50 items'],
    [step('cancel_bookings', { locators: ['?'] }), 'steps[1].arguments.locators[0]: expected a booking reference'],
    [step('cancel_bookng', {}), 'nearest: cancel_booking'],
    [step('xyz', {}), 'steps[1].tool: expected pay_booking, cancel_segment'],
    [step('read_booking', { locator: 'ABC123' }), 'steps[1].tool: expected'],
    [step('propose_plan', { steps: [] }), 'steps[1].tool: expected'],
    [step('create_booking', { offer_ids: ['o1'], contact: CONTACT }), 'steps[1].tool: a hold is free and needs no yes'],
    [
      step('cancel_booking', { locator: 'ABC123', approval_id: 'ap_1' }),
      'steps[1].arguments.approval_id: a step has none of its own',
    ],
    [
      step('move_party', {
        locator: 'ABC123',
        offer_ids: ['o1'],
        payment: { type: 'cash', holder_name: '4111 1111 1111 1111' },
      }),
      'card',
    ],
  ])('names the step and the field of a mistake, and keeps no plan: %j', async (wrong, message) => {
    const desk = openPlanDesk();
    const error = await refusedWith(propose([step('cancel_booking', { locator: 'ABC122' }), wrong], desk), 'E_INPUT');
    expect(error.message).toContain(message);
    expect(desk.kept).toEqual([]);
  });

  test('shows a model which arguments a step takes, with their types', () => {
    const steps = inputJsonSchema(proposePlan).properties?.steps?.items?.properties;
    const { properties, description, additionalProperties } = steps?.arguments ?? {};
    expect(Object.keys(properties ?? {}).toSorted()).toEqual([
      'date',
      'locator',
      'locators',
      'offer_ids',
      'payment',
      'segment_refs',
      'train',
    ]);
    expect(properties?.offer_ids).toEqual({ type: 'array', items: { type: 'string' } });
    expect(properties?.payment?.properties?.type).toMatchObject({
      enum: ['external', 'credit_card', 'cash', 'debit_credit_account', 'invoice'],
    });
    expect(additionalProperties).not.toBe(false);
    for (const word of ['without approval_id', 'cancel_bookings', 'move_party', 'train'])
      expect(description).toContain(word);
  });

  test('takes up to 50 lines, however many steps they come from', async () => {
    expect((await propose([step('cancel_bookings', { locators: locators(50) })])).kept).toHaveLength(50);
    const more = [step('cancel_bookings', { locators: locators(50) }), step('cancel_booking', { locator: 'XYZ999' })];
    const error = await refusedWith(propose(more), 'E_INPUT');
    expect(error.message).toContain('steps: expected at most 50 lines, found 51.');
  });

  test('keeps no plan of which nothing is left, and says why', async () => {
    const desk = openPlanDesk({ bookings: [ticketed()] });
    const move = { locator: 'NONE99', offer_ids: ['o000001'], payment: { type: 'cash' } };
    const error = await refusedWith(propose([step('move_party', move)], desk), 'E_NOT_PERMITTED');
    expect(error.message).toContain('Move booking NONE99: There is no such booking. Nothing was sent.');
    expect(desk.kept).toEqual([]);
  });

  test('ends where the airline cannot be read at all, instead of leaving every line out', async () => {
    const down = new ClerkError('E_AIRLINE_DOWN', 'The airline does not answer.', { next: 'Wait.' });
    const desk = openPlanDesk({ airline: { read: () => Promise.reject(down) } });
    desk.shelf.set('o000001', shelved());
    const move = { locator: 'ABC123', offer_ids: 'o000001', payment: { type: 'cash' } };
    await refusedWith(propose([step('move_party', move)], desk), 'E_AIRLINE_DOWN');
  });

  test('works only where plans are on', async () => {
    const args = parsed(proposePlan, { steps: [step('cancel_booking', { locator: 'ABC123' })] });
    await expect(proposePlan.run(args, openDesk().ctx)).rejects.toThrow('plans are switched off');
  });
});
