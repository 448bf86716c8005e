/** Which offers of the airline's reply are wanted, and in which order they are shown. The airline knows of neither. */
import { instantOf, minutesBetween } from '../../core/times.ts';
import type { SegmentOption } from '../../domain/booking/booking.ts';
import type { Offer } from '../../domain/pricing/offers.ts';

/** Of one leg. A span of local clock times, `18:00-23:30`; one side may be open, and it may go past midnight. */
interface LegFilter {
  readonly departs_between?: string | undefined;
  readonly arrives_between?: string | undefined;
}

export interface OfferFilters {
  readonly legs: readonly LegFilter[];
  readonly direct_only?: boolean | undefined;
  /** Of each leg. */
  readonly max_minutes?: number | undefined;
}

/** The first is the default. */
export const ORDERS = ['price', 'duration', 'departure'] as const;
export type OfferOrder = (typeof ORDERS)[number];

export const ORDER_WORDS: Readonly<Record<OfferOrder, string>> = {
  price: 'cheapest first',
  duration: 'quickest first',
  departure: 'earliest first',
};

/** For a sentence: `departs 18:00-23:30, direct`. Undefined: no filter. */
export function filterWords({ legs, direct_only: direct, max_minutes: most }: OfferFilters): string | undefined {
  const words = [
    ...legs.flatMap((leg, i) => {
      const spans = [
        leg.departs_between && `departs ${leg.departs_between}`,
        leg.arrives_between && `arrives ${leg.arrives_between}`,
      ];
      const told = spans.filter((span) => span !== undefined).join(', ');
      return told === '' ? [] : [legs.length > 1 ? `leg ${i + 1} ${told}` : told];
    }),
    ...(direct ? ['direct'] : []),
    ...(most === undefined ? [] : [`at most ${most} minutes`]),
  ];
  return words.length === 0 ? undefined : words.join(', ');
}

type LegSegments = Pick<SegmentOption, 'segments'>;

interface SearchedOffer extends Pick<Offer, 'leg'> {
  readonly options: readonly LegSegments[];
}

/** A time that is not known fits no span. */
export function isWanted(offer: SearchedOffer, filters: OfferFilters): boolean {
  return offer.options.every((option, i) => {
    const { departs, arrives, changes, minutes } = describeLeg(option);
    const { departs_between: leaving, arrives_between: arriving } = filters.legs[offer.leg ?? i] ?? {};
    return (
      isWithin(departs, leaving) &&
      isWithin(arrives, arriving) &&
      !(filters.direct_only && changes > 0) &&
      (filters.max_minutes === undefined || (minutes ?? Number.POSITIVE_INFINITY) <= filters.max_minutes)
    );
  });
}

const DAY_MINUTES = 24 * 60;

/** The offer that misses the wishes by least. Undefined where no time is known. */
export function nearestMiss<O extends SearchedOffer>(offers: readonly O[], filters: OfferFilters): O | undefined {
  const missed = offers.map((offer) => ({ offer, by: missedBy(offer, filters) }));
  return missed.filter(({ by }) => Number.isFinite(by)).toSorted((a, b) => a.by - b.by)[0]?.offer;
}

/** Minutes; a change counts as a day, so that it misses more than a time does. */
function missedBy(offer: SearchedOffer, filters: OfferFilters): number {
  const misses = offer.options.map((option, i) => {
    const { departs, arrives, changes, minutes } = describeLeg(option);
    const { departs_between: leaving, arrives_between: arriving } = filters.legs[offer.leg ?? i] ?? {};
    const most = filters.max_minutes ?? Number.POSITIVE_INFINITY;
    const tooLong = most === Number.POSITIVE_INFINITY ? 0 : Math.max(0, (minutes ?? Number.POSITIVE_INFINITY) - most);
    const unwanted = filters.direct_only ? changes * DAY_MINUTES : 0;
    return fromSpan(departs, leaving) + fromSpan(arrives, arriving) + tooLong + unwanted;
  });
  return misses.reduce((all, each) => all + each, 0);
}

/** Minutes by the clock to the nearer end of the span; infinite for a time that is not known. */
function fromSpan(time: string | undefined, span: string | undefined): number {
  if (isWithin(time, span)) return 0;
  const clock = clockMinutes(/T(\d\d:\d\d)/.exec(time ?? '')?.[1]);
  const ends = (span ?? '').split('-').flatMap((end) => clockMinutes(end) ?? []);
  if (clock === undefined) return Number.POSITIVE_INFINITY;
  return Math.min(
    ...ends.map((end) => {
      const apart = Math.abs(clock - end);
      return Math.min(apart, DAY_MINUTES - apart);
    }),
  );
}

function clockMinutes(clock: string | undefined): number | undefined {
  const [, hours, minutes] = /^(\d\d):(\d\d)$/.exec(clock ?? '') ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

/** Orders by what `order` names; the rest stays as it is. */
export function inOrder(order: OfferOrder): (first: Offer, second: Offer) => number {
  const keys: Readonly<Record<OfferOrder, (offer: Offer) => number | undefined>> = {
    price: ({ pricing }) => pricing.total?.total.minor,
    duration: ({ options }) => sum(options.map((option) => describeLeg(option).minutes)),
    departure: ({ options }) => instantOf(options[0]?.segments[0]?.departs),
  };
  const key = (offer: Offer) => keys[order](offer) ?? Number.MAX_SAFE_INTEGER;
  return (first, second) => key(first) - key(second);
}

function describeLeg({ segments }: LegSegments) {
  const [first, last] = [segments[0], segments.at(-1)];
  return {
    departs: first?.departs,
    arrives: last?.arrives,
    changes: segments.length - 1,
    minutes: minutesBetween(first?.departs, last?.arrives),
  };
}

function sum(all: readonly (number | undefined)[]): number | undefined {
  return all.reduce((total, each) => (total === undefined || each === undefined ? undefined : total + each), 0);
}

/** By the clock of the time's own offset. */
function isWithin(time: string | undefined, span: string | undefined): boolean {
  if (span === undefined) return true;
  const clock = /T(\d\d:\d\d)/.exec(time ?? '')?.[1];
  const [from = '', to = ''] = span.split('-');
  if (clock === undefined) return false;
  const [isAfter, isBefore] = [from === '' || clock >= from, to === '' || clock <= to];
  return from !== '' && to !== '' && from > to ? isAfter || isBefore : isAfter && isBefore;
}
