/**
 * The trip that some offers make: their segments in order, with pointers of our own.
 */

import { type Deadlines, fareDeadlines, hasPassed } from '../../domain/booking/deadlines.ts';
import type { SegmentOption } from '../../domain/booking/itinerary.ts';
import type { Offer, PassengerCounts } from '../../domain/pricing/fare-search.ts';
import { type Money, sumMoney } from '../../domain/pricing/money.ts';
import type { ShelvedOffer } from '../../domain/pricing/offer-store.ts';
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import { instantOf } from '../../domain/time-and-text/times.ts';
import { ClerkError, inputError } from '../../errors.ts';
import { isNameless, lacksCarrier, NEEDS_CARRIER } from '../views/offers.ts';
import { refundability } from '../views/refund-of-offer.ts';
import type { ToolContext } from './define.ts';

export interface Trip {
  readonly options: readonly SegmentOption[];
  readonly passengers: PassengerCounts;
  /** What the offers cost together; absent where they are in two currencies. */
  readonly total?: Money;
  /** By when its offers want names and payment. */
  readonly limits: Pick<Deadlines, 'payBy' | 'namesUntil'>;
  /** What its first offer says of the refund, where it says anything. */
  readonly refundNote?: string;
}

/** What of an offer is kept to book it: its flights, its price and its time limits. Rules will be the booking's own. */
export function bookable({ leg, options, pricing: { total, fares, quoteId } }: Offer): Offer {
  const limits = fares.filter(({ payBy, namesUntil }) => payBy !== undefined || namesUntil !== undefined);
  return omitUndefined({
    leg,
    options,
    pricing: omitUndefined({
      total: total && { ...total, lines: [], baggage: [], remarks: [] },
      refunds: [],
      fares: limits.map(({ payBy, namesUntil }) =>
        omitUndefined({ payBy, namesUntil, references: [], refundRules: [], changeRules: [] }),
      ),
      perType: [],
      quoteId,
    }),
    notes: [],
  });
}

/** The refund note of an offer, where the airline states a rule with it: the booking's own rule can differ. */
export function refundNoteOf({ pricing, options }: Offer, ctx: ToolContext): Pick<ShelvedOffer, 'refundNote'> {
  if (!pricing.fares.some(({ refundRules }) => refundRules.length > 0)) return {};
  return { refundNote: refundability(pricing, ctx.now(), options[0]?.segments[0]?.departs).refund_note };
}

const FIELD = 'offer_ids';

/** Takes offers from the shelf and joins them. Throws E_OFFER_EXPIRED, E_CONFIG, E_INPUT. */
export async function tripOf(ids: readonly string[], ctx: ToolContext): Promise<Trip> {
  const shelved = await Promise.all(ids.map((id) => ctx.state.offers.get(ctx.caller, id)));
  const taken = shelved.map((offer, i) => alive(offer, ids[i] ?? '', ctx.now()));
  const offers = inLegOrder(taken);
  const options = withCarrier(numbered(offers), ctx.settings.carrier);
  assertInOrder(options);
  const total = sumOf(offers);
  const passengers = taken[0]?.passengers ?? { adults: 0, children: 0, infants: 0 };
  const fares = offers.flatMap(({ pricing }) => pricing.fares);
  const limits = fareDeadlines({ refunds: [], fares, perType: [] });
  return omitUndefined({ options, passengers, limits, total, refundNote: taken[0]?.refundNote });
}

/**
 * What a booking request needs of each segment. Throws where the airline did not say which fare it is: rail services
 * would choose one. A record's times in UTC are not sent either: holds are made in local time (docs/wire/notes.md,
 * Availability record).
 */
export function assertSendable({ options }: Trip, { settings }: ToolContext): void {
  const segments = options.flatMap((option) => option.segments);
  const next = 'Call search_fares again without include_sold_out, and book another offer.';
  if (segments.some(({ journeyDate }) => journeyDate !== undefined)) {
    const message = 'The airline gave the times of this offer in UTC alone, and books in local time. Nothing was sent.';
    throw new ClerkError('E_AIRLINE_REPLY', message, { next });
  }
  if (settings.dialect === 'airline' || segments.every(({ fareBasis }) => fareBasis !== undefined)) return;
  throw new ClerkError('E_AIRLINE_REPLY', 'The airline did not say which fare this offer is. Nothing was sent.', {
    next,
  });
}

function alive(shelved: ShelvedOffer | undefined, id: string, now: number): ShelvedOffer {
  // Only what looks like a handle of ours: anything else may be a value in the wrong place.
  const shown = /^o[a-z\d]{1,11}$/.test(id) ? id : 'given';
  const limits = [shelved?.validUntil, ...(shelved?.offer.pricing.fares.map((fare) => fare.payBy) ?? [])];
  if (shelved !== undefined && !limits.some((limit) => hasPassed(limit, now))) return shelved;
  const why = shelved === undefined ? 'is not known here, or no longer' : 'has lapsed';
  throw new ClerkError('E_OFFER_EXPIRED', `Offer ${shown} ${why}. Nothing was booked.`, {
    next: 'Call search_fares again and book one of its offers.',
  });
}

/** One offer for the whole trip, or one for each leg: of one search, or of a search for each. */
function inLegOrder(taken: readonly ShelvedOffer[]): readonly Offer[] {
  const [first] = taken;
  if (first === undefined) throw inputError(FIELD, 'expected at least one offer_id.');
  const alone = ofOwnSearches(taken);
  if (alone !== undefined) return alone;
  const legs = first.legs.length;
  const perLeg = taken.every(({ offer }) => offer.leg !== undefined);
  if (taken.length === 1 && (!perLeg || legs === 1)) return [first.offer];
  if (!perLeg) throw inputError(FIELD, 'expected one offer: each of these is for a whole trip.');
  const search = (shelved: ShelvedOffer) => JSON.stringify([shelved.legs, shelved.passengers]);
  if (taken.some((shelved) => search(shelved) !== search(first))) {
    throw inputError(FIELD, 'expected offers of one search, or of one search for each leg.', TOGETHER);
  }
  const byLeg = Array.from({ length: legs }, (_, leg) => taken.filter(({ offer }) => offer.leg === leg));
  const wrong = byLeg.findIndex((offers) => offers.length !== 1);
  if (wrong >= 0 || taken.length !== legs) {
    throw inputError(
      FIELD,
      `expected one offer for each of the ${legs} legs; leg ${wrong + 1} has ${byLeg[wrong]?.length}.`,
    );
  }
  return byLeg.flatMap((offers) => offers.map(({ offer }) => offer));
}

const TOGETHER =
  'Call search_fares with all legs of the trip at once; where the airline refuses that, once for each leg with the same passengers.';

/** Some airlines refuse two legs in one search (docs/wire/notes.md, Round trips). Two flights from one place are a choice. */
function ofOwnSearches(taken: readonly ShelvedOffer[]): readonly Offer[] | undefined {
  if (taken.length < 2 || taken.some(({ legs }) => legs.length !== 1)) return undefined;
  const sorted = [...taken].sort((a, b) => departureOf(a) - departureOf(b));
  const from = ({ legs }: ShelvedOffer) => legs[0]?.from;
  if (sorted.some((one, i) => i > 0 && from(one) === from(sorted[i - 1] as ShelvedOffer))) return undefined;
  if (new Set(taken.map(({ passengers }) => JSON.stringify(passengers))).size > 1) {
    throw inputError(FIELD, 'expected offers for the same passengers.', TOGETHER);
  }
  return sorted.map(({ offer }) => offer);
}

function departureOf({ offer }: ShelvedOffer): number {
  return instantOf(offer.options[0]?.segments[0]?.departs) ?? 0;
}

/** Options and segments numbered through, so that travellers can point at them: an option is named by its first. */
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

function withCarrier(options: readonly SegmentOption[], carrier: string | undefined): readonly SegmentOption[] {
  if (!lacksCarrier(options)) return options;
  if (carrier === undefined) {
    throw new ClerkError('E_CONFIG', `${NEEDS_CARRIER} Nothing was booked.`, {
      next: 'Ask the operator to set FARECLERK_CARRIER, or search without include_sold_out.',
    });
  }
  return options.map((option) => ({
    ...option,
    segments: option.segments.map((segment) => ({
      ...segment,
      ...(isNameless(segment) && { operating: { carrier, number: segment.flightNumber } }),
    })),
  }));
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

function sumOf(offers: readonly Offer[]): Money | undefined {
  const totals = offers.flatMap((offer) => offer.pricing.total?.total ?? []);
  return totals.length === offers.length ? sumMoney(totals) : undefined;
}
