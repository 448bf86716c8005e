/**
 * The refusals of approvals: what happened, that nothing was sent, and who acts next.
 */

import { describe, expect, test } from 'vitest';
import { type ApprovalChannels, chooseChannel } from '../../src/approvals/channels.ts';
import { formSchema } from '../../src/approvals/dialog.ts';
import { approvalDeclined, approvalInvalid, approvalStale, assertAnswerable } from '../../src/approvals/expiry.ts';
import { assertWithinLimits } from '../../src/approvals/limits.ts';
import type { Approval } from '../../src/approvals/ports.ts';
import { askFor, grantUnasked } from '../../src/approvals/request.ts';
import type { Terms } from '../../src/approvals/terms.ts';
import type { ClerkError } from '../../src/errors.ts';
import { pendingApproval } from '../support/approvals.ts';

function thrownBy(run: () => unknown): ClerkError {
  try {
    run();
  } catch (error) {
    return error as ClerkError;
  }
  throw new Error('nothing was thrown');
}

const SAR = (minor: number) => ({ minor, currency: 'SAR' });
const approval = (over: Partial<Approval>) => pendingApproval({ expiresAt: 1000, sections: [], ...over });

describe('an approval that cannot be answered', () => {
  test.each<[string, Partial<Approval>, number, string, RegExp, RegExp]>([
    [
      'declined',
      { decision: 'declined' },
      0,
      'E_APPROVAL_DECLINED',
      /^The person said no\. Nothing was sent\. The booking is unchanged\.$/,
      /^Do not ask again unless .*pay_booking without approval_id\.$/,
    ],
    [
      'changed terms',
      { staleLines: ['new'] },
      0,
      'E_APPROVAL_STALE',
      /terms changed after the question.*nothing was sent\.$/,
      /^Show the new terms, then call pay_booking again/,
    ],
    [
      'spent without an outcome',
      { decision: 'void' },
      0,
      'E_APPROVAL_EXPIRED',
      /^The yes could not be carried out, and is spent\. Nothing was sent\.$/,
      /^Call pay_booking again without approval_id to ask anew\.$/,
    ],
    [
      'expired',
      {},
      1000,
      'E_APPROVAL_EXPIRED',
      /^The approval was not given within ten minutes\. Nothing was sent\.$/,
      /pay_booking/,
    ],
    [
      'granted and expired',
      { decision: 'granted' },
      1000,
      'E_APPROVAL_EXPIRED',
      /^The approval was not carried out within ten minutes\. Nothing/,
      /pay_booking/,
    ],
  ])('explains why an approval cannot be answered: %s', (_, over, now, code, message, next) => {
    const error = thrownBy(() => assertAnswerable(approval(over), now));
    expect(error).toMatchObject({ code, effect: 'none', retry: 'never' });
    expect(error.message).toMatch(message);
    expect(error.next).toMatch(next);
  });

  test.each(['pending', 'granted'] as const)('accepts a %s approval until the last millisecond', (decision) => {
    expect(() => assertAnswerable(approval({ decision }), 999)).not.toThrow();
  });

  test('names the tool in every refusal of an approval', () => {
    expect(approvalInvalid('pay_booking').message).toMatch(
      /^This approval_id does not fit this call, or is more than a week old\. Nothing was sent now\.$/,
    );
    expect(approvalInvalid('pay_booking').next).toMatch(/^Call pay_booking without approval_id/);
    expect(approvalDeclined('pay_booking').next).toMatch(/pay_booking/);
    expect(approvalDeclined('pay_booking').next).not.toContain('quote_cancellation');
    for (const tool of ['cancel_booking', 'cancel_segment', 'cancel_passenger']) {
      expect(approvalDeclined(tool).next).toContain('call quote_cancellation: it asks nobody');
    }
    expect(approvalStale('pay_booking', ['x'])).toMatchObject({ code: 'E_APPROVAL_STALE', terms: ['x'] });
  });
});

describe('the stored approval', () => {
  const question = (locator: string | undefined) => ({
    caller: { tenant: 't', id: 'ann' },
    tool: 'pay_booking',
    args: {},
    carried: {},
    terms: {
      ...(locator !== undefined && { locator }),
      sections: [{ kind: 'act', lines: ['x'] }],
      nature: 'change',
      act: 'x',
      ask: true,
      subject: { kind: 'create' },
      send: 0,
    } as Terms,
    askedBy: 'page' as const,
    operationId: 'op',
    now: 5,
  });
  const state = { approvals: { put: async () => undefined }, digestKey: new Uint8Array(32) } as never;

  test('stores a question as pending, and terms that need none as granted', async () => {
    const asked = (await askFor(state, question('ABC123'))).approval;
    expect(asked).toMatchObject({ locator: 'ABC123', decision: 'pending', createdAt: 5, expiresAt: 600_005 });
    expect('decidedAt' in asked).toBe(false);
    const unasked = (await grantUnasked(state, question(undefined))).approval;
    expect(unasked).toMatchObject({ decision: 'granted', assurance: 'none', decidedAt: 5 });
    expect('locator' in unasked).toBe(false);
  });
});

describe('nobody can be asked', () => {
  const nobody: ApprovalChannels = {
    mode: 'auto',
    environment: 'live',
    canElicit: false,
    canShowPage: false,
    canUseTerminal: false,
  };

  test('says that nobody can be asked, and what the operator can do', () => {
    const error = thrownBy(() => chooseChannel(nobody));
    expect(error).toMatchObject({ code: 'E_APPROVAL_UNAVAILABLE', effect: 'none' });
    expect(error.message).toMatch(/^Nobody can be asked .* no page can be opened\. Nothing was sent\.$/);
    expect(error.next).toMatch(/operator sets FARECLERK_APPROVAL or FARECLERK_PUBLIC_URL\.$/);
  });

  test('says only if the amount requires the page', () => {
    const money = { direction: 'payment', amount: SAR(200) } as const;
    const dear = { ...nobody, canElicit: true, money, pageAbove: SAR(100) };
    expect(thrownBy(() => chooseChannel(dear)).message).toMatch(
      /opened\. Amounts above SAR 1\.00 need the approval page\. Nothing/,
    );
    expect(thrownBy(() => chooseChannel({ ...nobody, mode: 'page' })).message).not.toMatch(/Amounts/);
    expect(thrownBy(() => chooseChannel({ ...nobody, pageAbove: SAR(100) })).message).not.toMatch(/Amounts/);
  });

  test('chooses the dialog without an amount, without a bound or at the bound', () => {
    expect(chooseChannel({ ...nobody, canElicit: true, pageAbove: SAR(100) })).toBe('elicit');
    expect(chooseChannel({ ...nobody, canElicit: true, money: { direction: 'payment', amount: SAR(100) } })).toBe(
      'elicit',
    );
    expect(
      chooseChannel({
        ...nobody,
        canElicit: true,
        money: { direction: 'payment', amount: SAR(100) },
        pageAbove: SAR(100),
      }),
    ).toBe('elicit');
  });
});

test('names the operator who can raise the limit', () => {
  const error = thrownBy(() => assertWithinLimits({ perAction: SAR(100) }, { direction: 'payment', amount: SAR(150) }));
  expect(error.message).toBe('SAR 1.50 is SAR 0.50 over the limit of SAR 1.00 for an action. Nothing was sent.');
  expect(error.next).toMatch(/operator raises FARECLERK_LIMIT_PER_ACTION or FARECLERK_LIMIT_PER_DAY\.$/);
});

test('builds a form with one choice and no default', () => {
  expect(formSchema('Pay SAR 1.00')).toEqual({
    type: 'object',
    properties: { decision: { type: 'string', title: 'Your decision', enum: ['no', 'Pay SAR 1.00'] } },
    required: ['decision'],
  });
});
