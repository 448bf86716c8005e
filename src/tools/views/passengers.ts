/** Passengers, tickets and contact of a booking. Documents, e-mail and phone are masked unless `reveal` names them. */

import { cleanCode, cleanText, plainText } from '../../core/clean-text.ts';
import type { Booking, Coupon, Ticket } from '../../domain/booking/booking.ts';
import { couponStatus } from '../../domain/booking/status-codes.ts';
import { emailText, maskEmail, maskNumber } from '../../domain/people/mask-personal-data.ts';
import {
  type Contact,
  documentKind,
  fullName,
  type PersonName,
  type Phone,
  type Traveler,
} from '../../domain/people/traveler.ts';
import type { BookingView, BookingViewOptions, CouponView, PassengerView } from './booking-schema.ts';

export function nameText(person: { readonly name?: Traveler['name'] } | undefined): string {
  return plainText(fullName(person?.name), 70);
}

/** `Haddad L.`: the surname and an initial; empty without a visible letter. */
export function shortName(name: PersonName): string {
  const surname = plainText(name.surname, 60);
  if (surname === '') return plainText(fullName(name), 60);
  const [initial] = /\p{L}\p{M}*/u.exec(plainText([...name.given, ...name.middle].join(' '), 60)) ?? [];
  return initial === undefined ? surname : `${surname} ${initial.toUpperCase()}.`;
}

export function viewPassenger(booking: Booking, traveler: Traveler, options: BookingViewOptions): PassengerView {
  const tickets = booking.tickets.filter(
    ({ number, travelerRefs }) => number !== '' && travelerRefs.includes(traveler.ref),
  );
  const full = options.detail === 'full';
  return {
    ref: traveler.ref,
    type: cleanCode(traveler.type),
    name: nameText(traveler),
    with_adult_ref: traveler.attendantRef,
    unnamed: traveler.name === undefined ? true : undefined,
    ...(full || options.reveal === 'all' ? viewDetails(traveler, options.reveal === 'all') : {}),
    tickets: tickets.length > 0 ? tickets.map((ticket) => viewTicket(ticket, full)) : undefined,
  };
}

function viewDetails(traveler: Traveler, reveal: boolean) {
  return {
    gender: traveler.gender === undefined ? undefined : cleanCode(traveler.gender),
    birth_date: traveler.birthDate,
    document: viewDocument(traveler, reveal),
  };
}

function viewDocument({ document }: Traveler, reveal: boolean): PassengerView['document'] {
  if (document === undefined) return undefined;
  const number = shown(cleanCode(document.number ?? '', 40));
  return {
    type: cleanCode(documentKind(document.docType)),
    ...(reveal ? { number } : { number_masked: number && maskNumber(number) }),
    nationality: shown(cleanCode(document.nationality ?? '', 12)),
    expires: document.expires,
  };
}

function viewTicket(
  { number, ticketType, coupons }: Ticket,
  full: boolean,
): NonNullable<PassengerView['tickets']>[number] {
  return {
    number: cleanCode(number),
    type: full ? cleanCode(ticketType ?? 'unknown') : undefined,
    coupons: coupons.length > 0 ? coupons.map((coupon) => viewCoupon(coupon, full)) : undefined,
  };
}

/** The status of a coupon that is open goes without saying. */
export function viewCoupon(coupon: Coupon, full = false): CouponView {
  const status = cleanText(couponStatus(coupon.statusCode), 40);
  const code = (text: string | undefined, max?: number) => (text === undefined ? undefined : cleanCode(text, max));
  return {
    segment_ref: coupon.segmentRef,
    number: full ? code(coupon.number) : undefined,
    coach: code(coupon.coach),
    seat: code(coupon.seat),
    status: full || coupon.statusCode !== 'O' ? status : undefined,
    status_code: full ? code(coupon.statusCode) : undefined,
    provider_ticket: full ? code(coupon.providerTicket, 40) : undefined,
  };
}

export function viewContact(contact: Contact | undefined, reveal: boolean): BookingView['contact'] {
  if (contact === undefined) return undefined;
  const email = shown(emailText(contact.emails[0] ?? ''));
  const phone = shown(contact.phones[0] === undefined ? '' : phoneText(contact.phones[0]));
  return {
    name: nameText(contact),
    ...(reveal
      ? { email, phone }
      : { email_masked: email && maskEmail(email), phone_masked: phone && maskNumber(phone) }),
  };
}

/** Treats text without visible characters as absent. */
function shown(text: string): string | undefined {
  return text === '' ? undefined : text;
}

function phoneText(phone: Phone): string {
  const code = cleanCode(phone.countryCode ?? '', 6).replace(/^\+/, '');
  return `${code === '' ? '' : `+${code} `}${cleanCode(phone.number ?? '', 20)}`.trim();
}
