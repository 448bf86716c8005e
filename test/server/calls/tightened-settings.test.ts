/**
 * A question asked under looser settings: only a yes that the present settings allow counts.
 */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Result } from '../../../src/approvals/answer.ts';
import type { Clerk } from '../../../src/server/clerk.ts';
import { heldBooking } from './bookings.ts';
import { accept, CALLER, codeOf, type Desk, failures, openDesk, siblingOf } from './desk.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk({ approval: 'elicit' });
});
afterEach(async () => {
  await desk.close();
  expect(failures).toEqual([]);
});

const PAY = { payment: { type: 'invoice' } };
const PAGE = { assurance: 'page' } as const;

describe('a question in the dialog, after the operator required the page', () => {
  const how = { caller: CALLER, canElicit: true, canOpenUrls: false };
  const above = { pageAbove: { minor: 100, currency: 'SAR' } };
  const stricter: readonly [string, Partial<Clerk['options']>][] = [
    ['page', { approval: 'page', canUseTerminal: true }],
    ['amounts above a mark', { approval: 'auto', ...above, canUseTerminal: true }],
  ];

  async function askedInDialog() {
    const args = { locator: await heldBooking(desk), ...PAY };
    const asked = await desk.clerk.call('pay_booking', args, how);
    if (asked.kind !== 'ask') throw new Error('did not ask');
    const dialog = (raw: unknown) => ({ ...how, dialog: { handle: asked.handle, raw } });
    const [waiting] = await desk.clerk.waiting();
    return {
      args,
      handle: asked.handle,
      id: waiting?.operationId ?? '',
      yes: dialog(accept(asked.form.properties.decision.enum[1] ?? '')),
      no: { declined: dialog({ action: 'decline' }), 'the choice no': dialog(accept('no')) },
    };
  }

  test.each(stricter)('does not accept a yes in the dialog, but on the page: approval by %s', async (_, options) => {
    const { args, id, yes, handle } = await askedInDialog();
    const strict = siblingOf(desk, options);
    const moved = (await strict.call('pay_booking', args, yes)) as Result;
    expect(codeOf(moved)).toBe('approval_required');
    expect(moved.text).toContain('fareclerk approve');
    // The old setting does not accept it either: the question is now on the page.
    expect(codeOf((await desk.clerk.call('pay_booking', args, yes)) as Result)).toBe('approval_required');
    expect(desk.acts()).toEqual([]);
    expect((await strict.decide(id, true, PAGE)).kind).toBe('done');
    const told = await strict.call('pay_booking', { ...args, approval_id: handle }, how);
    expect(codeOf(told as Result)).toBe('done');
    const [operation] = await desk.parts.state.operations.list({});
    expect(operation).toMatchObject({ id, assurance: 'page' });
  });

  test.each(stricter)('does not show the dialog again: approval by %s', async (_, options) => {
    const { args, handle } = await askedInDialog();
    const again = await siblingOf(desk, options).call('pay_booking', { ...args, approval_id: handle }, how);
    expect(again.kind === 'result' && codeOf(again)).toBe('approval_required');
    expect((await desk.clerk.waiting()).map(({ askedBy }) => askedBy)).toEqual(['page']);
  });

  test.each(['declined', 'the choice no'] as const)(
    'accepts a no in the dialog after the settings changed: %s',
    async (which) => {
      const { args, no } = await askedInDialog();
      const told = await siblingOf(desk, { approval: 'page', canUseTerminal: true }).call(
        'pay_booking',
        args,
        no[which],
      );
      expect(codeOf(told as Result)).toBe('E_APPROVAL_DECLINED');
      expect(await desk.clerk.waiting()).toEqual([]);
    },
  );

  test('keeps the question but refuses its yes in the dialog if there is no page', async () => {
    const { args, yes } = await askedInDialog();
    const told = (await siblingOf(desk, { approval: 'elicit', ...above }).call('pay_booking', args, yes)) as Result;
    expect(codeOf(told)).toBe('E_APPROVAL_UNAVAILABLE');
    expect(desk.acts()).toEqual([]);
    expect(codeOf((await desk.clerk.call('pay_booking', args, yes)) as Result)).toBe('done');
  });
});
