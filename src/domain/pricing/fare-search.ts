/**
 * What a fare search asks and what comes back.
 */

import type { Segment, SegmentOption, StationCode } from '../booking/itinerary.ts';
import type { Pricing } from './fare.ts';

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
  /** `availableFlightsOnly: false`: the airline answers with its availability record. */
  readonly includeSoldOut: boolean;
  /** How many of the cheapest offers are looked at: others may be counted without being read. Default: all. */
  readonly most?: number;
}

/** One way to travel at one price. */
export interface Offer {
  /** 0-based index of the one leg it covers, where the airline offers legs on their own. */
  readonly leg?: number;
  readonly options: readonly SegmentOption[];
  readonly pricing: Pricing;
  readonly notes: readonly string[];
  readonly sequence?: number;
}

/** An itinerary whose price is to be confirmed, without booking it. */
export interface PriceQuery {
  readonly options: readonly SegmentOption[];
  readonly passengers: PassengerCounts;
}

/** What a price check says. */
export interface PriceCheck {
  /** As the airline gives them back, with its own words of the fare rules. */
  readonly options: readonly SegmentOption[];
  /** The price confirmed; absent where the reply states none. */
  readonly pricing?: Pricing;
  /** The reply names a booking, which the check should not have made: its locator. */
  readonly possibleHold?: string;
}

/** A class of a departure with no seat left (or too few for the party). */
export interface SoldOutFlight {
  readonly segment: Segment;
  readonly bookingClass: string;
}

export interface FareSearchResult {
  /** Which of the two documented reply forms came. */
  readonly form: 'itineraries' | 'availability';
  readonly offers: readonly Offer[];
  readonly soldOut: readonly SoldOutFlight[];
  /** Offers that {@link FareQuery.most} left unread: none of them is cheaper than those here. */
  readonly unread?: number;
  /** UTC; `reservationTimeLimit` of an availability record. */
  readonly validUntil?: string;
  /** UTC; the airline's `timeStamp`. */
  readonly searchedAt?: string;
  /** `availability.referenceId`. */
  readonly referenceId?: string;
}
