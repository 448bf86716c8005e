/** Open tickets that the airline shows of no passenger of their booking, or for a flight that is not in it: nobody knows who travels on them. */
import { type Booking, segmentsOf, type Ticket } from '../booking/booking.ts';

/** What the ticket lacks. `unsaid`: it names no passenger at all, and others do. */
export type Astray = 'passenger' | 'flight' | 'unsaid';

const OPEN = 'O';

const isOpen = ({ number, coupons, ticketType = '' }: Ticket): boolean =>
  number !== '' && !/EMD/i.test(ticketType) && coupons.some(({ statusCode }) => statusCode === OPEN);

/** The open tickets astray of a booking that shows its passengers and its flights, each with what it lacks. */
export function ticketsAstray(
  booking: Pick<Booking, 'travelers' | 'tickets' | 'options'>,
): ReadonlyMap<Ticket, Astray> {
  const people = new Set(booking.travelers.map(({ ref }) => ref));
  const flights = new Set(segmentsOf(booking).map(({ ref }) => ref));
  if (people.size === 0 || flights.size === 0) return new Map();

  const open = booking.tickets.filter(isOpen);
  const isOfSome = ({ travelerRefs }: Ticket) => travelerRefs.some((ref) => people.has(ref));

  // An airline may leave out a flight that is flown, before it closes the coupon.
  const fitsFlights = ({ coupons }: Ticket) => {
    const openCoupons = coupons.filter(({ statusCode }) => statusCode === OPEN);
    const known = openCoupons.filter(({ segmentRef }) => segmentRef === undefined || flights.has(segmentRef));
    const isForAll = [...flights].every((ref) => coupons.some(({ segmentRef }) => segmentRef === ref));
    return known.length === openCoupons.length || (known.length > 0 && isForAll);
  };

  const lackOf = (ticket: Ticket): Astray | undefined => {
    if (!isOfSome(ticket) && ticket.travelerRefs.length > 0) return 'passenger';
    if (!isOfSome(ticket) && open.some(isOfSome)) return 'unsaid';
    return fitsFlights(ticket) ? undefined : 'flight';
  };

  const astray = new Map<Ticket, Astray>();
  for (const ticket of open) {
    const lack = lackOf(ticket);
    if (lack !== undefined) astray.set(ticket, lack);
  }

  return astray;
}
