/**
 * Addresses beside the messages. What a traveller gets of a paid booking, its tickets as files, and e-mails (docs/wire/notes.md,
 * Addressing): GET {rest_url}/tickets/confirmation/<locator>/download is a zip of all tickets; .../download/passenger-segment is
 * the PDF of one coupon, by ticket and coupon number or in the older form by names and stations. POST
 * {gateway_url}/notifications/email and /notifications/cancellation-email send. GET {gateway_url}/schedule/routes,
 * /schedule/calendar/availability and /debit-credit/accounts (docs/wire/interface.md, Routes and calendar; docs/wire/notes.md,
 * Shapes sent).
 */
import { zipSync } from 'fflate';
import * as z from 'zod';
import { less, nothing, number, parseAmount, sum } from '../amounts.ts';
import { admit, type Call, type Incoming, jsonReply, type Reply } from '../calls.ts';
import { type Carrier, carrierNow, findDeparture, needBooking, type SandboxContext } from '../carrier.ts';
import { readLedger, sendNotice } from '../ledger.ts';
import type { NetworkStation } from '../network/network.ts';
import { ACCOUNT_NAME } from '../operations/pay.ts';
import {
  allSegments,
  type CarrierBooking,
  findBooking,
  type HeldCoupon,
  type HeldTicket,
  type Traveler,
} from '../record.ts';
import { Refusal } from '../refusal.ts';
import { parse } from '../requests/parse.ts';
import { isOnSale } from '../sale.ts';
import { isSellable, sellableFrom, tripsOn } from '../timetable.ts';
import type { Wire } from '../wire.ts';
import { addDays, isDate, localDate, localDateTime } from '../zone.ts';

const PATH = /^\/tickets\/confirmation\/([A-Za-z0-9]+)\/download(\/passenger-segment)?$/;

export function ticketCall(context: SandboxContext, incoming: Incoming): Call | undefined {
  const match = PATH.exec(incoming.url.pathname);
  if (match === null) return undefined;
  const [, locator = '', coupon] = match;
  return {
    name: 'download',
    answer: () => {
      admit(context, incoming, 'GET', 'downloads are');
      const carrier = carrierNow(context);
      return context.state.view(() => {
        const booking = needBooking(carrier, locator);
        const live = liveCoupons(booking);
        if (live.length === 0) throw new Refusal('118', 'the booking has no ticket');
        const query = incoming.url.searchParams;
        return coupon === undefined
          ? ticketArchive(carrier, booking, live, query)
          : ticketFile(carrier, booking, live, query);
      });
    },
  };
}

/** A coupon that can still be travelled on. */
interface LiveCoupon {
  readonly ticket: HeldTicket;
  readonly coupon: HeldCoupon;
}

function liveCoupons(booking: CarrierBooking): readonly LiveCoupon[] {
  return booking.tickets.flatMap((ticket) =>
    ticket.coupons.filter((coupon) => coupon.status === 'O').map((coupon) => ({ ticket, coupon })),
  );
}

function pdfName({ ticket, coupon }: LiveCoupon): string {
  return `${ticket.number}-${coupon.number}.pdf`;
}

function download(type: string, name: string, body: Buffer): Reply {
  const headers = { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` };
  return { status: 200, headers, body };
}

function ticketArchive(
  carrier: Carrier,
  booking: CarrierBooking,
  live: readonly LiveCoupon[],
  query: URLSearchParams,
): Reply {
  if (!['full', 'delta'].includes(query.get('mode') ?? 'full')) throw new Refusal('320', 'mode: full or delta is due');
  const files = Object.fromEntries(live.map((entry) => [pdfName(entry), ticketPdf(carrier, booking, entry)]));
  const archive = Buffer.from(zipSync(files, { level: 0, mtime: ZIP_DAY }));
  return download('application/zip', `${booking.locator}.zip`, archive);
}

function ticketFile(
  carrier: Carrier,
  booking: CarrierBooking,
  live: readonly LiveCoupon[],
  query: URLSearchParams,
): Reply {
  const byNumber = query.has('ticketNumber');
  const found = live.find((entry) => (byNumber ? isByNumber(entry, query) : isByNames(carrier, booking, entry, query)));
  if (found === undefined) throw new Refusal('97', 'no such ticket on this booking');
  return download('application/pdf', pdfName(found), ticketPdf(carrier, booking, found));
}

function isByNumber({ ticket, coupon }: LiveCoupon, query: URLSearchParams): boolean {
  return ticket.number === query.get('ticketNumber') && coupon.number === query.get('couponNumber');
}

function isByNames(carrier: Carrier, booking: CarrierBooking, live: LiveCoupon, query: URLSearchParams): boolean {
  const { traveler, departure } = passengerAndDeparture(carrier, booking, live);
  const { name } = traveler;
  if (name === undefined) return false;
  const { from, to } = departure;
  const names = name.given.join(' ') === query.get('firstName') && name.surname === query.get('lastName');
  return names && from.code === query.get('departure') && to.code === query.get('arrival');
}

function passengerAndDeparture(carrier: Carrier, booking: CarrierBooking, { ticket, coupon }: LiveCoupon) {
  const traveler = booking.travelers.find((traveler) => traveler.ref === ticket.travelerRef);
  const segment = allSegments(booking).find((segment) => segment.ref === coupon.segmentRef);
  if (traveler === undefined || segment === undefined)
    throw new Refusal('448', 'a ticket lost its passenger or segment');
  return { traveler, departure: findDeparture(carrier, segment) };
}

/** `Given Surname`, or the pointer of a passenger who is not named yet. */
function passengerLabel({ name, ref }: Traveler): string {
  return name === undefined ? `Passenger ${ref}` : `${name.given.join(' ')} ${name.surname}`;
}

function ticketPdf(carrier: Carrier, booking: CarrierBooking, live: LiveCoupon): Buffer {
  const { traveler, departure } = passengerAndDeparture(carrier, booking, live);
  const { coach, seat, number, providerTicket } = live.coupon;
  return pdf([
    `${carrier.network.name} - SANDBOX, not valid for travel`,
    `Booking ${booking.locator} / ${booking.operatorLocator}`,
    `Ticket ${live.ticket.number} coupon ${number} (${providerTicket})`,
    passengerLabel(traveler),
    `${departure.service.operatedBy} ${departure.shown}  ${departure.from.name} - ${departure.to.name}`,
    localDateTime(departure.from.zone, departure.departsAt),
    seat === undefined ? 'Lap infant' : `Coach ${coach} seat ${seat}`,
  ]);
}

/** A one-page PDF of plain lines (PDF 1.4). */
function pdf(lines: readonly string[]): Buffer {
  const escaped = lines.map((line) => line.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/[\\()]/g, '\\$&'));
  const text = `BT /F1 12 Tf 16 TL 56 780 Td\n${escaped.map((line) => `(${line}) Tj T*`).join('\n')}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const offsets: number[] = [];
  for (const [i, object] of objects.entries()) {
    offsets.push(file.length);
    file += `${i + 1} 0 obj\n${object}\nendobj\n`;
  }
  const start = file.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

/** So that the same files give the same bytes. The earliest day of the format, in local time. */
const ZIP_DAY = new Date(1980, 0, 1);

const addresses = z.array(z.email());
const addressed = {
  emails: addresses.min(1),
  ccEmails: addresses.optional(),
  bccEmails: addresses.optional(),
  recordLocator: z.string().min(1),
};

const confirmation = z.object({
  ...addressed,
  passengers: z
    .array(z.object({ firstName: z.string(), middleName: z.string().optional(), lastName: z.string() }))
    .min(1),
});

const cancelledSegment = z.object({
  flightDesignator: z.string(),
  departure: z.string(),
  arrival: z.string(),
  departureDate: z.string(),
});
const cancellation = z.object({
  ...addressed,
  segments: z.array(cancelledSegment).min(1).optional(),
});

const NOTIFICATIONS = new Map([
  ['/notifications/email', sendTickets],
  ['/notifications/cancellation-email', sendCancellation],
]);

export function notificationCall(context: SandboxContext, incoming: Incoming): Call | undefined {
  const send = NOTIFICATIONS.get(incoming.url.pathname);
  if (send === undefined) return undefined;
  return {
    name: 'email',
    answer: () => {
      admit(context, incoming, 'POST', 'notifications are');
      const body = parseJson(incoming.body);
      context.state.change(() => send(carrierNow(context), body));
      return { status: 204, headers: {}, body: '' };
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('320', '$: no JSON');
  }
}

function sendTickets(carrier: Carrier, body: unknown): void {
  const request = parse(confirmation, body).value;
  const booking = needBooking(carrier, request.recordLocator);
  if (booking.tickets.length === 0) throw new Refusal('118', 'the booking has no ticket to send');
  for (const { firstName, lastName } of request.passengers) {
    const isOnBooking = booking.travelers.some(
      (traveler) => traveler.name?.given.join(' ') === firstName && traveler.name.surname === lastName,
    );
    if (!isOnBooking) throw new Refusal('860', 'a passenger is not on this booking');
  }
  sendNotice(carrier, 'confirmation_email', booking.locator, request);
}

function sendCancellation(carrier: Carrier, body: unknown): void {
  const request = parse(cancellation, body).value;
  const booking = needBooking(carrier, request.recordLocator);
  const cancelled = allSegments(booking).filter((segment) => segment.cancelled);
  const departures = cancelled.map((segment) => findDeparture(carrier, segment));
  if (cancelled.length === 0) throw new Refusal('118', 'no segment of this booking is cancelled');
  for (const asked of request.segments ?? []) {
    const isCancelled = departures.some(
      (departure) =>
        asked.flightDesignator.endsWith(departure.shown) &&
        asked.departure === departure.from.code &&
        asked.arrival === departure.to.code &&
        asked.departureDate.slice(0, 10) === localDate(departure.from.zone, departure.departsAt),
    );
    if (!isCancelled) throw new Refusal('83', 'a segment is not among the cancelled ones of this booking');
  }
  sendNotice(carrier, 'cancellation_email', booking.locator, request);
}

const localTime = z.iso.datetime({ local: true }).refine((value) => !value.endsWith('Z'), 'no zone is due');

const calendarRequest = z.object({
  start_date: localTime,
  end_date: localTime,
  departure_airport: z.string().min(1),
  arrival_airport: z.string().min(1),
  direct: z.enum(['true', 'false']).optional(),
});

function writeStation({ code, name, city, cityCode = code, country }: NetworkStation): Wire {
  return { code, name, cityName: city, cityCode, country };
}

function routes(context: SandboxContext, query: URLSearchParams): Reply {
  const channel = query.get('sales_channel');
  if (channel === null) throw new Refusal('321', 'sales_channel: missing');
  if (channel !== 'OTA') throw new Refusal('320', 'sales_channel: OTA is due');
  const { timetable } = context;
  const found = timetable.network.stations.flatMap((from) => {
    const to = sellableFrom(timetable, from.code).flatMap((code) => timetable.station(code) ?? []);
    return to.length === 0 ? [] : [{ origin: writeStation(from), destinations: to.map(writeStation) }];
  });
  return jsonReply(200, found);
}

function calendar(context: SandboxContext, query: URLSearchParams): Reply {
  const { value: asked } = parse(calendarRequest, Object.fromEntries(query));
  const { departure_airport: from, arrival_airport: to } = asked;
  const [startDate, endDate] = [asked.start_date.slice(0, 10), asked.end_date.slice(0, 10)];
  const span = { from, to, startDate, endDate, direct: asked.direct === 'true' };
  const carrier = carrierNow(context);
  const dates = context.state.view(() => calendarDates(carrier, span));
  const reply = { departureAirport: from, arrivalAirport: to, startDate, endDate, dates: [...dates] };
  return jsonReply(200, context.rewrite(reply, { name: 'calendar', request: {}, carrier }));
}

/** What the agency may owe the airline. */
const CREDIT = '1000000';

/** The account that payments of type 4 name: its credit, less what they took, and what came back of them. */
function accounts(context: SandboxContext): Reply {
  const { state, timetable } = context;
  const currencyCode = timetable.network.currency;
  const availableCredit = state.view(() => {
    const moved = readLedger(state).flatMap(({ event, locator, amount }) => {
      if (amount === undefined || findBooking(state, locator)?.paymentType !== '4') return [];
      if (event === 'paid') return [less(nothing(currencyCode), amount)];
      return event === 'refunded' ? [amount] : [];
    });
    return number(sum(currencyCode, [parseAmount(CREDIT, currencyCode), ...moved]));
  });
  return jsonReply(200, [{ accountName: ACCOUNT_NAME, currencyCode, availableCredit, active: true }]);
}

const READ_ADDRESSES: Readonly<
  Record<string, readonly [string, (context: SandboxContext, query: URLSearchParams) => Reply]>
> = {
  '/schedule/routes': ['routes', routes],
  '/schedule/calendar/availability': ['calendar', calendar],
  '/debit-credit/accounts': ['accounts', accounts],
};

export function scheduleCall(context: SandboxContext, incoming: Incoming): Call | undefined {
  const { searchParams, pathname } = incoming.url;
  const address = Object.hasOwn(READ_ADDRESSES, pathname) ? READ_ADDRESSES[pathname] : undefined;
  if (address === undefined) return undefined;
  const [name, answer] = address;
  return {
    name,
    answer: () => {
      admit(context, incoming, 'GET', 'this address is read with');
      return answer(context, searchParams);
    },
  };
}

const LONGEST_DAYS = 366;

/** Dates are YYYY-MM-DD. */
type CalendarQuery = Record<'from' | 'to' | 'startDate' | 'endDate', string> & { readonly direct: boolean };

/** Dates on which a route is served. */
function calendarDates(carrier: Carrier, query: CalendarQuery): readonly string[] {
  const { timetable, now } = carrier;
  const { from, to, startDate, endDate, direct } = query;
  if (!isDate(startDate) || !isDate(endDate) || endDate < startDate)
    throw new Refusal('15', `${startDate} to ${endDate}`);
  const days = Math.round((Date.parse(endDate) - Date.parse(startDate)) / 86_400_000);
  if (days > LONGEST_DAYS) throw new Refusal('161', `at most ${LONGEST_DAYS} days`);
  if (!isSellable(timetable, from, to)) throw new Refusal('7', `${from}-${to} is not sold`);
  const last = timetable.lastSaleDate(now);
  const dates: string[] = [];
  for (let date = startDate; date <= endDate && date <= last; date = addDays(date, 1)) {
    const trips = tripsOn(timetable, from, to, date, direct);
    if (trips.some((trip) => trip.every((departure) => isOnSale(carrier, departure)))) dates.push(date);
  }
  return dates;
}
