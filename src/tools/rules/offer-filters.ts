/** Filters and orders the offers of a search, as the call asks; the airline's interface can do neither. */

import { totalIfAllKnown } from '../../core/money.ts';
import { instantOf, minutesBetween } from '../../core/times.ts';
import { joined } from '../../core/words.ts';
import type { SegmentOption } from '../../domain/booking/booking.ts';
import type { Offer } from '../../domain/booking/offers.ts';

/** Spans of local clock times, `18:00-23:30`; one side may be open, and a span may go past midnight. */
interface LegFilter {
  readonly departs_between?: string | undefined;
  readonly arrives_between?: string | undefined;
}

export interface OfferFilters {
  readonly legs: readonly LegFilter[];
  readonly direct_only?: boolean | undefined;
}

/** The first is the default. */
export const ORDERS = ['price', 'duration', 'departure'] as const;
export type OfferOrder = (typeof ORDERS)[number];

export const ORDER_WORDS: Readonly<Record<OfferOrder, string>> = {
  price: 'cheapest first',
  duration: 'quickest first',
  departure: 'earliest first',
};

/** The filters in words: `departs 18:00-23:30, direct`. Undefined without a filter. */
export function filterWords({ legs, direct_only: direct }: OfferFilters): string | undefined {
  const ofLegs = legs.map(({ departs_between: departs, arrives_between: arrives }, i) => {
    const text = joined([departs && `departs ${departs}`, arrives && `arrives ${arrives}`]);
    return text && (legs.length > 1 ? `leg ${i + 1} ${text}` : text);
  });
  return joined([...ofLegs, direct && 'direct']) || undefined;
}

/** What the filters look at. */
interface FilteredTrip {
  readonly leg?: Offer['leg'];
  readonly options: readonly Pick<SegmentOption, 'segments'>[];
}

/** Whether the offer passes the filters. Undefined if only a time that the airline leaves out decides it. */
export function isWanted(offer: FilteredTrip, filters: OfferFilters): boolean | undefined {
  const answers = offer.options.flatMap((option, i) => {
    const { departs, arrives, changes } = describeLeg(option);
    const { departs_between: departure, arrives_between: arrival } = filters.legs[offer.leg ?? i] ?? {};
    const isDirect = !filters.direct_only || changes === 0;
    return [isDirect, isWithin(departs, departure), isWithin(arrives, arrival)];
  });

  if (answers.includes(false)) return false;

  return answers.includes(undefined) ? undefined : true;
}

/** Compares offers for a sort; an offer without the value comes last. */
export function inOrder(order: OfferOrder): (first: Offer, second: Offer) => number {
  const keys: Readonly<Record<OfferOrder, (offer: Offer) => number | undefined>> = {
    price: ({ pricing }) => pricing.total?.total.minor,
    duration: ({ options }) => totalIfAllKnown(options.map((option) => describeLeg(option).minutes)),
    departure: ({ options }) => instantOf(options[0]?.segments[0]?.departs),
  };
  const key = (offer: Offer) => keys[order](offer) ?? Number.MAX_SAFE_INTEGER;
  return (first, second) => key(first) - key(second);
}

function describeLeg({ segments }: Pick<SegmentOption, 'segments'>) {
  const first = segments[0];
  const last = segments.at(-1);

  return {
    departs: first?.departs,
    arrives: last?.arrives,
    changes: segments.length - 1,
    minutes: minutesBetween(first?.departs, last?.arrives),
  };
}

/** Gives the time on the clock of the place, in the offset of the time itself: `18:05`. */
function localClock(time: string | undefined): string | undefined {
  return /T(\d\d:\d\d)/.exec(time ?? '')?.[1];
}

/** Whether the clock time is in the span: `18:00-23:30`, `18:00-`, `-09:00`, or past midnight, `22:00-02:00`. Undefined: no time is known. */
function isWithin(time: string | undefined, span: string | undefined): boolean | undefined {
  if (span === undefined) return true;

  const clock = localClock(time);
  if (clock === undefined) return undefined;

  const [from = '', to = ''] = span.split('-');
  const isAfterStart = from === '' || clock >= from;
  const isBeforeEnd = to === '' || clock <= to;
  const isPastMidnight = from !== '' && to !== '' && from > to;
  return isPastMidnight ? isAfterStart || isBeforeEnd : isAfterStart && isBeforeEnd;
}
