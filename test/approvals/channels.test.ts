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

describe('the choice of a channel', () => {
  test.each<[string, Partial<ApprovalChannels>, string]>([
    ['the dialog first', { canElicit: true, canShowPage: true }, 'elicit'],
    ['then the page', { canShowPage: true }, 'page'],
    ['then the terminal', { canUseTerminal: true }, 'page'],
    ['no channel at all', {}, 'E_APPROVAL_UNAVAILABLE'],
    ["the model's confirmation last, in the sandbox", { environment: 'sandbox', canUseTerminal: true }, 'echo'],
    ["the page before the model's confirmation", { environment: 'sandbox', canShowPage: true }, 'page'],
    [
      "never the model's confirmation in elicit mode",
      { mode: 'elicit', environment: 'sandbox' },
      'E_APPROVAL_UNAVAILABLE',
    ],
    ['the page in elicit mode', { mode: 'elicit', canShowPage: true }, 'page'],
    ['never the dialog in page mode', { mode: 'page', canElicit: true, canShowPage: true }, 'page'],
    ['page mode without a page', { mode: 'page', canElicit: true, environment: 'sandbox' }, 'E_APPROVAL_UNAVAILABLE'],
    ['the dialog in echo mode if there is one', { mode: 'echo', canElicit: true }, 'elicit'],
    ['two calls in echo mode without a dialog', { mode: 'echo', canShowPage: true }, 'echo'],
    [
      'only the page above the amount',
      { canElicit: true, canShowPage: true, money: paying(sar(101)), pageAbove: sar(100) },
      'page',
    ],
    [
      'the dialog at the amount',
      { canElicit: true, canShowPage: true, money: paying(sar(100)), pageAbove: sar(100) },
      'elicit',
    ],
    [
      'the page for another currency',
      { canElicit: true, canShowPage: true, money: paying({ minor: 1, currency: 'EUR' }), pageAbove: sar(100) },
      'page',
    ],
    [
      'the page for an unknown amount',
      { canElicit: true, canShowPage: true, money: { direction: 'refund' }, pageAbove: sar(100) },
      'page',
    ],
    ['the dialog if no money moves', { canElicit: true, canShowPage: true, pageAbove: sar(100) }, 'elicit'],
    [
      'not echo above the amount',
      { mode: 'echo', money: paying(sar(101)), pageAbove: sar(100) },
      'E_APPROVAL_UNAVAILABLE',
    ],
    [
      "not the sandbox's echo above the amount",
      { environment: 'sandbox', money: paying(sar(101)), pageAbove: sar(100) },
      'E_APPROVAL_UNAVAILABLE',
    ],
  ])('chooses how to ask: %s', (_name, over, expected) => {
    expect(rung(over)).toBe(expected);
  });

  test("never accepts the model's confirmation on a live airline outside echo mode", () => {
    for (const mode of ['auto', 'elicit', 'page'] as ApprovalMode[]) {
      for (let bits = 0; bits < 8; bits++) {
        const over = { mode, canElicit: !!(bits & 1), canShowPage: !!(bits & 2), canUseTerminal: !!(bits & 4) };
        expect(rung(over)).not.toBe('echo');
      }
    }
  });
});
