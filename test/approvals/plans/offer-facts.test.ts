import { describe, expect, test } from 'vitest';
import { driftFromOffer, offerFacts } from '../../../src/approvals/plans/offer-facts.ts';
import type { Booking } from '../../../src/domain/booking/booking.ts';
import { BACK, held, OUT, option, sar, segment } from '../../support/bookings.ts';
import { bareTraveler, personName, traveler } from '../../support/people.ts';

const facts = offerFacts([OUT, BACK], sar(69000), held().travelers);
const drift = (over: Partial<Booking>) => driftFromOffer(facts, held(over));

describe('what an offer promises', () => {
  test('is kept by the booking that it describes, however the airline writes names and times', () => {
    expect(drift({})).toBeUndefined();
    const [first = segment('1')] = OUT.segments;
    const utc = { ...first, ref: '7', departs: '2026-12-01T05:00:00Z' };
    expect(drift({ options: [option(utc), BACK] })).toBeUndefined();
    expect(drift({ travelers: [traveler('4', 'AMAL', 'HADDAD')] })).toBeUndefined();
    expect(drift({ travelers: [{ ...traveler('4', '', ''), name: personName('AMAL', 'HADDAD') }] })).toBeUndefined();
  });

  test('is broken by another flight, another fare, other passengers or another total', () => {
    expect(drift({ options: [OUT] })).toBe('flight 2 of the offer is not in the booking');
    expect(
      drift({
        options: [
          OUT,
          BACK,
          option(segment('3', { flightNumber: '303', operating: { carrier: 'HHR', number: '303' } })),
        ],
      }),
    ).toBe('the booking also has HHR303');
    expect(drift({ options: [option(segment('1', { fareBasis: 'YFLEX' })), BACK] })).toBe(
      'it is held in fare YFLEX, not in YOW',
    );
    expect(drift({ travelers: [traveler('1', 'Badr', 'Haddad')] })).toBe('its passengers are others');
    expect(drift({ travelers: [bareTraveler('1')] })).toBe('its passengers are others');
    const { pricing: _, ...unpriced } = held();
    expect(driftFromOffer(facts, unpriced)).toBe('the booking has no price');
    expect(driftFromOffer({ ...facts, total: sar(70000) }, held())).toBe('it costs SAR 690.00, not SAR 700.00');
  });
});
