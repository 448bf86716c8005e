/** What the rule of an offer keeps, in words: of figures that agree, that leave something out, and that do not agree. */
import { expect, test } from 'vitest';
import { offerRuleText } from '../../../src/tools/views/refund-text.ts';
import { faresOf, NOW, pricing, rule, sar, segment } from '../../support/bookings.ts';

const words = (over: Parameters<typeof rule>[0]) =>
  offerRuleText(pricing(34500, { fares: faresOf({ refundRules: [rule({ texts: [], ...over })] }) }), NOW, [
    segment('1'),
  ]);
const FEE = 'A fee of SAR 46.00 per person and segment, tax included';

test.each<[what: string, over: Parameters<typeof rule>[0], words: string]>([
  ['base, tax and total agree', { base: sar(4000) }, FEE],
  ['the tax was not sent, and is added', { base: sar(4000), tax: sar(0), total: sar(4000) }, FEE],
  [
    'a total beside base and tax that make more',
    { base: sar(4000), total: sar(4200) },
    `${FEE}, though its total says SAR 42.00`,
  ],
  ['nothing comes back', { refundable: false, base: sar(4000), total: sar(4200) }, 'No refund'],
])('%s', (_, over, expected) => {
  expect(words(over).replace(/,? until .*/, '')).toBe(expected);
});
