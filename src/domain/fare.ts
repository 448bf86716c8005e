/**
 * Prices, penalty rules and the time limits that come with a fare.
 */
import type { Money } from './money.ts';

export interface PriceLine {
  readonly kind: 'tax' | 'fee';
  readonly code: string;
  readonly name?: string;
  readonly amount: Money;
  /** Percent × 100, where the airline gives a VAT with the line. */
  readonly vatHundredths?: number;
}

/** One priced total: of the whole party, or of all passengers of one type. */
export interface Price {
  readonly base: Money;
  readonly equivalents?: readonly Money[];
  readonly taxes: Money;
  readonly fees: Money;
  readonly total: Money;
  readonly lines: readonly PriceLine[];
  readonly baggage: readonly string[];
  readonly remarks: readonly string[];
}

/** What the airline states it refunded: `itinTotalFare[]` or `passengerFare[]` with `usage: "refund"`. */
export interface StatedRefund {
  readonly amount: Money;
  /** `REFUND_PENALTY`. */
  readonly penalty?: Money;
  /** `REFUND_PENALTY_VAT`. */
  readonly vat?: Money;
}

/**
 * A penalty for giving a ticket back or changing it, in force in [from, until), UTC. Amounts are per passenger of the
 * type and per fare component (field-notes.md, money and rules).
 */
export interface PenaltyRule {
  readonly passengerType: string;
  readonly refundable: boolean;
  readonly base: Money;
  readonly tax: Money;
  readonly total: Money;
  /** VAT on the penalty, percent × 100: 1500 for 15 %. */
  readonly vatHundredths: number;
  readonly from?: string;
  readonly until?: string;
  readonly texts: readonly { readonly locale?: string; readonly text: string }[];
}

export interface FareReference {
  readonly code: string;
  readonly bookingClass?: string;
  readonly accountCode?: string;
}

/** One fare component (`fareInfos.fareInfo[]`): a fare between two points with its rules and limits. */
export interface FareComponent {
  readonly ref?: string;
  readonly references: readonly FareReference[];
  readonly filingAirline?: string;
  readonly from?: string;
  readonly to?: string;
  /** UTC instants. Cancelling is refused after `cancelUntil`; a hold lapses at `payBy`; names are fixed at `namesUntil`. */
  readonly cancelUntil?: string;
  readonly payBy?: string;
  readonly namesUntil?: string;
  readonly refundRules: readonly PenaltyRule[];
  readonly changeRules: readonly PenaltyRule[];
}

/** Passenger type code (OpenTravel PTC): adult, child, infant. Others are read, never sent. */
export type PassengerType = string;

export interface TypePrice {
  readonly type: PassengerType;
  readonly count: number;
  readonly price?: Price;
  readonly refunds: readonly StatedRefund[];
  readonly fareBasis: readonly { readonly code: string; readonly segmentRef?: string }[];
  readonly travelerRefs: readonly string[];
  /** Segment pointers (`ticketDesignators`, `flightRefNumberRPHList`). */
  readonly segmentRefs: readonly string[];
}

/** `priceInfo` or `airItineraryPricingInfo`. */
export interface Pricing {
  readonly total?: Price;
  readonly refunds: readonly StatedRefund[];
  readonly fares: readonly FareComponent[];
  readonly perType: readonly TypePrice[];
  readonly quoteId?: string;
}
