/** Issues new tickets in place of others, which then show as exchanged (docs/wire/notes.md, Statuses). */
import type { CarrierBooking, HeldTicket } from '../record.ts';
import { type Numbering, newTicketNumber } from './locators.ts';

/** For the tickets that are meant and have open coupons. Runs within a write transaction. */
export function reissued(
  airline: Numbering,
  booking: CarrierBooking,
  isMeant: (ticket: HeldTicket) => boolean,
): CarrierBooking {
  const tickets = booking.tickets.flatMap((ticket) => {
    const isOpen = ticket.coupons.some((coupon) => coupon.status === 'O');
    if (!isOpen || !isMeant(ticket)) return [ticket];
    const old = ticket.coupons.map((it) => (it.status === 'O' ? { ...it, status: 'E' } : it));
    const fresh = ticket.coupons.filter((it) => it.status === 'O');
    return [
      { ...ticket, coupons: old },
      { ...ticket, number: newTicketNumber(airline), coupons: fresh },
    ];
  });
  return { ...booking, tickets };
}
