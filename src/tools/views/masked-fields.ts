/**
 * Decides which personal fields of a booking are masked before a model sees them, and how much stays visible: birth date,
 * document and memberships of a traveller, e-mail and telephone of the contact, and numbers in special services, remarks and EMDs.
 */
import { cleanCode, plainText } from '../../core/clean-text.ts';
import { joined, nounWithRefs } from '../../core/words.ts';
import { type Booking, travelerAsRead } from '../../domain/booking/booking.ts';
import { isIdentifyingService, serviceName, serviceStatusWord } from '../../domain/booking/special-services.ts';
import { emailText, HIDDEN, maskEmail, maskNumber } from '../../domain/people/mask-text.ts';
import { type Contact, documentKind, nameText, type Phone, type Traveler } from '../../domain/people/traveler.ts';
import { filled } from '../definition/field-notes.ts';
import type { BookingView, BookingViewOptions, PassengerView } from './booking-schema.ts';

type Masking = Pick<BookingViewOptions, 'reveal' | 'entered'>;

/** `reveal_personal` shows everything whole, unless travellers entered it on the details page. */
function isShownWhole({ reveal, entered = false }: Masking): boolean {
  return reveal === 'all' && !entered;
}

export function viewPersonalDetails(booking: Booking, traveler: Traveler, masking: Masking) {
  const read = travelerAsRead(booking, traveler);
  return {
    gender: traveler.gender === undefined ? undefined : cleanCode(traveler.gender),
    birth_date: masking.entered ? undefined : read.birthDate,
    document: viewDocument(read, masking),
    memberships: viewMemberships(traveler, masking),
  };
}

/** `SV Gold •••••567`: the programme, the level, and the number. */
function viewMemberships({ memberships = [] }: Traveler, masking: Masking): string[] | undefined {
  const texts = memberships.map(({ program = '', level = '', number = '' }) => {
    const shown = cleanCode(number, 40);
    const isWhole = shown === '' || isShownWhole(masking);
    return joined([cleanCode(program, 12), plainText(level, 20), isWhole ? shown : maskNumber(shown)], ' ');
  });
  return filled(texts.filter((text) => text !== ''));
}

function viewDocument({ document }: Traveler, masking: Masking): PassengerView['document'] {
  if (document === undefined) return undefined;

  const number = visibleText(cleanCode(document.number ?? '', 40));
  const masked = number && (masking.entered ? HIDDEN : maskNumber(number));

  return {
    type: cleanCode(documentKind(document.docType)),
    ...(isShownWhole(masking) ? { number } : { number_masked: masked }),
    nationality: visibleText(cleanCode(document.nationality ?? '', 12)),
    expires: masking.entered ? undefined : document.expires,
  };
}

/** E-mail and telephone are whole with `reveal_contact` and with `reveal_personal`. */
export function viewContact(contact: Contact | undefined, { reveal }: Masking): BookingView['contact'] {
  if (contact === undefined) return undefined;
  const email = visibleText(emailText(contact.emails[0] ?? ''));
  const phone = visibleText(contact.phones[0] === undefined ? '' : phoneText(contact.phones[0]));
  const name = nameText(contact);
  if (reveal !== undefined) return { name, email, phone };
  return { name, email_masked: email && maskEmail(email), phone_masked: phone && maskNumber(phone) };
}

/** Treats text without visible characters as absent. */
function visibleText(text: string): string | undefined {
  return text === '' ? undefined : text;
}

function phoneText(phone: Phone): string {
  const code = cleanCode(phone.countryCode ?? '', 6).replace(/^\+/, '');
  return `${code === '' ? '' : `+${code} `}${cleanCode(phone.number ?? '', 20)}`.trim();
}

/** Without `detail: full`, leaves out services that hold documents or contact details. */
export function viewServices(booking: Booking, options: BookingViewOptions): BookingView['special_services'] {
  const { services, serviceRemarks = [] } = textsOf(booking, options);
  const all = [...services, ...serviceRemarks];
  const listed = all.filter(({ code }) => options.detail === 'full' || !isIdentifyingService(code));
  return filled(listed.map(serviceText));
}

/** What is shown of texts in which personal numbers are usual. */
function textsOf(
  booking: Booking,
  masking: Masking,
): Pick<Booking, 'services' | 'serviceRemarks' | 'remarks' | 'emds'> {
  return isShownWhole(masking) ? booking.reading : booking;
}

/** `2 × XBAG extra baggage, confirmed: By the door (passenger 1; segment 2)`. The number of one is not shown. */
function serviceText({
  code,
  quantity = 1,
  status,
  text,
  travelerRefs,
  segmentRefs,
}: Booking['services'][number]): string {
  const about = joined(
    [
      travelerRefs.length > 0 && nounWithRefs('passenger', travelerRefs),
      segmentRefs.length > 0 && nounWithRefs('segment', segmentRefs),
    ],
    '; ',
  );

  const name = joined([quantity === 1 ? '' : `${quantity} ×`, code, serviceName(code)], ' ');
  const heading = joined([name, serviceStatusWord(status)]);
  const line = joined([heading, text], ': ');
  return plainText(joined([line, about && `(${about})`], ' '), 200);
}

export function viewRemarks(booking: Booking, options: BookingViewOptions): BookingView['special_remarks'] {
  return textsOf(booking, options).remarks?.map((remark) => plainText(remark, 160));
}

/** Documents for services. */
export function viewEmds(booking: Booking, options: BookingViewOptions): BookingView['emds'] {
  const { emds } = textsOf(booking, options);
  return filled(emds.map(({ number, type, text }) => plainText(joined([number, type, text], ' '), 120)));
}
