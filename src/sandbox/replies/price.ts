/**
 * Prices of a reservation (`priceInfo`) and of a priced itinerary (`airItineraryPricingInfo`; docs/wire/interface.md, Price;
 * docs/wire/notes.md, Fares and prices, Money and rules).
 */
import type { Money } from '../../core/money.ts';
import { nothing, number } from '../amounts.ts';
import type { Carrier } from '../carrier.ts';
import { cancelLimit, fareRules, type RuleKind } from '../fare-rules.ts';
import { FARE_TYPES, type TaxOrFee } from '../fares.ts';
import { isCancelled, type Price, type PricedSegment, type TypeCounts, totalPrice } from '../priced-trip.ts';
import type { MadeRefund, RefundShare } from '../record.ts';
import { given, type Wire } from '../wire.ts';
import type { Place } from './segment.ts';

function writeMoney(money: Money): Wire {
  return { currencyCode: money.currency, amount: number(money) };
}

const writeLine = (line: TaxOrFee): Wire =>
  line.kind === 'tax'
    ? { taxCode: line.code, taxName: line.name, ...writeMoney(line.amount) }
    : { feeCode: line.code, ...writeMoney(line.amount) };

/** An airline's taxes and fees have no sum: readers must add them up. */
export function writePrice(carrier: Carrier, price: Price): Wire {
  const isRail = carrier.dialect === 'rail';
  const ofKind = (kind: TaxOrFee['kind']): Wire[] => price.lines.filter((line) => line.kind === kind).map(writeLine);
  return {
    baseFare: writeMoney(price.base),
    equivFare: [],
    taxes: given({ tax: ofKind('tax'), amount: isRail ? number(price.taxes) : undefined }),
    fees: { fee: ofKind('fee'), ...(isRail && writeMoney(price.fees)) },
    totalFare: writeMoney(price.total),
    fareBaggageAllowance: [...price.baggage],
    remark: [],
  };
}

/** `fees.amount` is 0 although items are charged. */
function writeRefund({ amount, penalty, tax }: RefundShare): Wire {
  const zero = nothing(amount.currency);
  const charge = (feeCode: string, money: Money): Wire => ({
    feeCode,
    feeTransactionType: 'charge',
    ...writeMoney(money),
  });
  return {
    usage: 'refund',
    baseFare: writeMoney(zero),
    taxes: { tax: [], amount: 0 },
    fees: { fee: [charge('REFUND_PENALTY', penalty), charge('REFUND_PENALTY_VAT', tax)], ...writeMoney(zero) },
    totalFare: writeMoney(amount),
  };
}

/** Passengers and the segments they are priced for. */
export interface Priced {
  readonly segments: readonly PricedSegment[];
  readonly counts: TypeCounts;
  /** Pointers of the travellers of each type, if known. */
  readonly refs?: Readonly<Record<string, readonly string[]>>;
  readonly refunds?: readonly MadeRefund[];
  /** ms epoch; of a hold. */
  readonly limits?: { readonly payBy: number; readonly namesUntil: number };
}

const travellingTypes = (counts: TypeCounts): string[] => FARE_TYPES.filter((type) => (counts[type] ?? 0) > 0);

/** Pointers for unnamed travellers: numbered through the types. */
function travelerPointers({ counts, refs }: Priced): Readonly<Record<string, readonly string[]>> {
  if (refs !== undefined) return refs;
  const pointers: Record<string, readonly string[]> = {};
  let numbered = 0;
  for (const type of travellingTypes(counts)) {
    const firstPointer = numbered + 1;
    pointers[type] = Array.from({ length: counts[type] ?? 0 }, (_, i) => String(firstPointer + i));
    numbered += counts[type] ?? 0;
  }
  return pointers;
}

function writeRow(
  carrier: Carrier,
  priced: Priced,
  type: string,
  segment: PricedSegment,
  travelerRefs: readonly string[],
): Wire {
  const { fare, ref } = segment;
  const isRail = carrier.dialect === 'rail';
  const count = priced.counts[type] ?? 0;
  const refunds = (isRail ? (priced.refunds ?? []) : [])
    .flatMap((made) => made.shares)
    .filter((share) => share.type === type && share.segmentRef === ref);
  const isBooked = priced.refs !== undefined;
  return {
    passengerTypeQuantity: { code: type, quantity: count },
    fareBasisCodes: { fareBasisCode: [{ value: fare.basis, flightSegmentRPH: isRail ? ref : undefined }] },
    passengerFare: [
      writePrice(carrier, totalPrice(carrier.network, [segment], { [type]: count })),
      ...refunds.map(({ share }) => writeRefund(share)),
    ],
    travelerRefNumber: isRail && !isBooked ? [] : travelerRefs.map((rph) => ({ rph })),
    ticketDesignators: { ticketDesignator: isRail ? [] : [{ flightRefRPH: ref }] },
    fareInfo: [{ fareReference: [{ resBookDesigCode: fare.bookingClass }] }],
    pricingUnit: [],
    flightRefNumberRPHList: [ref],
  };
}

/** One row per passenger type and segment: the amount is for all passengers of the type together. */
function priceRows(carrier: Carrier, priced: Priced): Wire[] {
  const pointers = travelerPointers(priced);
  return travellingTypes(priced.counts).flatMap((type) =>
    priced.segments.map((segment) => writeRow(carrier, priced, type, segment, pointers[type] ?? [])),
  );
}

function writeRules(carrier: Carrier, kind: RuleKind, segment: PricedSegment, types: readonly string[]): Wire {
  const time = (at: number): string => new Date(at).toISOString();
  const penaltyRules = types.map((type) => ({
    passengerTypeCode: type,
    rules: fareRules(carrier.network, kind, segment.fare, segment.departure.departsAt, type).map((rule) => ({
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
function writeRuleInfo(carrier: Carrier, segment: PricedSegment, priced: Priced): Wire | undefined {
  const { limits } = priced;
  if (limits === undefined || isCancelled(segment)) return undefined;
  const types = travellingTypes(priced.counts);
  const time = (at: number): string => new Date(at).toISOString();
  return {
    chargesRules: {
      voluntaryRefunds: writeRules(carrier, 'refund', segment, types),
      voluntaryChanges: writeRules(carrier, 'change', segment, types),
    },
    tpaextensions: {
      cancellationTimeLimit: time(cancelLimit(carrier.network, segment.departure.departsAt)),
      confirmationTimeLimit: time(limits.payBy),
      updateTravellersTimeLimit: time(limits.namesUntil),
    },
  };
}

function writeFareInfo(carrier: Carrier, segment: PricedSegment, priced: Priced): Wire {
  const { fare, departure, ref } = segment;
  return given({
    fareReference: [{ value: fare.basis, resBookDesigCode: fare.bookingClass }],
    ruleInfo: writeRuleInfo(carrier, segment, priced),
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
  return given({
    itinTotalFare: [
      writePrice(carrier, totalPrice(network, priced.segments, priced.counts)),
      ...refunds.map((made) => writeRefund(made.whole)),
    ],
    fareInfos: hasFareInfos(carrier, place)
      ? { fareInfo: priced.segments.map((segment) => writeFareInfo(carrier, segment, priced)) }
      : undefined,
    ptcfareBreakdowns: { ptcfareBreakdown: priceRows(carrier, priced) },
  });
}
