/**
 * Writes and reads the messages at {gateway_url}, which have no envelope: routes, days on sale, accounts, mail (docs/wire/interface.md, Routes
 * and calendar; docs/wire/notes.md, Addressing, Shapes sent).
 */
import { parseMoney } from '../../core/money.ts';
import { isRealDate } from '../../core/times.ts';
import type { AgencyAccount, BookingMail, CalendarDates, CalendarQuery } from '../../domain/airline.ts';
import { departureDate } from '../../domain/booking/booking.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import type { Route, Station } from '../../domain/booking/stations.ts';
import { asList } from './json.ts';
import {
  readAll,
  readDecimal,
  readFlag,
  readStationCode,
  record,
  replyBody,
  replyError,
  text,
  texts,
  type Wire,
} from './reader.ts';
import { type CheckedRequest, checkRequest, REQUESTS } from './request.ts';

/** `sales_channel` of the query. */
export const SALES_CHANNEL = 'OTA';
export const ACCOUNTS_PATH = '/debit-credit/accounts';

/** The path below {gateway_url} for each kind of mail. */
export const MAIL_PATHS: Readonly<Record<BookingMail['kind'], string>> = {
  tickets: '/notifications/email',
  cancellation: '/notifications/cancellation-email',
};

/** Drops a station without a code. */
function readStation(wire: Wire): Station | undefined {
  const code = text(wire.code);
  if (code === undefined) return undefined;

  const name = text(wire.name) ?? code;
  return {
    code,
    name,
    city: text(wire.cityName) ?? name,
    cityCode: text(wire.cityCode) ?? code,
    country: text(wire.country) ?? '',
  };
}

function readRoute(wire: Wire): Route | undefined {
  const from = readStation(record(wire.origin));
  if (from === undefined) return undefined;
  return { from, to: readAll(wire.destinations, readStation) };
}

export function decodeRoutesReply(wire: unknown): readonly Route[] {
  if (!Array.isArray(wire)) throw replyError('the list of routes');
  const routes = readAll(wire, readRoute);
  // A list that cannot be read is no list of an airline that sells nothing.
  if (wire.length > 0 && !routes.some(({ to }) => to.length > 0)) throw replyError('any route');
  return routes;
}

/** Writes a query whose first and last day are both included. */
export function encodeCalendarRequest(query: CalendarQuery) {
  return checkRequest(REQUESTS.calendar, {
    start_date: `${query.startDate}T00:00:00`,
    end_date: `${query.endDate}T23:59:59`,
    departure_airport: query.from,
    arrival_airport: query.to,
    direct: query.direct ? 'true' : 'false',
  });
}

function readDate(value: unknown): string {
  return text(value)?.slice(0, 10) ?? '';
}

export function decodeCalendarReply(wire: unknown): CalendarDates {
  const body = replyBody(wire);
  const [startDate, endDate] = [readDate(body.startDate), readDate(body.endDate)];
  const dates = texts(asList(body.dates)).map(readDate);

  // The airline dialect leaves out empty lists: then the days that the body is for show that it is an answer.
  const isAnswer = Array.isArray(body.dates) || (isRealDate(startDate) && isRealDate(endDate));
  const isEmpty = asList(body.dates).length === 0 && isAnswer;
  if (!isEmpty && !dates.some(isRealDate)) throw replyError('dates');

  return {
    from: readStationCode(body.departureAirport) ?? '',
    to: readStationCode(body.arrivalAirport) ?? '',
    startDate,
    endDate,
    dates,
  };
}

/** Drops an account without a name: no payment can name it. */
function readAccount(wire: Wire): AgencyAccount | undefined {
  const name = text(wire.accountName);
  if (name === undefined) return undefined;
  const code = text(wire.currencyCode)?.trim().toUpperCase() ?? '';
  const currency = /^[A-Z]{3}$/.test(code) ? code : undefined;
  const credit = readDecimal(wire.availableCredit);
  const hasCredit = credit !== undefined && currency !== undefined;
  const available = hasCredit ? parseMoney(credit, currency) : undefined;
  return { name, currency, available, isActive: readFlag(wire.active) };
}

export function decodeAccountsReply(wire: unknown): readonly AgencyAccount[] {
  if (!Array.isArray(wire)) throw replyError('the list of accounts');
  return readAll(wire, readAccount);
}

/** Writes the body of a mail. Throws {@link UnwritableRequest} if the booking lacks a field that the mail needs. */
export function mailBody(mail: BookingMail): CheckedRequest {
  const mailFields = { emails: [...mail.emails], ccEmails: [], bccEmails: [], recordLocator: mail.locator };
  if (mail.kind === 'tickets') {
    const passengers = mail.names.map(({ given, middle, surname }) => ({
      firstName: given.join(' '),
      middleName: middle.join(' ') || undefined,
      lastName: surname,
    }));
    return checkRequest(REQUESTS.ticketMail, { ...mailFields, passengers });
  }

  const segments = mail.segments.map((cancelled) => ({
    flightDesignator: flightName(cancelled),
    departure: cancelled.from,
    arrival: cancelled.to,
    departureDate: departureDate(cancelled),
  }));
  return checkRequest(REQUESTS.cancellationMail, segments.length === 0 ? mailFields : { ...mailFields, segments });
}
