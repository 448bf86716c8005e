/** Passengers, tickets and contact of a booking. Documents, e-mail and phone are masked unless `reveal` is set. */

import { cleanCode, cleanText, plainText } from '../../core/clean-text.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Booking, Coupon, Ticket } from '../../domain/booking/booking.ts';
import { couponStatus } from '../../domain/booking/status-codes.ts';
import { emailText, maskEmail, maskNumber } from '../../domain/people/mask-personal-data.ts';
import { documentKind } from '../../domain/people/travel-documents.ts';
import { type Contact, fullName, type Phone, type Traveler } from '../../domain/people/traveler.ts';
import type { BookingView, BookingViewOptions } from './booking-schema.ts';

type PassengerView = BookingView['passengers'][number];

export function nameText(person: { readonly name?: Traveler['name'] } | undefined): string {
  return plainText(fullName(person?.name), 70);
}

export function viewPassenger(booking: Booking, traveler: Traveler, options: BookingViewOptions): PassengerView {
  return omitUndefined({
    ref: traveler.ref,
    type: cleanCode(traveler.type),
    name: nameText(traveler),
    gender: traveler.gender === undefined ? undefined : cleanCode(traveler.gender),
    birth_date: traveler.birthDate,
    with_adult_ref: traveler.attendantRef,
    unnamed: traveler.name === undefined ? true : undefined,
    document: viewDocument(traveler, options.reveal),
    tickets: booking.tickets
      .filter((ticket) => ticket.number !== '' && ticket.travelerRefs.includes(traveler.ref))
      .map(viewTicket),
  });
}

function viewDocument(traveler: Traveler, reveal = false): PassengerView['document'] {
  const { document } = traveler;
  if (document === undefined) return undefined;
  const number = shown(cleanCode(document.number ?? '', 40));
  return omitUndefined({
    type: cleanCode(documentKind(document.docType)),
    ...(reveal ? { number } : { number_masked: number && maskNumber(number) }),
    nationality: shown(cleanCode(document.nationality ?? '', 12)),
    expires: document.expires,
  });
}

function viewTicket(ticket: Ticket): PassengerView['tickets'][number] {
  return {
    number: cleanCode(ticket.number),
    type: cleanCode(ticket.ticketType ?? 'unknown'),
    coupons: ticket.coupons.map(viewCoupon),
  };
}

function viewCoupon(coupon: Coupon) {
  return omitUndefined({
    segment_ref: coupon.segmentRef,
    number: coupon.number === undefined ? undefined : cleanCode(coupon.number),
    status: cleanText(couponStatus(coupon.statusCode), 40),
    status_code: coupon.statusCode === undefined ? undefined : cleanCode(coupon.statusCode),
    seat: coupon.seat === undefined ? undefined : cleanCode(coupon.seat),
    coach: coupon.coach === undefined ? undefined : cleanCode(coupon.coach),
    provider_ticket: coupon.providerTicket === undefined ? undefined : cleanCode(coupon.providerTicket, 40),
  });
}

export function viewContact(contact: Contact | undefined, reveal: boolean): BookingView['contact'] {
  if (contact === undefined) return undefined;
  const email = shown(emailText(contact.emails[0] ?? ''));
  const phone = shown(contact.phones[0] === undefined ? '' : phoneText(contact.phones[0]));
  return omitUndefined({
    name: nameText(contact),
    ...(reveal
      ? { email, phone }
      : { email_masked: email && maskEmail(email), phone_masked: phone && maskNumber(phone) }),
  });
}

/** Treats text without visible characters as absent. */
function shown(text: string): string | undefined {
  return text === '' ? undefined : text;
}

function phoneText(phone: Phone): string {
  const code = cleanCode(phone.countryCode ?? '', 6).replace(/^\+/, '');
  return `${code === '' ? '' : `+${code} `}${cleanCode(phone.number ?? '', 20)}`.trim();
}
