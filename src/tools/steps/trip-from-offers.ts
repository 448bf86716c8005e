/** Joins stored offers into one trip, with segments in order and our own pointers. */

import { ClerkError, inputError } from '../../core/errors.ts';
import { type Money, sumMoney } from '../../core/money.ts';
import { instantOf } from '../../core/times.ts';
import { capitalized } from '../../core/words.ts';
import type { SegmentOption } from '../../domain/booking/booking.ts';
import { type Deadlines, fareDeadlines, hasPassed } from '../../domain/booking/booking-state.ts';
import type { Offer, PassengerCounts, ShelvedOffer } from '../../domain/pricing/offers.ts';
import type { ToolContext } from '../definition/define.ts';
import { withCarrier } from '../rules/missing-carrier.ts';
import { notSent } from '../rules/refusal.ts';

export interface Trip {
  readonly options: readonly SegmentOption[];
  readonly passengers: PassengerCounts;
  /** Sum of the offers; absent if they are in two currencies. */
  readonly total?: Money;
  readonly limits: Pick<Deadlines, 'payBy' | 'namesUntil'>;
  readonly refundNote?: string;
}

const FIELD = 'offer_ids';

/** Joins stored offers. Throws E_OFFER_EXPIRED, E_CONFIG, E_INPUT. */
export async function tripFromOffers(ids: readonly string[], ctx: ToolContext): Promise<Trip> {
  const stored = await Promise.all(ids.map((id) => ctx.state.offers.get(ctx.caller, id)));
  const taken = stored.map((offer, i) => unexpired(offer, ids[i] ?? '', ctx.now()));
  const offers = inLegOrder(taken);
  const options = withCarrier(numbered(offers), ctx.settings.carrier);
  assertInOrder(options);
  const total = sumOffers(offers);
  const passengers = taken[0]?.passengers ?? { adults: 0, children: 0, infants: 0 };
  const fares = offers.flatMap(({ pricing }) => pricing.fares);
  const limits = fareDeadlines({ refunds: [], fares, perType: [] });
  return { options, passengers, limits, total, refundNote: taken[0]?.refundNote };
}

/** Refuses offers without a fare (rail would choose one) or with UTC times (docs/wire/notes.md, Availability record). */
export function assertSendable({ options }: Trip, { settings }: ToolContext): void {
  const segments = options.flatMap((option) => option.segments);
  const next = 'Call search_fares again without include_sold_out, and book another offer.';
  if (segments.some(({ journeyDate }) => journeyDate !== undefined)) {
    const what = 'The airline gave the times of this offer in UTC alone, and books in local time.';
    throw notSent('E_AIRLINE_REPLY', what, next);
  }
  if (settings.dialect === 'airline' || segments.every(({ fareBasis }) => fareBasis !== undefined)) return;
  throw notSent('E_AIRLINE_REPLY', 'The airline did not say which fare this offer is.', next);
}

function unexpired(stored: ShelvedOffer | undefined, id: string, now: number): ShelvedOffer {
  // Repeats only offer ids: other text may be personal data in the wrong field.
  const shown = /^o[a-z\d]{1,11}$/.test(id) ? id : 'given';
  const limits = [stored?.validUntil, ...(stored?.offer.pricing.fares.map((fare) => fare.payBy) ?? [])];
  if (stored !== undefined && !limits.some((limit) => hasPassed(limit, now))) return stored;
  const search = 'call search_fares again and book one of its offers.';
  if (stored !== undefined) {
    const next = capitalized(search);
    throw new ClerkError('E_OFFER_EXPIRED', `Offer ${shown} has expired. This call booked nothing.`, { next });
  }
  // A journal that was restored does not know of each booking either.
  const what = `Offer ${shown} is not known here, or was found more than an hour ago. This call booked nothing; an earlier one may have.`;
  throw new ClerkError('E_OFFER_EXPIRED', what, {
    next: `If an earlier call booked it, list_bookings shows the booking; else ${search}`,
  });
}

/** One offer for the whole trip, or one per leg from one search or several. */
function inLegOrder(taken: readonly ShelvedOffer[]): readonly Offer[] {
  const [first] = taken;
  if (first === undefined) throw inputError(FIELD, 'expected at least one offer_id.');
  const alone = legByLeg(taken);
  if (alone !== undefined) return alone;
  const legs = first.legs.length;
  const perLeg = taken.every(({ offer }) => offer.leg !== undefined);
  if (taken.length === 1 && (!perLeg || legs === 1)) return [first.offer];
  if (!perLeg) throw inputError(FIELD, 'expected one offer: each of these is for a whole trip.');
  const search = (stored: ShelvedOffer) => JSON.stringify([stored.legs, stored.passengers]);
  if (taken.some((stored) => search(stored) !== search(first))) {
    throw inputError(FIELD, 'expected offers of one search, or of one search for each leg.', TOGETHER);
  }
  const byLeg = Array.from({ length: legs }, (_, leg) => taken.filter(({ offer }) => offer.leg === leg));
  const wrong = byLeg.findIndex((offers) => offers.length !== 1);
  if (wrong >= 0 || taken.length !== legs) {
    const found = `leg ${wrong + 1} has ${byLeg[wrong]?.length}`;
    throw inputError(FIELD, `expected one offer for each of the ${legs} legs; ${found}.`);
  }
  return byLeg.flatMap((offers) => offers.map(({ offer }) => offer));
}

const TOGETHER =
  'Call search_fares with all legs of the trip at once; where the airline refuses that, once for each leg with the same passengers.';

/** Offers of one search per leg, which some airlines require (docs/wire/notes.md, Round trips). */
function legByLeg(taken: readonly ShelvedOffer[]): readonly Offer[] | undefined {
  if (taken.length < 2 || taken.some(({ legs }) => legs.length !== 1)) return undefined;
  const sorted = [...taken].sort((a, b) => departureInstant(a) - departureInstant(b));
  const from = ({ legs }: ShelvedOffer) => legs[0]?.from;
  // Two flights from one place are alternatives, not legs of a trip.
  if (sorted.some((offer, i) => i > 0 && from(offer) === from(sorted[i - 1] as ShelvedOffer))) return undefined;
  if (new Set(taken.map(({ passengers }) => JSON.stringify(passengers))).size > 1) {
    throw inputError(FIELD, 'expected offers for the same passengers.', TOGETHER);
  }
  return sorted.map(({ offer }) => offer);
}

function departureInstant({ offer }: ShelvedOffer): number {
  return instantOf(offer.options[0]?.segments[0]?.departs) ?? 0;
}

/** Numbers all segments, for pointers of travellers. An option has the ref of its first segment. */
function numbered(offers: readonly Offer[]): readonly SegmentOption[] {
  let count = 0;
  return offers.flatMap((offer) =>
    offer.options.map((option) => {
      const ref = String(count + 1);
      const segments = option.segments.map((segment) => ({ ...segment, ref: String(++count), optionRef: ref }));
      return { ref, segments };
    }),
  );
}

function assertInOrder(options: readonly SegmentOption[]): void {
  const segments = options.flatMap((option) => option.segments);
  for (const [i, segment] of segments.entries()) {
    const before = segments[i - 1];
    const arrived = instantOf(before?.arrives);
    const departs = instantOf(segment.departs);
    if (arrived !== undefined && departs !== undefined && departs < arrived) {
      throw inputError(FIELD, `expected flights in order: segment ${segment.ref} departs before segment ${i} arrives.`);
    }
  }
}

function sumOffers(offers: readonly Offer[]): Money | undefined {
  const totals = offers.flatMap((offer) => offer.pricing.total?.total ?? []);
  return totals.length === offers.length ? sumMoney(totals) : undefined;
}
