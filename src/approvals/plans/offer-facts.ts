/** What an offer promises about a booking that is not made yet, and whether the booking keeps it once it is made. */
import { activeSegments, type Booking } from '../../domain/booking/booking.ts';
import type { FlightKey } from '../../domain/booking/expected-change.ts';
import { flightKey, sameFlight } from '../../domain/booking/expected-details.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import type { SegmentOption } from '../../domain/booking/itinerary.ts';
import { foldName } from '../../domain/people/identity-text.ts';
import { namesOf, type Traveler } from '../../domain/people/traveler.ts';
import { type ChosenOffer, chosenOffer, fareDifferences } from '../../domain/pricing/fare-codes.ts';
import { type Money, sameMoney, showMoney } from '../../domain/pricing/money.ts';
import { cleanCode } from '../../domain/time-and-text/clean-text.ts';

/** The `facts` of the terms of a payment whose booking does not exist yet. JSON. */
export interface OfferFacts {
  readonly flights: readonly FlightKey[];
  readonly chosen: ChosenOffer;
  readonly total: Money;
  /** Type and name of each passenger, folded and sorted. */
  readonly people: readonly string[];
}

export function offerFacts(
  options: readonly SegmentOption[],
  total: Money,
  travelers: readonly Pick<Traveler, 'type' | 'name'>[],
): OfferFacts {
  return {
    flights: options.flatMap(({ segments }) => segments.map(flightKey)),
    chosen: chosenOffer(options, total),
    total,
    people: peopleOf(travelers),
  };
}

/** What differs, in words; undefined if the booking is what was offered: its flights, fares, passengers and total. */
export function driftFromOffer({ flights, chosen, total, people }: OfferFacts, booking: Booking): string | undefined {
  const held = activeSegments(booking);
  const missing = flights.findIndex((flight) => !held.some((segment) => sameFlight(flight, flightKey(segment))));
  if (missing >= 0) return `flight ${missing + 1} of the offer is not in the booking`;
  const extra = held.find((segment) => !flights.some((flight) => sameFlight(flight, flightKey(segment))));
  if (extra !== undefined) return `the booking also has ${flightName(extra)}`;
  const [fare] = fareDifferences(chosen, booking);
  if (fare !== undefined) return `it is held in fare ${cleanCode(fare.held)}, not in ${cleanCode(fare.chosen)}`;
  if (JSON.stringify(peopleOf(booking.travelers)) !== JSON.stringify(people)) return 'its passengers are others';
  const price = booking.pricing?.total?.total;
  if (price === undefined) return 'the booking has no price';
  return sameMoney(price, total) ? undefined : `it costs ${showMoney(price)}, not ${showMoney(total)}`;
}

function peopleOf(travelers: readonly Pick<Traveler, 'type' | 'name'>[]): readonly string[] {
  const text = ({ type, name }: Pick<Traveler, 'type' | 'name'>) => {
    if (name === undefined) return type;
    const { given, middle, surname } = namesOf(name);
    return `${type} ${foldName(given + middle)}/${foldName(surname)}`;
  };
  return travelers.map(text).sort();
}
