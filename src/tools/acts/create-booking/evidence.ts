/** What a new booking is expected to be, and what proves that it was made. */
import { instantOf } from '../../../core/times.ts';
import type { Booking } from '../../../domain/booking/booking.ts';
import type { Digest } from '../../../domain/people/identity-text.ts';
import { namesSent, namesShown } from '../../../domain/people/names.ts';
import type { Traveler } from '../../../domain/people/traveler.ts';
import type { ChosenOffer } from '../../../domain/pricing/fare-units.ts';
import type { ActEvidence } from '../../../journal/act.ts';
import type { Verdict } from '../../../journal/evidence.ts';

export type CreateBooking = {
  readonly kind: 'create';
  /** Its segments in words, for a person who looks for the hold at the airline. */
  readonly trip?: readonly string[];
  /** Digests of the travellers' names; absent while they have none. */
  readonly names?: readonly string[];
  /** The chosen offer, to compare with what is held and with another create of the same trip. */
  readonly offer?: ChosenOffer;
  /** The last departure in UTC, `2026-12-09T15:40:00.000Z`: until then the trip could be booked twice. */
  readonly until?: string;
};

export function expectCreate(
  travelers: readonly Traveler[],
  digest: Digest,
  offer?: ChosenOffer,
  lastDeparture?: string,
  trip: readonly string[] = [],
): CreateBooking {
  const names = namesSent(travelers).map(digest);
  const until = instantOf(lastDeparture);
  return {
    kind: 'create',
    ...(trip.length > 0 && { trip }),
    ...(names.length > 0 && { names }),
    ...(offer && { offer }),
    ...(until !== undefined && { until: new Date(until).toISOString() }),
  };
}

export const createEvidence: ActEvidence<CreateBooking> = {
  kind: 'create',
  reply: (expected, { booking }, { digest }) => judgeMade(expected, booking, digest),
  reading: () => 'void',
  learns: (_, { booking }) => ({ ...(booking && { locator: booking.locator }) }),
  toCheck: ({ trip }) =>
    `whether a hold was made for these flights and travellers${trip ? `, ${trip.join(' and ')}` : ''}`,
};

/** By names: the locator is new, and a socket can deliver somebody else's booking. */
function judgeMade({ names }: CreateBooking, made: Booking | undefined, digest: Digest): Verdict {
  if (made === undefined || made.locator === '') return 'void';
  const shown = namesShown(made.travelers);
  const others = names !== undefined && shown.length > 0 && !shown.some((name) => names.includes(digest(name)));
  return others ? 'void' : 'done';
}
