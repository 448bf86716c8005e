/** Reply to a payment (docs/wire/interface.md, Payment reply record). */
import { number } from '../amounts.ts';
import type { Carrier } from '../carrier.ts';
import { fareOfTraveler, OWN_COMPANY } from '../operations/pay.ts';
import type { CarrierBooking } from '../record.ts';
import type { Payment } from '../requests/existing.ts';
import { type Wire, wire } from '../wire.ts';
import { linksOf } from './tickets.ts';
import { writeName } from './travelers.ts';

/** Repeats the company of the request. */
export function writePayment(carrier: Carrier, booking: CarrierBooking, payment: Payment): Wire {
  const { locator, travelers, tickets, paymentType } = booking;
  const items = tickets.map((ticket, i) => {
    const traveler = travelers.find((it) => it.ref === ticket.travelerRef);
    const type = traveler?.type ?? 'ADT';
    const amount = number(fareOfTraveler(carrier, booking, type));
    const links = linksOf(carrier, booking, ticket);
    return wire({
      passengerName: wire({
        ...(traveler?.name !== undefined && writeName(traveler.name)),
        passengerTypeCode: type,
        tpaextensions: links.length === 0 ? undefined : { links },
      }),
      conjunctiveTicket: [],
      ticketNumber: ticket.number,
      type: 'E_TICKET',
      itemNumber: String(i + 1),
      totalAmount: amount,
      paymentType,
      netAmount: amount,
    });
  });
  return {
    success: {},
    bookingReferenceID: { id: locator, type: '14', companyName: payment.company ?? { code: OWN_COMPANY } },
    ticketItemInfo: items,
    timeStamp: new Date(carrier.now).toISOString(),
    version: 2.001,
    retransmissionIndicator: false,
  };
}
