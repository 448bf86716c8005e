/**
 * A rule is shown for the segments of the unit that contains its fare component.
 */
import { describe, expect, test } from 'vitest';
import type { FareComponent } from '../../../src/domain/pricing/fare.ts';
import { viewRules } from '../../../src/tools/views/price-and-rules.ts';
import { ADULT_RULES, fare, fiveAdults, NOW, option, segment } from '../../support/bookings.ts';

const RULE = ADULT_RULES.slice(0, 1);
const THERE_TWICE = [
  option(segment('1', { from: 'AAA', to: 'BBB' })),
  option(segment('2', { from: 'BBB', to: 'AAA' })),
  option(segment('3', { from: 'AAA', to: 'BBB' })),
];
const component = (ref: string, from: string, to: string): FareComponent => fare(ref, from, to, { refundRules: RULE });

function shown(options: ReturnType<typeof option>[], fares: readonly FareComponent[]) {
  const booking = fiveAdults({ options });
  const pricing = { refunds: [], perType: [], ...booking.pricing, fares };
  const rules = viewRules({ ...booking, pricing }, { now: NOW });
  return rules.map((rule) => rule.segment_refs);
}

describe('segments of a rule', () => {
  test('shows a rule for its own segment if the trip has the same airports twice', () => {
    const fares = [component('1', 'AAA', 'BBB'), component('2', 'BBB', 'AAA'), component('3', 'AAA', 'BBB')];
    expect(shown(THERE_TWICE, fares)).toEqual([['1'], ['2'], ['3']]);
  });

  test('shows a rule for no segment if it fits none', () => {
    expect(shown(THERE_TWICE, [component('9', 'AAA', 'BBB')])).toEqual([undefined]);
    expect(shown(THERE_TWICE, [component('9', 'CCC', 'DDD')])).toEqual([undefined]);
  });

  test('shows a rule for every segment of a connection', () => {
    const connection = [option(segment('1', { from: 'AAA', to: 'CCC' }), segment('2', { from: 'CCC', to: 'BBB' }))];
    expect(shown(connection, [component('1', 'AAA', 'BBB')])).toEqual([['1', '2']]);
  });
});
