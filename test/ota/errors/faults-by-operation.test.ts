/**
 * Every code and word of docs/wire/notes.md, errors, in answer to a search, a booking, a payment, a reading and a change: the
 * error it becomes, who acts next, and whether a send is in doubt. Written by hand, not from the table.
 */
import { describe, expect, it } from 'vitest';
import { FAULT_TABLE } from '../../../src/ota/errors/fault-table.ts';
import { isSend, REQUESTS, told } from '../support/told.ts';

/** Of a code: the error, and in `next` the tool or person, for each request in the order above. */
type Due = readonly [code: string, next: string];
interface Group {
  readonly what: string;
  readonly codes: string;
  readonly due: readonly [search: Due, create: Due, pay: Due, read: Due, change: Due];
  /** After a send the outcome is not known; the codes above are then those of a search and a reading only. */
  readonly blind?: true;
}

const all = (code: string, next: string): Group['due'] => [
  [code, next],
  [code, next],
  [code, next],
  [code, next],
  [code, next],
];
const REFUSED: Due = ['E_NOT_PERMITTED', 'read_booking'];
const ODD_SEARCH: Due = ['E_NOT_PERMITTED', 'search_fares'];
const ODD_CREATE: Due = ['E_NOT_PERMITTED', 'search_fares'];
const ODD_READ: Due = ['E_NOT_PERMITTED', 'the operator'];

const ROUTES: Due = ['E_INPUT', 'list_routes'];
const VALUES: Due = ['E_INPUT', 'the values'];
const DATES: Due = ['E_INPUT', 'get_calendar_dates'];
const SEARCH: Due = ['E_INPUT', 'search_fares'];
const NOTHING: Due = ['E_NO_AVAILABILITY', 'get_calendar_dates'];
const GONE: Due = ['E_SOLD_OUT', 'search_fares'];
const GONE_HELD: Due = ['E_SOLD_OUT', 'read_booking'];
const GONE_OTHER: Due = ['E_SOLD_OUT', 'another flight or seat'];
const NO_PRICE: Due = ['E_NO_AVAILABILITY', 'search_fares'];
const STALE: Due = ['E_OFFER_EXPIRED', 'search_fares'];
const STALE_HELD: Due = ['E_OFFER_EXPIRED', 'read_booking'];
const STALE_OTHER: Due = ['E_OFFER_EXPIRED', 'another flight or seat'];
const FULL: Due = ['E_SOLD_OUT', 'search_fares with another'];
const OFF: Due = ['E_NOT_PERMITTED', 'search_fares with another'];
const OFF_OTHER: Due = ['E_NOT_PERMITTED', 'another flight or seat'];
const REPRICED: Due = ['E_PRICE_CHANGED', 'search_fares'];
const REPRICED_HELD: Due = ['E_PRICE_CHANGED', 'read_booking'];
const OTHER_INPUT: Due = ['E_INPUT', 'another flight or seat'];
const FIND: Due = ['E_ALREADY_DONE', 'list_bookings'];
const DONE: Due = ['E_ALREADY_DONE', 'read_booking'];
const DONE_CREATE: Due = ['E_ALREADY_DONE', 'search_fares'];
const LAPSED: Due = ['E_TOO_LATE', 'search_fares'];
const LAPSED_READ: Due = ['E_TOO_LATE', 'Tell the person'];
const LATE: Due = ['E_TOO_LATE', 'read_booking'];
const LATE_READ: Due = ['E_TOO_LATE', 'the operator'];
const DECLINED: Due = ['E_PAYMENT_DECLINED', 'the person who pays'];
const PAY_OTHERWISE: Due = ['E_INPUT', 'pay_booking'];
const CARRIER: Due = ['E_CONFIG', 'FARECLERK_CARRIER'];
const COMPANY: Due = ['E_CONFIG', 'FARECLERK_PAYMENT_COMPANY'];
const SETTING: Due = ['E_CONFIG', 'the operator'];
const WHICH: Due = ['E_NOT_FOUND', 'right locator'];

const GROUPS: readonly Group[] = [
  {
    what: 'routes that are not sold',
    codes: '7 8',
    due: [ROUTES, ROUTES, VALUES, VALUES, VALUES],
  },
  {
    what: 'dates',
    codes: '15 101 107 353 458',
    due: [DATES, DATES, VALUES, VALUES, VALUES],
  },
  {
    what: 'parties and criteria',
    codes: '20 22 123 124 161 569',
    due: [SEARCH, SEARCH, VALUES, VALUES, VALUES],
  },
  {
    what: 'values that any request can have wrong',
    codes: '26 60 320 321 MISSING_REQUIRED_FIELD INVALID_DATE INVALID_PASSENGER',
    due: all('E_INPUT', 'the values'),
  },
  {
    what: 'nothing available',
    codes: '322 NO_FLIGHTS_AVAILABLE NO_AVAILABILITY FLIGHT_SOLD_OUT',
    due: [NOTHING, GONE, GONE_HELD, ODD_READ, GONE_OTHER],
  },
  {
    what: 'no price for the fare',
    codes: '53',
    due: [NO_PRICE, STALE, STALE_HELD, ODD_READ, STALE_OTHER],
  },
  {
    what: 'offers that have gone',
    codes: '58 1054 1055 1056 3511 FARE_NO_LONGER_AVAILABLE',
    due: [ODD_SEARCH, STALE, STALE_HELD, ODD_READ, STALE_OTHER],
  },
  {
    what: 'seats that have gone',
    codes: '6 9 21 24 499 854 1053 3502 3503 3504 3508 SEAT_NOT_AVAILABLE',
    due: [FULL, GONE, GONE_HELD, ODD_READ, GONE_OTHER],
  },
  {
    what: 'services that were cancelled',
    codes: '16 3509',
    due: [OFF, ODD_CREATE, REFUSED, ODD_READ, OFF_OTHER],
  },
  {
    what: 'prices that changed',
    codes: '883 884 885',
    due: [ODD_SEARCH, REPRICED, REPRICED_HELD, ODD_READ, REPRICED_HELD],
  },
  {
    what: 'references and classes that fit no offer',
    codes: '83 102 508',
    due: [SEARCH, SEARCH, VALUES, VALUES, OTHER_INPUT],
  },
  {
    what: "passengers' details",
    codes: '19 27 113 244 285 286 287 288 310 311 407 420 501 523 524 860 878 879 1024 1083 3004 3005',
    due: all('E_INPUT', 'with the person'),
  },
  {
    what: 'a booking that is there already',
    codes: '96 127',
    due: [ODD_SEARCH, FIND, DONE, ODD_READ, DONE],
  },
  {
    what: 'done already',
    codes: '65 95 1026',
    due: [ODD_SEARCH, DONE_CREATE, DONE, ODD_READ, DONE],
  },
  {
    what: 'rules and states of a booking',
    codes: '63 72 76 118 150 172 193 264 417 568 768 1061 3505 5002 MODIFICATION_NOT_ALLOWED CHANGES_ARE_NOT_PERMITTED',
    due: [ODD_SEARCH, ODD_CREATE, REFUSED, ODD_READ, REFUSED],
  },
  { what: 'what the airline alone can do', codes: '632', due: all('E_NOT_PERMITTED', 'A person must ask the airline') },
  { what: 'what this agency may not do', codes: '99 171 189', due: all('E_NOT_PERMITTED', 'the operator') },
  {
    what: 'holds that lapsed',
    codes: '73',
    due: [ODD_SEARCH, LAPSED, LAPSED, LAPSED_READ, LAPSED],
  },
  {
    what: 'journeys that began or ended',
    codes: '74 86 103 254',
    due: [ODD_SEARCH, LAPSED, LATE, LATE_READ, LATE],
  },
  {
    what: 'payments that were declined',
    codes: '167 240 241 242 877 PAYMENT_DECLINED',
    due: [ODD_SEARCH, ODD_CREATE, DECLINED, ODD_READ, DECLINED],
  },
  {
    what: 'the type of payment',
    codes: '163',
    due: [VALUES, VALUES, PAY_OTHERWISE, VALUES, VALUES],
  },
  { what: 'currencies', codes: '61 713', due: all('E_CONFIG', 'FARECLERK_CURRENCY') },
  {
    what: 'the airline in the request',
    codes: '248',
    due: [CARRIER, CARRIER, COMPANY, SETTING, SETTING],
  },
  {
    what: 'bookings that are not known',
    codes: '87 97 BOOKING_NOT_FOUND booking_not_found',
    due: [ODD_SEARCH, ODD_CREATE, WHICH, WHICH, WHICH],
  },
  {
    what: 'no match',
    codes: '194 635',
    due: [VALUES, VALUES, WHICH, WHICH, WHICH],
  },
  {
    what: 'credentials',
    codes: '175 183 497 TOKEN_EXPIRED INVALID_API_KEY UNAUTHORIZED FORBIDDEN',
    due: all('E_AUTH', 'the operator'),
  },
  { what: 'locks', codes: '3510', due: all('E_AIRLINE_BUSY', 'later') },
  {
    what: 'throttling without the status 429',
    codes: '888 RATE_LIMIT_EXCEEDED',
    due: all('E_AIRLINE_BUSY', 'later'),
    blind: true,
  },
  { what: 'a busy system', codes: '191', due: all('E_AIRLINE_BUSY', 'later'), blind: true },
  {
    what: 'a system that was too slow',
    codes: 'TIMEOUT timeout Timeout',
    due: all('E_AIRLINE_TIMEOUT', 'later'),
    blind: true,
  },
  {
    what: 'failed systems, and confirmations and cancellations that failed',
    codes:
      '187 448 450 9999 1602 1603 1604 SYSTEM_ERROR system_error INTERNAL_SERVER_ERROR Internal-Server-Error SERVICE_UNAVAILABLE GATEWAY_TIMEOUT',
    due: all('E_AIRLINE_DOWN', 'later'),
    blind: true,
  },
];

/** Code and form of each reply in which a code can come. */
const FORMS: readonly (readonly [string, (code: string) => object])[] = [
  [
    'flat',
    (code) => ({ status: 422, error: 'Unprocessable Entity', code, title: 'said the airline', correlationId: 'c-1' }),
  ],
  ['a list', (code) => ({ errors: [{ type: 'business', code, message: 'said the airline' }], requestId: 'c-1' })],
  [
    'OpenTravel',
    (code) => ({ errors: { error: [{ type: '3', code, shortText: 'said the airline' }] }, correlationId: 'c-1' }),
  ],
];

const CASES = GROUPS.flatMap(({ what, codes, due, blind }) =>
  codes
    .split(' ')
    .flatMap((code) =>
      REQUESTS.map((request, i) => ({ what, code, request, due: due[i] as Due, blind: blind === true })),
    ),
);

describe('every code in answer to every request', () => {
  it.each(CASES)('gives error and next step for $what: $code after $request', ({ code, request, due, blind }) => {
    for (const [, form] of FORMS) {
      const error = told(422, form(code), request);
      const [dueCode, dueNext] = due;
      const inDoubt = blind && isSend(request);
      expect(error.effect).toBe(inDoubt ? 'unknown' : 'none');
      expect(error.airline).toMatchObject({ status: 422, code, correlationId: 'c-1' });
      expect(error.message).not.toContain('said the airline');
      expect(error.message).toMatch(/^[A-Z][\x20-\x7e]+\.$/);
      expect(error.next).toMatch(/^[A-Z][\x20-\x7e]+\.$/);
      if (inDoubt) {
        expect(error.message).not.toContain('Nothing was changed');
        expect(error.next).toMatch(request === 'create' ? /person must ask the airline/ : /read_booking/);
        continue;
      }
      expect(error.code).toBe(dueCode);
      expect(error.next).toContain(dueNext);
      if (isSend(request)) expect(error.message).toMatch(/ (Nothing was changed|It was not made again)\.$/);
      else expect(error.message).not.toMatch(/changed\.$|not made again/);
    }
  });

  it.each(REQUESTS)('says that the agency is not authorised if the airline refuses a %s with code 189', (request) => {
    const { message } = told(403, { status: 403, error: 'Forbidden', code: '189', title: 'Not authorised' }, request);
    expect(message).toMatch(/^The airline does not authorise this agency to do this\./);
  });

  it('expects something of every code in the fault table', () => {
    const named = new Set(GROUPS.flatMap(({ codes }) => codes.split(' ')));
    expect([...FAULT_TABLE.keys()].filter((code) => !named.has(code))).toEqual([]);
  });

  const CODES = [...new Set(CASES.map(({ code }) => code)), 'UNHEARD_OF', '123456'];
  const STATUSES = [200, 400, 401, 403, 404, 405, 409, 422, 429, 499, 500, 502, 503, 504];

  it.each(STATUSES)('never suggests a wrong next step or claims too much under HTTP %i', (status) => {
    for (const code of CODES) {
      for (const [, form] of FORMS) {
        const body = { ...form(code), status };
        const search = told(status, body, 'search');
        expect(search.next).not.toMatch(/read_booking|list_bookings|pay_booking|locator/);
        expect(search.noSuchBooking).toBe(false);
        expect(['E_NOT_FOUND', 'E_ALREADY_DONE', 'E_PAYMENT_DECLINED', 'E_PRICE_CHANGED']).not.toContain(search.code);
        const read = told(status, body, 'read');
        expect(read.next).not.toMatch(/search_fares|list_routes|pay_booking/);
        for (const request of ['create', 'pay', 'change'] as const) {
          const { effect, next, message } = told(status, body, request);
          if (status >= 500) expect(effect).toBe('unknown');
          if (effect === 'unknown') expect(message).not.toMatch(/Nothing was changed|not made again/);
          if (request === 'create') expect(next).not.toMatch(/read_booking/);
        }
      }
    }
  });
});
