/**
 * Writes the price of a reservation (`priceInfo`) or a priced itinerary (`airItineraryPricingInfo`), with refunds and
 * rules (docs/wire/interface.md, Price; docs/wire/notes.md, Fares and prices, Money and rules).
 */
import type { Money } from '../../core/money.ts';
import { toNumber, zeroAmount } from '../amounts.ts';
import type { Carrier } from '../carrier.ts';
import { cancelLimit, fareRules, type RuleKind } from '../fare-rules.ts';
import { FARE_TYPES, type TaxOrFee } from '../fares.ts';
import { isCancelled, type Price, type PricedSegment, type TypeCounts, totalPrice } from '../priced-trip.ts';
import type { CarrierRefund, RefundShare } from '../record.ts';
import { definedFields, type Wire } from '../wire.ts';
import type { ReplyKind } from './segment.ts';

function writeMoney(money: Money): Wire {
  return { currencyCode: money.currency, amount: toNumber(money) };
}

const writeLine = (line: TaxOrFee): Wire =>
  line.kind === 'tax'
    ? { taxCode: line.code, taxName: line.name, ...writeMoney(line.amount) }
    : { feeCode: line.code, ...writeMoney(line.amount) };

/** Writes a price. An airline sends no sums of its taxes and fees, so that readers must add them up. */
export function writePrice(carrier: Carrier, price: Price): Wire {
  const isRail = carrier.dialect === 'rail';
  const ofKind = (kind: TaxOrFee['kind']): Wire[] => price.lines.filter((line) => line.kind === kind).map(writeLine);

  return {
    baseFare: writeMoney(price.base),
    equivFare: [],
    taxes: definedFields({ tax: ofKind('tax'), amount: isRail ? toNumber(price.taxes) : undefined }),
    fees: { fee: ofKind('fee'), ...(isRail && writeMoney(price.fees)) },
    totalFare: writeMoney(price.total),
    fareBaggageAllowance: [...price.baggage],
    remark: [],
  };
}

/** Writes a refund. Its `fees.amount` is 0 although it lists charges. */
function writeRefund({ amount, penalty, tax }: RefundShare): Wire {
  const zero = zeroAmount(amount.currency);

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

/** Passengers, and the segments for which they are priced. A booking by counts also has limits, a reservation all. */
export interface PricedParty {
  readonly segments: readonly PricedSegment[];
  readonly counts: TypeCounts;
  /** Pointers of the travellers of each type. Undefined if they have no names yet. */
  readonly refs?: Readonly<Record<string, readonly string[]>>;
  readonly refunds?: readonly CarrierRefund[];
  /** Time limits of a booking, ms epoch. */
  readonly limits?: { readonly payBy: number; readonly namesUntil: number };
}

const travellingTypes = (counts: TypeCounts): string[] => FARE_TYPES.filter((type) => (counts[type] ?? 0) > 0);

/** Lists the refunds that a reply shows. An airline shows none. */
function shownRefunds({ dialect }: Carrier, { refunds = [] }: PricedParty): readonly CarrierRefund[] {
  return dialect === 'rail' ? refunds : [];
}

/** Returns the travellers' pointers by type. Numbers unnamed travellers through all types. */
function travelerPointers({ counts, refs }: PricedParty): Readonly<Record<string, readonly string[]>> {
  if (refs !== undefined) return refs;

  const pointers: Record<string, readonly string[]> = {};
  let travelerCount = 0;

  for (const type of travellingTypes(counts)) {
    const firstPointer = travelerCount + 1;
    pointers[type] = Array.from({ length: counts[type] ?? 0 }, (_, i) => String(firstPointer + i));
    travelerCount += counts[type] ?? 0;
  }

  return pointers;
}

function writeRow(
  carrier: Carrier,
  party: PricedParty,
  segment: PricedSegment,
  { type, travelerRefs }: { readonly type: string; readonly travelerRefs: readonly string[] },
): Wire {
  const { fare, ref } = segment;
  const isRail = carrier.dialect === 'rail';
  const count = party.counts[type] ?? 0;
  const refunds = shownRefunds(carrier, party)
    .flatMap((refund) => refund.shares)
    .filter((share) => share.type === type && share.segmentRef === ref);
  const areNamed = party.refs !== undefined;

  return {
    passengerTypeQuantity: { code: type, quantity: count },
    fareBasisCodes: { fareBasisCode: [{ value: fare.basis, flightSegmentRPH: isRail ? ref : undefined }] },
    passengerFare: [
      writePrice(carrier, totalPrice(carrier.network, [segment], { [type]: count })),
      ...refunds.map(({ share }) => writeRefund(share)),
    ],
    travelerRefNumber: isRail && !areNamed ? [] : travelerRefs.map((rph) => ({ rph })),
    ticketDesignators: { ticketDesignator: isRail ? [] : [{ flightRefRPH: ref }] },
    fareInfo: [{ fareReference: [{ resBookDesigCode: fare.bookingClass }] }],
    flightRefNumberRPHList: [ref],
  };
}

/** Writes a row for each passenger type and segment. Its amounts are for all passengers of the type together. */
function priceRows(carrier: Carrier, party: PricedParty): Wire[] {
  const pointers = travelerPointers(party);
  return travellingTypes(party.counts).flatMap((type) =>
    party.segments.map((segment) => writeRow(carrier, party, segment, { type, travelerRefs: pointers[type] ?? [] })),
  );
}

const writeTime = (at: number): string => new Date(at).toISOString();

function writeRules(carrier: Carrier, kind: RuleKind, segment: PricedSegment, types: readonly string[]): Wire {
  const penaltyRules = types.map((type) => ({
    passengerTypeCode: type,
    rules: fareRules(carrier.network, kind, { fare: segment.fare, departsAt: segment.departure.departsAt }, type).map(
      (rule) => ({
        currency: rule.total.currency,
        refundable: rule.allowed,
        base: toNumber(rule.base),
        tax: toNumber(rule.tax),
        total: toNumber(rule.total),
        vat: rule.vat,
        applyFromTime: writeTime(rule.from),
        applyUntilTime: writeTime(rule.until),
        description: rule.texts.map((text) => ({ ...text })),
      }),
    ),
  }));
  return { TPA_Extensions: { penaltyRules } };
}

/** Writes the rules and time limits of a booked segment. Undefined in a search, and for a cancelled segment. */
function writeRuleInfo(carrier: Carrier, segment: PricedSegment, party: PricedParty): Wire | undefined {
  const { limits } = party;
  if (limits === undefined || isCancelled(segment)) return undefined;

  const types = travellingTypes(party.counts);
  return {
    chargesRules: {
      voluntaryRefunds: writeRules(carrier, 'refund', segment, types),
      voluntaryChanges: writeRules(carrier, 'change', segment, types),
    },
    tpaextensions: {
      cancellationTimeLimit: writeTime(cancelLimit(carrier.network, segment.departure.departsAt)),
      confirmationTimeLimit: writeTime(limits.payBy),
      updateTravellersTimeLimit: writeTime(limits.namesUntil),
    },
  };
}

function writeFareInfo(carrier: Carrier, segment: PricedSegment, party: PricedParty): Wire {
  const { fare, departure, ref } = segment;
  return definedFields({
    fareReference: [{ value: fare.basis, resBookDesigCode: fare.bookingClass }],
    ruleInfo: writeRuleInfo(carrier, segment, party),
    filingAirline: { value: carrier.network.carrier },
    departureAirport: { locationCode: departure.from.code },
    arrivalAirport: { locationCode: departure.to.code },
    rph: ref,
    tpaExtensions: { priceGroup: fare.name },
  });
}

/** Whether a reply has structured fares and rules: in a search always, later only with rail. */
function hasFareInfos(carrier: Carrier, kind: ReplyKind): boolean {
  return kind === 'search' || carrier.dialect === 'rail';
}

export function writePriceInfo(carrier: Carrier, party: PricedParty, kind: ReplyKind): Wire {
  const { network } = carrier;
  return definedFields({
    itinTotalFare: [
      writePrice(carrier, totalPrice(network, party.segments, party.counts)),
      ...shownRefunds(carrier, party).map((refund) => writeRefund(refund.whole)),
    ],
    fareInfos: hasFareInfos(carrier, kind)
      ? { fareInfo: party.segments.map((segment) => writeFareInfo(carrier, segment, party)) }
      : undefined,
    ptcfareBreakdowns: { ptcfareBreakdown: priceRows(carrier, party) },
  });
}
