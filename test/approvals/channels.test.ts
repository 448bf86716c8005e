import { describe, expect, test } from 'vitest';
import { type ApprovalChannels, type ApprovalMode, chooseChannel } from '../../src/approvals/channels.ts';
import type { MoneyAtStake } from '../../src/approvals/terms.ts';
import type { Money } from '../../src/domain/pricing/money.ts';

const base: ApprovalChannels = {
  mode: 'auto',
  environment: 'live',
  canElicit: false,
  canShowPage: false,
  canUseTerminal: false,
};
const sar = (minor: number) => ({ minor, currency: 'SAR' });
const paying = (amount: Money): MoneyAtStake => ({ direction: 'payment', amount });

function rung(over: Partial<ApprovalChannels>): string {
  try {
    return chooseChannel({ ...base, ...over });
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('the ladder', () => {
  test.each<[string, Partial<ApprovalChannels>, string]>([
    ['a dialog comes first', { canElicit: true, canShowPage: true }, 'elicit'],
    ['then the page', { canShowPage: true }, 'page'],
    ['then the terminal', { canUseTerminal: true }, 'page'],
    ['nobody to ask', {}, 'E_APPROVAL_UNAVAILABLE'],
    ['the sandbox takes the word of the model last', { environment: 'sandbox', canUseTerminal: true }, 'echo'],
    ['but not before the page', { environment: 'sandbox', canShowPage: true }, 'page'],
    [
      'elicit never falls to the word of the model',
      { mode: 'elicit', environment: 'sandbox' },
      'E_APPROVAL_UNAVAILABLE',
    ],
    ['elicit may use the page', { mode: 'elicit', canShowPage: true }, 'page'],
    ['page never uses the dialog', { mode: 'page', canElicit: true, canShowPage: true }, 'page'],
    ['page without a page', { mode: 'page', canElicit: true, environment: 'sandbox' }, 'E_APPROVAL_UNAVAILABLE'],
    ['echo asks in the dialog where it can', { mode: 'echo', canElicit: true }, 'elicit'],
    ['echo takes the two calls else', { mode: 'echo', canShowPage: true }, 'echo'],
    [
      'above the amount: page only',
      { canElicit: true, canShowPage: true, money: paying(sar(101)), pageAbove: sar(100) },
      'page',
    ],
    [
      'at the amount: the dialog',
      { canElicit: true, canShowPage: true, money: paying(sar(100)), pageAbove: sar(100) },
      'elicit',
    ],
    [
      'another currency cannot be compared: page',
      { canElicit: true, canShowPage: true, money: paying({ minor: 1, currency: 'EUR' }), pageAbove: sar(100) },
      'page',
    ],
    [
      'nobody knows how much: page',
      { canElicit: true, canShowPage: true, money: { direction: 'refund' }, pageAbove: sar(100) },
      'page',
    ],
    ['no money moves: the dialog', { canElicit: true, canShowPage: true, pageAbove: sar(100) }, 'elicit'],
    [
      'above the amount, echo does not help',
      { mode: 'echo', money: paying(sar(101)), pageAbove: sar(100) },
      'E_APPROVAL_UNAVAILABLE',
    ],
    [
      'above the amount, the sandbox does not help',
      { environment: 'sandbox', money: paying(sar(101)), pageAbove: sar(100) },
      'E_APPROVAL_UNAVAILABLE',
    ],
  ])('%s', (_name, over, expected) => {
    expect(rung(over)).toBe(expected);
  });

  test('live and auto never take the word of the model, whatever the client can do', () => {
    for (const mode of ['auto', 'elicit', 'page'] as ApprovalMode[]) {
      for (let bits = 0; bits < 8; bits++) {
        const over = { mode, canElicit: !!(bits & 1), canShowPage: !!(bits & 2), canUseTerminal: !!(bits & 4) };
        expect(rung(over)).not.toBe('echo');
      }
    }
  });
});
