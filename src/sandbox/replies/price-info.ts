/**
 * `priceInfo` of a reservation and `airItineraryPricingInfo` of a priced itinerary (docs/wire/interface.md, Price;
 * docs/wire/notes.md, Fares and prices).
 */

import { number } from '../amounts.ts';
import type { Carrier } from '../carrier.ts';
import { cancelLimit, FARE_TYPES, type RuleKind, rulesOf } from '../fares.ts';
import { isOff, type PricedPart, priceOf, type TypeCounts } from '../pricing.ts';
import type { MadeRefund } from '../record.ts';
import { type Wire, wire } from '../wire.ts';
import { writePrice, writeRefund } from './price.ts';
import type { Place } from './segment.ts';

/** Passengers and the components they are priced for. */
export interface Priced {
  readonly parts: readonly PricedPart[];
  readonly counts: TypeCounts;
  /** Pointers of the travellers of each type, if known. */
  readonly refs?: Readonly<Record<string, readonly string[]>>;
  readonly refunds?: readonly MadeRefund[];
  /** ms epoch; of a hold. */
  readonly limits?: { readonly payBy: number; readonly namesUntil: number };
}

const typesOf = (counts: TypeCounts): string[] => FARE_TYPES.filter((type) => (counts[type] ?? 0) > 0);

/** Pointers for unnamed travellers: numbered through the types. */
function pointersOf({ counts, refs }: Priced): Record<string, readonly string[]> {
  if (refs !== undefined) return { ...refs };
  let next = 0;
  return Object.fromEntries(
    typesOf(counts).map((type) => [
      type,
      Array.from({ length: counts[type] ?? 0 }, () => {
        next += 1;
        return String(next);
      }),
    ]),
  );
}

interface RowOf {
  readonly type: string;
  readonly count: number;
  readonly parts: readonly PricedPart[];
  readonly segmentRefs: readonly string[];
  readonly travelerRefs: readonly string[];
}

function writeRow(carrier: Carrier, priced: Priced, row: RowOf): Wire {
  const { type, count, parts, segmentRefs, travelerRefs } = row;
  const isRail = carrier.dialect === 'rail';
  const refunds = (isRail ? (priced.refunds ?? []) : []).flatMap((made) =>
    made.shares.filter((share) => share.type === type && segmentRefs.includes(share.segmentRef)).map((it) => it.share),
  );
  const isBooked = priced.refs !== undefined;
  return {
    passengerTypeQuantity: { code: type, quantity: count },
    fareBasisCodes: {
      fareBasisCode: parts.map(({ fare, ref }) => ({ value: fare.basis, ...(isRail && { flightSegmentRPH: ref }) })),
    },
    passengerFare: [
      writePrice(carrier, priceOf(carrier.network, parts, { [type]: count })),
      ...refunds.map(writeRefund),
    ],
    travelerRefNumber: isRail && !isBooked ? [] : travelerRefs.map((rph) => ({ rph })),
    ticketDesignators: { ticketDesignator: isRail ? [] : segmentRefs.map((flightRefRPH) => ({ flightRefRPH })) },
    fareInfo: parts.map(({ fare }) => ({ fareReference: [{ resBookDesigCode: fare.bookingClass }] })),
    pricingUnit: [],
    flightRefNumberRPHList: [...segmentRefs],
  };
}

/** One row per passenger type and segment: the amount is for all passengers of the type together. */
function priceRows(carrier: Carrier, priced: Priced): Wire[] {
  const pointers = pointersOf(priced);
  return typesOf(priced.counts).flatMap((type) =>
    priced.parts.map((part) =>
      writeRow(carrier, priced, {
        type,
        count: priced.counts[type] ?? 0,
        parts: [part],
        segmentRefs: [part.ref],
        travelerRefs: pointers[type] ?? [],
      }),
    ),
  );
}

function writeRules(carrier: Carrier, kind: RuleKind, part: PricedPart, types: readonly string[]): Wire {
  const time = (at: number): string => new Date(at).toISOString();
  const penaltyRules = types.map((type) => ({
    passengerTypeCode: type,
    rules: rulesOf(carrier.network, kind, part.fare, part.departure.departsAt, type).map((rule) => ({
      currency: rule.total.currency,
      refundable: rule.allowed,
      base: number(rule.base),
      tax: number(rule.tax),
      total: number(rule.total),
      vat: rule.vat,
      applyFromTime: time(rule.from),
      applyUntilTime: time(rule.until),
      description: rule.texts.map((text) => ({ ...text })),
    })),
  }));
  return { TPA_Extensions: { penaltyRules } };
}

/** No rules for a cancelled segment (docs/wire/interface.md, Price), and none in a search. */
function ruleInfoOf(carrier: Carrier, part: PricedPart, priced: Priced): Wire | undefined {
  const { limits } = priced;
  if (limits === undefined || isOff(part)) return undefined;
  const types = typesOf(priced.counts);
  const time = (at: number): string => new Date(at).toISOString();
  return {
    chargesRules: {
      voluntaryRefunds: writeRules(carrier, 'refund', part, types),
      voluntaryChanges: writeRules(carrier, 'change', part, types),
    },
    tpaextensions: {
      cancellationTimeLimit: time(cancelLimit(carrier.network, part.departure.departsAt)),
      confirmationTimeLimit: time(limits.payBy),
      updateTravellersTimeLimit: time(limits.namesUntil),
    },
  };
}

function writeFareInfo(carrier: Carrier, part: PricedPart, priced: Priced): Wire {
  const { fare, departure, ref } = part;
  return wire({
    fareReference: [{ value: fare.basis, resBookDesigCode: fare.bookingClass }],
    ruleInfo: ruleInfoOf(carrier, part, priced),
    filingAirline: { value: carrier.network.carrier },
    departureAirport: { locationCode: departure.from.code },
    arrivalAirport: { locationCode: departure.to.code },
    rph: ref,
    tpaExtensions: { priceGroup: fare.name },
  });
}

/** Structured fares and rules: both dialects name fares in a search, only rail does later. */
function hasFareInfos(carrier: Carrier, place: Place): boolean {
  if (place === 'check') return false;
  return place === 'search' || carrier.dialect === 'rail';
}

export function writePriceInfo(carrier: Carrier, priced: Priced, place: Place): Wire {
  const { network } = carrier;
  const isRail = carrier.dialect === 'rail';
  const refunds = isRail ? (priced.refunds ?? []) : [];
  return wire({
    itinTotalFare: [
      writePrice(carrier, priceOf(network, priced.parts, priced.counts)),
      ...refunds.map((made) => writeRefund(made.whole)),
    ],
    fareInfos: hasFareInfos(carrier, place)
      ? { fareInfo: priced.parts.map((part) => writeFareInfo(carrier, part, priced)) }
      : undefined,
    ptcfareBreakdowns: { ptcfareBreakdown: priceRows(carrier, priced) },
  });
}
