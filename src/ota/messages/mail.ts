/** POST {gateway_url}/notifications/… without an envelope; answered by 204 (docs/wire/notes.md, Addressing). */
import * as z from 'zod';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { BookingMail } from '../../domain/booking/airline-requests.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import { departureDate } from '../../domain/booking/itinerary.ts';
import type { PersonName } from '../../domain/people/traveler.ts';

const addressed = {
  emails: z.array(z.string().min(1)).min(1),
  ccEmails: z.tuple([]),
  bccEmails: z.tuple([]),
  recordLocator: z.string().min(1),
};

/** The path below {gateway_url} for each kind of mail. */
export const MAIL_PATHS: Readonly<Record<BookingMail['kind'], string>> = {
  tickets: '/notifications/email',
  cancellation: '/notifications/cancellation-email',
};

const passenger = z.strictObject({
  firstName: z.string().min(1),
  middleName: z.string().min(1).optional(),
  lastName: z.string().min(1),
});
const ticketMail = z.strictObject({ ...addressed, passengers: z.array(passenger).min(1) });

const segment = z.strictObject({
  flightDesignator: z.string().min(1),
  departure: z.string().min(1),
  arrival: z.string().min(1),
  /** Local date of departure, YYYY-MM-DD. */
  departureDate: z.iso.date(),
});
/** Without segments: everything that was cancelled (docs/wire/notes.md, Shapes sent). */
const cancellationMail = z.strictObject({ ...addressed, segments: z.array(segment).min(1).optional() });

function passengerOf(name: PersonName) {
  const [firstName, middleName] = [name.given, name.middle].map((parts) => parts.join(' '));
  return omitUndefined({ firstName: firstName ?? '', middleName: middleName || undefined, lastName: name.surname });
}

/** Throws z.ZodError if the booking lacks a field that the mail needs. */
export function mailBody(mail: BookingMail): z.output<typeof ticketMail> | z.output<typeof cancellationMail> {
  const to = { emails: [...mail.emails], ccEmails: [], bccEmails: [], recordLocator: mail.locator };
  if (mail.kind === 'tickets') return ticketMail.parse({ ...to, passengers: mail.names.map(passengerOf) });
  const segments = mail.segments.map((cancelled) => ({
    flightDesignator: flightName(cancelled),
    departure: cancelled.from,
    arrival: cancelled.to,
    departureDate: departureDate(cancelled),
  }));
  return cancellationMail.parse(segments.length === 0 ? to : { ...to, segments });
}
