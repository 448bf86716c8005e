/** Fare searches: queries and offers, which are remembered between calls of tools. */
import { addDays, isRealDate } from '../../core/times.ts';
import { counted, listed } from '../../core/words.ts';
import type { Caller } from '../people/caller.ts';
import type { KeptRules } from '../refund/rules-in-force.ts';
import { departureDate, type Segment, type SegmentOption, type StationCode } from './booking.ts';
import type { LooseLimit, Pricing } from './fare.ts';

const PRICED_TYPES: readonly string[] = ['ADT', 'CHD', 'INF'];

/** Travellers in one booking (docs/wire/notes.md, Travellers). */
export const MOST_TRAVELERS = 9;

export interface PassengerCounts {
  readonly adults: number;
  readonly children: number;
  readonly infants: number;
}

export interface FareLeg {
  readonly from: StationCode;
  readonly to: StationCode;
  /** Local date of departure, YYYY-MM-DD. */
  readonly date: string;
  readonly daysBefore: number;
  readonly daysAfter: number;
}

export interface FareQuery {
  readonly legs: readonly FareLeg[];
  readonly passengers: PassengerCounts;
  /** Booking class letters; empty for no preference. */
  readonly bookingClasses: readonly string[];
  /** How many of the cheapest offers to read; others may only be counted. Default: all. */
  readonly most?: number;
  /** Asks the airline, too, for the departures without enough seats. */
  readonly includeSoldOut?: boolean;
}

/** One way to travel at one price. */
export interface Offer {
  /** 0-based index of its leg, if the airline offers legs separately. */
  readonly leg?: number;
  readonly options: readonly SegmentOption[];
  readonly pricing: Pricing;
  readonly looseLimits?: readonly LooseLimit[] | undefined;
  readonly notes: readonly string[];
}

/** Offers of a reply that are not shown. `why`: words that go on from their number, `for other stations than asked`. */
export interface UnshownOffers {
  readonly count: number;
  readonly why: string;
}

/** `2 offers of other stations, days or legs than asked for and 1 with a cancelled flight`. */
export function leftOutWords(leftOut: readonly UnshownOffers[]): string {
  const counts = new Map<string, number>();
  for (const { count, why } of leftOut) counts.set(why, (counts.get(why) ?? 0) + count);
  return listed([...counts].map(([why, count], i) => `${i === 0 ? counted(count, 'offer') : count} ${why}`));
}

/** A class of a departure without enough seats for the party. */
export interface SoldOutFlight {
  /** 0-based index of its leg. */
  readonly leg: number;
  /** In this class, with the seats that are left. */
  readonly segment: Segment;
}

export interface FareSearchResult {
  /** Which of the two documented reply forms was received. */
  readonly form: 'itineraries' | 'availability';
  readonly offers: readonly Offer[];
  /** Number of offers not read because of {@link FareQuery.most}: none is cheaper than those here. */
  readonly unread?: number;
  readonly leftOut?: readonly UnshownOffers[];
  /** Absent if the airline does not say: priced itineraries list only what is on sale. */
  readonly soldOut?: readonly SoldOutFlight[];
  /** UTC; `reservationTimeLimit` of an availability record. */
  readonly validUntil?: string;
}

/** Whether two codes name stations of one city. */
export type SameCity = (a: StationCode, b: StationCode) => boolean;

/** Whether an offer is for the trip that was asked for: as many options as legs, each from, to and on the local days of its leg. */
export function isOfferFor({ leg, options }: Offer, { legs }: FareQuery, isSameCity: SameCity): boolean {
  const asked = leg === undefined ? legs : legs.slice(leg, leg + 1);
  return (
    options.length === asked.length &&
    asked.every((each, i) => isLegAsAsked(each, options[i]?.segments ?? [], isSameCity))
  );
}

/** Whether a departure without seats is for the leg that was asked for. */
export function isDepartureFor({ leg, segment }: SoldOutFlight, { legs }: FareQuery, isSameCity: SameCity): boolean {
  return legs.slice(leg, leg + 1).every((asked) => isLegAsAsked(asked, [segment], isSameCity));
}

function isLegAsAsked(leg: FareLeg, segments: readonly Segment[], isSameCity: SameCity): boolean {
  const [first, last = first] = [segments[0], segments.at(-1)];
  // What has no segments cannot be booked, and is not shown.
  if (first === undefined || last === undefined) return true;
  const isStation = (offered: StationCode, asked: StationCode) =>
    offered === '' || offered.toUpperCase() === asked.toUpperCase() || isSameCity(offered, asked);
  return isStation(first.from, leg.from) && isStation(last.to, leg.to) && isWithin(first, leg);
}

/** A time in UTC without the local day may be of the day before or after. A day that cannot be read is left to the views. */
function isWithin(first: Segment, { date, daysBefore, daysAfter }: FareLeg): boolean {
  const day = departureDate(first);
  if (!isRealDate(day)) return true;
  const slack = first.journeyDate === undefined && /z$/i.test(first.departs) ? 1 : 0;
  return day >= addDays(date, -daysBefore - slack) && day <= addDays(date, daysAfter + slack);
}

/**
 * The party that an offer is priced for, by its price rows, if it is another than the party that was asked for. Nothing is known without
 * rows, of a number that is not stated, of other types, and of rows for several flights that do not name theirs. Infants who pay nothing
 * may have no row.
 */
export function otherPartyPriced(
  { options, pricing: { perType } }: Pick<Offer, 'options' | 'pricing'>,
  asked: PassengerCounts,
): PassengerCounts | undefined {
  const refs = options.flatMap(({ segments }) => segments.map(({ ref }) => ref));
  const isClear = perType.every(
    ({ type, isCountGuessed, segmentRefs }) =>
      isCountGuessed === undefined &&
      PRICED_TYPES.includes(type) &&
      (refs.length === 1 || segmentRefs.some((ref) => refs.includes(ref))),
  );
  if (perType.length === 0 || !isClear) return undefined;

  const countOf = (wanted: string, count: number): number => {
    const rows = perType.filter(({ type }) => type === wanted);
    const counts = refs.map((ref) => countOn(ref, rows)).filter((found) => found > 0);
    return counts.find((found) => found !== count) ?? counts[0] ?? 0;
  };

  const { adults, children, infants } = asked;
  const priced = {
    adults: countOf('ADT', adults),
    children: countOf('CHD', children),
    infants: countOf('INF', infants) || infants,
  };
  const isSame = priced.adults === adults && priced.children === children && priced.infants === infants;
  return isSame ? undefined : priced;
}

/** How many passengers the rows price on a flight. */
function countOn(ref: string, rows: Pricing['perType']): number {
  const rowsOfFlight = rows.filter(({ segmentRefs }) => segmentRefs.length === 0 || segmentRefs.includes(ref));
  return rowsOfFlight.reduce((sum, { count }) => sum + count, 0);
}

export interface ShelvedOffer {
  readonly offer: Offer;
  readonly passengers: PassengerCounts;
  /** Milliseconds since 1970. */
  readonly shownAt: number;
  /** UTC; until when the airline's search reply is valid (`reservationTimeLimit`). */
  readonly validUntil?: string;
  readonly legs: readonly { readonly from: string; readonly to: string; readonly date: string }[];
  /** The refund note that was shown, if the airline stated a rule. */
  readonly refundNote?: string;
  /** To compare the hold with them. */
  readonly refundRules?: KeptRules;
}

/** Keeps offers under short handles, so that models do not copy segments. A handle is valid only for its tenant. */
export interface OfferStore {
  /** Returns one handle per offer, in order: `o` and eight letters and digits. */
  put(caller: Caller, offers: readonly ShelvedOffer[]): Promise<readonly string[]>;
  get(caller: Caller, handle: string): Promise<ShelvedOffer | undefined>;
}
