/**
 * Answers the addresses beside the OTA messages (docs/wire/interface.md, Routes and calendar; docs/wire/notes.md,
 * Addressing, Shapes sent), in this order; for each group first the exported function, then what it uses:
 * - POST {auth_url}/protocol/openid-connect/token
 * - GET {rest_url}/tickets/confirmation/<locator>/download/passenger-segment: the PDF of one coupon, found by ticket and
 *   coupon number or, in the older form, by names and stations
 * - POST {gateway_url}/notifications/email, /notifications/cancellation-email
 * - GET {gateway_url}/schedule/routes, /schedule/calendar/availability, /debit-credit/accounts
 */
import * as z from 'zod';
import { parseAmount, subtract, sum, toNumber, zeroAmount } from '../amounts.ts';
import { admit, type Call, type Incoming, jsonReply, parseJson, type Reply } from '../calls.ts';
import { type Carrier, carrierNow, findDeparture, requireBooking, type SandboxContext } from '../carrier.ts';
import { grantToken } from '../identity.ts';
import { readLedger } from '../ledger.ts';
import type { NetworkStation } from '../network.ts';
import { ACCOUNT_NAME } from '../operations/pay.ts';
import { searchDates } from '../operations/search.ts';
import { allSegments, type CarrierBooking, findBooking } from '../record.ts';
import { Refusal } from '../refusal.ts';
import { type OpenCoupon, openCoupons, passengerAndDeparture, ticketPdf } from '../replies/tickets.ts';
import { parse } from '../requests/parse.ts';
import { sellableFrom } from '../timetable.ts';
import type { Wire } from '../wire.ts';
import { localDate } from '../zone.ts';

const TOKEN_PATH = /^\/realms\/([^/]+)\/protocol\/openid-connect\/token$/;
const TICKET_PATH = /^\/tickets\/confirmation\/([A-Za-z0-9]+)\/download\/passenger-segment$/;
/** What the agency may owe the airline. */
const CREDIT_LIMIT = '1000000';

/** Writes the path of auth_url. */
export const authPath = (tenant: string): string => `/realms/${tenant}`;

/** Finds the token endpoint of a call. Undefined for any other address. */
export function tokenCall(context: SandboxContext, incoming: Incoming): Call | undefined {
  const tenant = TOKEN_PATH.exec(incoming.url.pathname)?.[1];
  if (tenant === undefined) return undefined;

  return {
    name: 'token',
    answer: () => {
      if (incoming.method !== 'POST') return jsonReply(405, { error: 'RESTEASY003650: No resource method found' });
      if (tenant !== context.credentials.tenant) return jsonReply(404, { error: 'Realm does not exist' });
      if (!/^application\/x-www-form-urlencoded\b/.test(incoming.headers['content-type'] ?? ''))
        return jsonReply(415, { error: 'invalid_request', error_description: 'form encoding is due' });

      const form = new URLSearchParams(incoming.body);
      const { state, credentials, clock } = context;
      const { status, body } = state.change(() => grantToken(state, credentials, form, clock.now()));
      return jsonReply(status, body);
    },
  };
}

/** Finds the ticket address of a call. Undefined for any other address. */
export function ticketCall(context: SandboxContext, incoming: Incoming): Call | undefined {
  const locator = TICKET_PATH.exec(incoming.url.pathname)?.[1];
  if (locator === undefined) return undefined;

  return {
    name: 'download',
    answer: () => {
      admit(context, incoming, 'GET', 'downloads are');
      const carrier = carrierNow(context);
      return context.state.view(() => {
        const booking = requireBooking(carrier, locator);
        const coupons = openCoupons(booking);
        if (coupons.length === 0) throw new Refusal('118', 'the booking has no ticket');
        return ticketFile({ carrier, booking, coupons, query: incoming.url.searchParams });
      });
    },
  };
}

/** What a download is made from. `coupons`: all open ones of the booking. */
interface Download {
  readonly carrier: Carrier;
  readonly booking: CarrierBooking;
  readonly coupons: readonly OpenCoupon[];
  readonly query: URLSearchParams;
}

function ticketFile(download: Download): Reply {
  const { carrier, booking, coupons, query } = download;
  const matches = query.has('ticketNumber') ? matchesNumbers : matchesNames;
  const entry = coupons.find((entry) => matches(download, entry));
  if (entry === undefined) throw new Refusal('97', 'no such ticket on this booking');
  return { status: 200, headers: { 'content-type': 'application/pdf' }, body: ticketPdf(carrier, booking, entry) };
}

function matchesNumbers({ query }: Download, { ticket, coupon }: OpenCoupon): boolean {
  return ticket.number === query.get('ticketNumber') && coupon.number === query.get('couponNumber');
}

function matchesNames({ carrier, booking, query }: Download, entry: OpenCoupon): boolean {
  const { traveler, departure } = passengerAndDeparture(carrier, booking, entry);
  const { name } = traveler;
  if (name === undefined) return false;
  const { from, to } = departure;
  const isSameName = name.given.join(' ') === query.get('firstName') && name.surname === query.get('lastName');
  return isSameName && from.code === query.get('departure') && to.code === query.get('arrival');
}

const NOTIFICATIONS = new Map([
  ['/notifications/email', sendTickets],
  ['/notifications/cancellation-email', sendCancellation],
]);

/** Finds the notification address of a call. Undefined for any other address. */
export function notificationCall(context: SandboxContext, incoming: Incoming): Call | undefined {
  const send = NOTIFICATIONS.get(incoming.url.pathname);
  if (send === undefined) return undefined;

  return {
    name: 'email',
    answer: () => {
      admit(context, incoming, 'POST', 'notifications are');
      const body = parseJson(incoming.body);
      context.state.view(() => send(carrierNow(context), body));
      return { status: 204, headers: {}, body: '' };
    },
  };
}

const emails = z.array(z.email());
const notificationFields = {
  emails: emails.min(1),
  ccEmails: emails.optional(),
  bccEmails: emails.optional(),
  recordLocator: z.string().min(1),
};

const confirmationRequest = z.object({
  ...notificationFields,
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
const cancellationRequest = z.object({ ...notificationFields, segments: z.array(cancelledSegment).min(1).optional() });

function sendTickets(carrier: Carrier, body: unknown): void {
  const request = parse(confirmationRequest, body);
  const booking = requireBooking(carrier, request.recordLocator);
  if (booking.tickets.length === 0) throw new Refusal('118', 'the booking has no ticket to send');

  for (const { firstName, lastName } of request.passengers) {
    const isOnBooking = booking.travelers.some(
      (traveler) => traveler.name?.given.join(' ') === firstName && traveler.name.surname === lastName,
    );
    if (!isOnBooking) throw new Refusal('860', 'a passenger is not on this booking');
  }
}

function sendCancellation(carrier: Carrier, body: unknown): void {
  const request = parse(cancellationRequest, body);
  const booking = requireBooking(carrier, request.recordLocator);
  const cancelledSegments = allSegments(booking).filter((segment) => segment.cancelled);
  const departures = cancelledSegments.map((segment) => findDeparture(carrier, segment));
  if (departures.length === 0) throw new Refusal('118', 'no segment of this booking is cancelled');

  for (const segment of request.segments ?? []) {
    const isCancelled = departures.some(
      (departure) =>
        segment.flightDesignator.endsWith(departure.shownNumber) &&
        segment.departure === departure.from.code &&
        segment.arrival === departure.to.code &&
        segment.departureDate.slice(0, 10) === localDate(departure.from.zone, departure.departsAt),
    );
    if (!isCancelled) throw new Refusal('83', 'a segment is not among the cancelled ones of this booking');
  }
}

const READ_ADDRESSES = new Map([
  ['/schedule/routes', { name: 'routes', answer: answerRoutes }],
  ['/schedule/calendar/availability', { name: 'calendar', answer: answerCalendar }],
  ['/debit-credit/accounts', { name: 'accounts', answer: answerAccounts }],
]);

/** Finds the address of a call that only reads. Undefined for any other address. */
export function scheduleCall(context: SandboxContext, incoming: Incoming): Call | undefined {
  const { searchParams, pathname } = incoming.url;
  const address = READ_ADDRESSES.get(pathname);
  if (address === undefined) return undefined;

  return {
    name: address.name,
    answer: () => {
      admit(context, incoming, 'GET', 'this address is read with');
      return address.answer(context, searchParams);
    },
  };
}

function writeStation({ code, name, city, cityCode = code, country }: NetworkStation): Wire {
  return { code, name, cityName: city, cityCode, country };
}

function answerRoutes(context: SandboxContext, query: URLSearchParams): Reply {
  const channel = query.get('sales_channel');
  if (channel === null) throw new Refusal('321', 'sales_channel: missing');
  if (channel !== 'OTA') throw new Refusal('320', 'sales_channel: OTA is due');

  const { timetable } = context;
  const routes = timetable.network.stations.flatMap((from) => {
    const destinations = sellableFrom(timetable, from.code).flatMap((code) => timetable.station(code) ?? []);
    if (destinations.length === 0) return [];
    return [{ origin: writeStation(from), destinations: destinations.map(writeStation) }];
  });
  return jsonReply(200, routes);
}

const localTime = z.iso.datetime({ local: true }).refine((value) => !value.endsWith('Z'), 'no zone is due');

const calendarRequest = z.object({
  start_date: localTime,
  end_date: localTime,
  departure_airport: z.string().min(1),
  arrival_airport: z.string().min(1),
  direct: z.enum(['true', 'false']).optional(),
});

function answerCalendar(context: SandboxContext, parameters: URLSearchParams): Reply {
  const request = parse(calendarRequest, Object.fromEntries(parameters));
  const { departure_airport: from, arrival_airport: to } = request;
  const [startDate, endDate] = [request.start_date.slice(0, 10), request.end_date.slice(0, 10)];
  const query = { from, to, startDate, endDate, directOnly: request.direct === 'true' };
  const carrier = carrierNow(context);
  const dates = context.state.view(() => searchDates(carrier, query));
  const reply = { departureAirport: from, arrivalAirport: to, startDate, endDate, dates: [...dates] };
  return jsonReply(200, context.rewrite(reply, { name: 'calendar', request: {}, carrier }));
}

/** Answers with the account that payments of type 4 charge: its credit limit less payments, plus their refunds. */
function answerAccounts(context: SandboxContext): Reply {
  const { state, timetable } = context;
  const currencyCode = timetable.network.currency;
  const availableCredit = state.view(() => {
    const amounts = readLedger(state).flatMap(({ event, locator, amount }) => {
      if (amount === undefined || findBooking(state, locator)?.paymentType !== '4') return [];
      if (event === 'paid') return [subtract(zeroAmount(currencyCode), amount)];
      return event === 'refunded' ? [amount] : [];
    });
    return toNumber(sum(currencyCode, [parseAmount(CREDIT_LIMIT, currencyCode), ...amounts]));
  });
  return jsonReply(200, [{ accountName: ACCOUNT_NAME, currencyCode, availableCredit, active: true }]);
}
