/** The trains of a booking, as the airline's timetable has them at this moment. */
import { findDeparture } from '../../../src/sandbox/carrier.ts';
import type { CarrierBooking, HeldSegment } from '../../../src/sandbox/record.ts';
import { localDateTime } from '../../../src/sandbox/zone.ts';
import type { Sandbox } from '../../campaigns/support/airline.ts';

export interface Leg {
  readonly n: number;
  readonly train: string;
  readonly from: string;
  readonly fromName: string;
  readonly to: string;
  readonly toName: string;
  /** Date and `07:42` at the station of departure. */
  readonly day: string;
  readonly clock: string;
  readonly departsAt: number;
  readonly arrivesAt: number;
  readonly arrivalDay: string;
  readonly arrivalClock: string;
  readonly bookingClass: string;
  readonly fare: string;
  /** Minor units that all passengers pay for it. */
  readonly price: number;
  readonly isGone: boolean;
}

export function legsOf(carrier: ReturnType<Sandbox['carrier']>, booking: CarrierBooking): readonly Leg[] {
  const segments = booking.options.flatMap((option) => option.segments);
  return segments.map((segment, i) => {
    const departure = findDeparture(carrier, segment);
    const { from, to, departsAt, arrivesAt } = departure;
    const [departs, arrives] = [localDateTime(from.zone, departsAt), localDateTime(to.zone, arrivesAt)];
    return {
      ...{ n: i + 1, train: `HHR${departure.shownNumber}` },
      ...{ from: from.code, fromName: from.name, to: to.code, toName: to.name },
      ...{ day: departs.slice(0, 10), clock: departs.slice(11, 16), departsAt, arrivesAt },
      ...{ arrivalDay: arrives.slice(0, 10), arrivalClock: arrives.slice(11, 16) },
      ...{ bookingClass: segment.bookingClass, fare: segment.basis, price: priceOf(segment, booking) },
      isGone: segment.cancelled || departure.cancelled,
    };
  });
}

const priceOf = ({ prices }: HeldSegment, { travelers }: CarrierBooking): number =>
  travelers.reduce((sum, { type }) => sum + (prices[type]?.total.minor ?? 0), 0);
