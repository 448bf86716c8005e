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
 * A penalty for cancelling or changing a ticket, in force in [from, until), UTC. Amounts are as the airline states
 * them, per passenger of the type and per fare component; {@link keptBy} in penalties.ts says what the airline keeps
 * (docs/wire/notes.md, Money and rules).
 */
export interface PenaltyRule {
  readonly passengerType: string;
  readonly refundable: boolean;
  /** Without tax. */
  readonly base: Money;
  /** The tax on `base`. */
  readonly tax: Money;
  /** `base` and `tax` together. */
  readonly total: Money;
  /** The airline sent neither base nor tax: they are zero here. */
  readonly totalAlone?: boolean;
  /** The percentage that `tax` was computed with, × 100: 1500 for 15 %. Never applied to `total`. */
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
