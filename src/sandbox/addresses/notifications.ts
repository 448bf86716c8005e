/** POST {gateway_url}/notifications/email and /notifications/cancellation-email (docs/wire/notes.md, Addressing). */
import * as z from 'zod';
import { type Carrier, departureOf, needBooking } from '../carrier.ts';
import { carrierOf, type SandboxContext } from '../context.ts';
import { sendNotice } from '../notices.ts';
import { allSegments } from '../record.ts';
import { Refusal } from '../refusal.ts';
import { type Call, emptyReply, type Incoming } from '../reply.ts';
import { parse as parseBody } from '../requests/parse.ts';
import { localDate } from '../zone.ts';
import { checkCredentials } from './credentials.ts';

const email = z.email();
const addressed = {
  emails: z.array(email).min(1),
  ccEmails: z.array(email).optional(),
  bccEmails: z.array(email).optional(),
  recordLocator: z.string().min(1),
};

const confirmation = z.object({
  ...addressed,
  passengers: z
    .array(z.object({ firstName: z.string(), middleName: z.string().optional(), lastName: z.string() }))
    .min(1),
});

const cancellation = z.object({
  ...addressed,
  segments: z
    .array(
      z.object({
        flightDesignator: z.string(),
        departure: z.string(),
        arrival: z.string(),
        departureDate: z.string(),
      }),
    )
    .min(1)
    .optional(),
});

export function notificationCall(context: SandboxContext, incoming: Incoming): Call | undefined {
  const send = { '/notifications/email': sendTickets, '/notifications/cancellation-email': sendCancellation }[
    incoming.url.pathname
  ];
  if (send === undefined) return undefined;
  return {
    name: 'email',
    answer: () => {
      if (incoming.method !== 'POST') throw new Refusal('320', 'notifications are POST', 405);
      checkCredentials(context, incoming);
      const body = parse(incoming.body);
      context.state.change(() => send(carrierOf(context), body));
      return emptyReply(204);
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('320', '$: no JSON');
  }
}

function sendTickets(carrier: Carrier, body: unknown): void {
  const request = parseBody(confirmation, body).value;
  const booking = needBooking(carrier, request.recordLocator);
  if (booking.tickets.length === 0) throw new Refusal('118', 'the booking has no ticket to send');
  for (const { firstName, lastName } of request.passengers) {
    const known = booking.travelers.some(
      (traveler) => traveler.name?.given.join(' ') === firstName && traveler.name.surname === lastName,
    );
    if (!known) throw new Refusal('860', 'a passenger is not on this booking');
  }
  sendNotice(carrier.state, carrier.now, 'confirmation_email', booking.locator, request);
}

function sendCancellation(carrier: Carrier, body: unknown): void {
  const request = parseBody(cancellation, body).value;
  const booking = needBooking(carrier, request.recordLocator);
  const cancelled = allSegments(booking).filter((segment) => segment.cancelled);
  const departures = cancelled.map((segment) => departureOf(carrier, segment));
  if (cancelled.length === 0) throw new Refusal('118', 'no segment of this booking is cancelled');
  for (const asked of request.segments ?? []) {
    const known = departures.some(
      (departure) =>
        asked.flightDesignator.endsWith(departure.shown) &&
        asked.departure === departure.from.code &&
        asked.arrival === departure.to.code &&
        asked.departureDate.slice(0, 10) === localDate(departure.from.zone, departure.departsAt),
    );
    if (!known) throw new Refusal('83', 'a segment is not among the cancelled ones of this booking');
  }
  sendNotice(carrier.state, carrier.now, 'cancellation_email', booking.locator, request);
}
