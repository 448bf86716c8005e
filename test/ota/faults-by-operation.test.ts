/**
 * Every code and word of field-notes.md, errors, in answer to a search, a booking, a payment, a reading and a change: the
 * error it becomes, who acts next, and whether a send is in doubt. Written by hand, not from the table.
 */
import { describe, expect, it } from 'vitest';
import { ClerkError, type ErrorCode } from '../../src/errors.ts';
import { FAULT_TABLE } from '../../src/ota/fault-table.ts';
import { type Expected, judge } from '../../src/ota/judge.ts';
import type { Operation } from '../../src/ota/options.ts';

const REQUESTS = ['search', 'create', 'pay', 'read', 'change'] as const;
type Request = (typeof REQUESTS)[number];
const OPERATION: Readonly<Record<Request, Operation>> = {
  search: 'fare_search',
  create: 'book',
  pay: 'ticket',
  read: 'read',
  change: 'modify',
};
const isSend = (request: Request): boolean => request !== 'search' && request !== 'read';

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

const GROUPS: readonly Group[] = [
  {
    what: 'routes that are not sold',
    codes: '7 8',
    due: [
      ['E_INPUT', 'list_routes'],
      ['E_INPUT', 'list_routes'],
      ['E_INPUT', 'the values'],
      ['E_INPUT', 'the values'],
      ['E_INPUT', 'the values'],
    ],
  },
  {
    what: 'dates',
    codes: '15 101 107 353 458',
    due: [
      ['E_INPUT', 'get_calendar_dates'],
      ['E_INPUT', 'get_calendar_dates'],
      ['E_INPUT', 'the values'],
      ['E_INPUT', 'the values'],
      ['E_INPUT', 'the values'],
    ],
  },
  {
    what: 'parties and criteria',
    codes: '20 22 123 124 161 569',
    due: [
      ['E_INPUT', 'search_fares'],
      ['E_INPUT', 'search_fares'],
      ['E_INPUT', 'the values'],
      ['E_INPUT', 'the values'],
      ['E_INPUT', 'the values'],
    ],
  },
  {
    what: 'values that any request can have wrong',
    codes: '26 60 320 321 MISSING_REQUIRED_FIELD INVALID_DATE INVALID_PASSENGER',
    due: all('E_INPUT', 'the values'),
  },
  {
    what: 'nothing available',
    codes: '322 NO_FLIGHTS_AVAILABLE NO_AVAILABILITY FLIGHT_SOLD_OUT',
    due: [
      ['E_NO_AVAILABILITY', 'get_calendar_dates'],
      ['E_SOLD_OUT', 'search_fares'],
      ['E_SOLD_OUT', 'read_booking'],
      ODD_READ,
      ['E_SOLD_OUT', 'another flight or seat'],
    ],
  },
  {
    what: 'no price for the fare',
    codes: '53',
    due: [
      ['E_NO_AVAILABILITY', 'search_fares'],
      ['E_OFFER_EXPIRED', 'search_fares'],
      ['E_OFFER_EXPIRED', 'read_booking'],
      ODD_READ,
      ['E_OFFER_EXPIRED', 'another flight or seat'],
    ],
  },
  {
    what: 'offers that have gone',
    codes: '58 1054 1055 1056 3511 FARE_NO_LONGER_AVAILABLE',
    due: [
      ODD_SEARCH,
      ['E_OFFER_EXPIRED', 'search_fares'],
      ['E_OFFER_EXPIRED', 'read_booking'],
      ODD_READ,
      ['E_OFFER_EXPIRED', 'another flight or seat'],
    ],
  },
  {
    what: 'seats that have gone',
    codes: '6 9 21 24 499 854 1053 3502 3503 3504 3508 SEAT_NOT_AVAILABLE',
    due: [
      ['E_SOLD_OUT', 'search_fares with another'],
      ['E_SOLD_OUT', 'search_fares'],
      ['E_SOLD_OUT', 'read_booking'],
      ODD_READ,
      ['E_SOLD_OUT', 'another flight or seat'],
    ],
  },
  {
    what: 'services that were cancelled',
    codes: '16 3509',
    due: [
      ['E_NOT_PERMITTED', 'search_fares with another'],
      ['E_NOT_PERMITTED', 'search_fares'],
      REFUSED,
      ODD_READ,
      ['E_NOT_PERMITTED', 'another flight or seat'],
    ],
  },
  {
    what: 'prices that changed',
    codes: '883 884 885',
    due: [
      ODD_SEARCH,
      ['E_PRICE_CHANGED', 'search_fares'],
      ['E_PRICE_CHANGED', 'read_booking'],
      ODD_READ,
      ['E_PRICE_CHANGED', 'read_booking'],
    ],
  },
  {
    what: 'references and classes that fit no offer',
    codes: '83 102 508',
    due: [
      ['E_INPUT', 'search_fares'],
      ['E_INPUT', 'search_fares'],
      ['E_INPUT', 'the values'],
      ['E_INPUT', 'the values'],
      ['E_INPUT', 'another flight or seat'],
    ],
  },
  {
    what: "passengers' details",
    codes: '19 27 113 244 285 286 287 288 310 311 407 420 501 523 524 860 878 879 1024 1083 3004 3005',
    due: all('E_INPUT', 'with the person'),
  },
  {
    what: 'a booking that is there already',
    codes: '96 127',
    due: [
      ODD_SEARCH,
      ['E_ALREADY_DONE', 'list_bookings'],
      ['E_ALREADY_DONE', 'read_booking'],
      ODD_READ,
      ['E_ALREADY_DONE', 'read_booking'],
    ],
  },
  {
    what: 'done already',
    codes: '65 95 1026',
    due: [
      ODD_SEARCH,
      ['E_ALREADY_DONE', 'search_fares'],
      ['E_ALREADY_DONE', 'read_booking'],
      ODD_READ,
      ['E_ALREADY_DONE', 'read_booking'],
    ],
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
    due: [
      ODD_SEARCH,
      ['E_TOO_LATE', 'search_fares'],
      ['E_TOO_LATE', 'search_fares'],
      ['E_TOO_LATE', 'Tell the person'],
      ['E_TOO_LATE', 'search_fares'],
    ],
  },
  {
    what: 'journeys that began or ended',
    codes: '74 86 103 254',
    due: [
      ODD_SEARCH,
      ['E_TOO_LATE', 'search_fares'],
      ['E_TOO_LATE', 'read_booking'],
      ['E_TOO_LATE', 'the operator'],
      ['E_TOO_LATE', 'read_booking'],
    ],
  },
  {
    what: 'payments that were declined',
    codes: '167 240 241 242 877 PAYMENT_DECLINED',
    due: [
      ODD_SEARCH,
      ODD_CREATE,
      ['E_PAYMENT_DECLINED', 'the person who pays'],
      ODD_READ,
      ['E_PAYMENT_DECLINED', 'the person who pays'],
    ],
  },
  {
    what: 'the type of payment',
    codes: '163',
    due: [
      ['E_INPUT', 'the values'],
      ['E_INPUT', 'the values'],
      ['E_INPUT', 'pay_booking'],
      ['E_INPUT', 'the values'],
      ['E_INPUT', 'the values'],
    ],
  },
  { what: 'currencies', codes: '61 713', due: all('E_CONFIG', 'FARECLERK_CURRENCY') },
  {
    what: 'the airline in the request',
    codes: '248',
    due: [
      ['E_CONFIG', 'FARECLERK_CARRIER'],
      ['E_CONFIG', 'FARECLERK_CARRIER'],
      ['E_CONFIG', 'FARECLERK_PAYMENT_COMPANY'],
      ['E_CONFIG', 'the operator'],
      ['E_CONFIG', 'the operator'],
    ],
  },
  {
    what: 'bookings that are not known',
    codes: '87 97 BOOKING_NOT_FOUND booking_not_found',
    due: [
      ODD_SEARCH,
      ODD_CREATE,
      ['E_NOT_FOUND', 'right locator'],
      ['E_NOT_FOUND', 'right locator'],
      ['E_NOT_FOUND', 'right locator'],
    ],
  },
  {
    what: 'no match',
    codes: '194 635',
    due: [
      ['E_INPUT', 'the values'],
      ['E_INPUT', 'the values'],
      ['E_NOT_FOUND', 'right locator'],
      ['E_NOT_FOUND', 'right locator'],
      ['E_NOT_FOUND', 'right locator'],
    ],
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

const expected: Expected<unknown> = { decode: (body) => ({ body }) };

function told(status: number, body: object, request: Request, more: Partial<Expected<unknown>> = {}): ClerkError {
  try {
    judge(
      { status, text: JSON.stringify(body) },
      { ...expected, ...more },
      { operation: OPERATION[request], sending: isSend(request) },
    );
  } catch (error) {
    if (error instanceof ClerkError) return error;
    throw error;
  }
  throw new Error('taken for an answer');
}

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
  it.each(CASES)('$what: $code in answer to $request', ({ code, request, due, blind }) => {
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

  it('has an expectation for every code of the table', () => {
    const named = new Set(GROUPS.flatMap(({ codes }) => codes.split(' ')));
    expect([...FAULT_TABLE.keys()].filter((code) => !named.has(code))).toEqual([]);
  });

  const CODES = [...new Set(CASES.map(({ code }) => code)), 'UNHEARD_OF', '123456'];
  const STATUSES = [200, 400, 401, 403, 404, 405, 409, 422, 429, 499, 500, 502, 503, 504];

  it.each(STATUSES)('never sends the wrong way under HTTP %i', (status) => {
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

describe('a search without a result', () => {
  it.each<[number, object]>([
    [404, { status: 404, code: '322', title: 'x' }],
    [400, { status: 400, code: '322', title: 'x' }],
    [422, { status: 422, code: '53', title: 'x' }],
    [404, { status: 404, title: 'No price tariff exists for the itinerary' }],
    [404, { status: 404, code: '97', title: 'NO PRICE TARIFF EXISTS' }],
    [400, { status: 400, code: '320', title: 'No availability found' }],
    [400, { status: 400, title: '', cause: { title: '', cause: { title: 'No availability found.' } } }],
    [404, { errors: [{ type: 'business', code: 'NO_FLIGHTS_AVAILABLE', message: 'x' }] }],
    [400, { errors: [{ type: 'business', code: 'no_availability', message: 'x' }] }],
    [200, { errors: [{ type: 'business', code: 'FLIGHT_SOLD_OUT', message: 'x' }] }],
  ])('is no availability: %i %j', (status, body) => {
    expect(told(status, body, 'search')).toMatchObject({
      code: 'E_NO_AVAILABILITY',
      retry: 'never',
      noSuchBooking: false,
    });
  });

  it.each<[number, object, ErrorCode]>([
    [404, { status: 404, error: 'Not Found', path: '/v2015b' }, 'E_INPUT'],
    [404, { status: 404, code: '97', title: 'Booking not found' }, 'E_NOT_PERMITTED'],
    [404, { errors: [{ code: 'BOOKING_NOT_FOUND', message: 'x' }] }, 'E_NOT_PERMITTED'],
    [404, { errors: [{ code: 'NO_SEATS', message: 'No seats' }] }, 'E_INPUT'],
    [400, { status: 400, title: 'Invalid date' }, 'E_INPUT'],
    [422, { status: 422, title: 'No availability found' }, 'E_NOT_PERMITTED'],
    [502, { status: 502, title: 'cannot get priced itineraries' }, 'E_AIRLINE_DOWN'],
    [502, { status: 502, code: '322', title: 'cannot get priced itineraries' }, 'E_AIRLINE_DOWN'],
    [500, { status: 500, code: '97', title: 'No price tariff exists' }, 'E_AIRLINE_DOWN'],
    [404, { status: 404, code: '448', title: 'No price tariff exists' }, 'E_AIRLINE_DOWN'],
    [404, { errors: [{ type: 'System', code: '322', message: 'x' }] }, 'E_AIRLINE_DOWN'],
    [400, { errors: [{ code: 'TIMEOUT', message: 'no availability found' }] }, 'E_AIRLINE_TIMEOUT'],
  ])('is said by no other word: %i %j', (status, body, code) => {
    expect(told(status, body, 'search')).toMatchObject({ code, noSuchBooking: false });
  });

  it('in a 502 is no answer and may be asked for again', () => {
    const error = told(502, { status: 502, title: 'cannot get priced itineraries' }, 'search');
    expect(error).toMatchObject({ retry: 'after_s:30', effect: 'none' });
    expect(error.message).not.toMatch(/nothing|offer/i);
  });

  it('under 400 can mean one leg alone, where there are several', () => {
    const empty = { status: 400, title: 'No availability found' };
    expect(told(400, empty, 'search', { legs: 2 }).next).toMatch(/search_fares for each leg alone/);
    expect(told(400, empty, 'search', { legs: 1 }).next).toMatch(/get_calendar_dates/);
    expect(told(404, { ...empty, status: 404 }, 'search', { legs: 2 }).next).toMatch(/get_calendar_dates/);
  });

  it('is nothing that a reading, a booking or a payment says by these words', () => {
    const empty = { status: 404, title: 'No price tariff exists' };
    expect(told(404, empty, 'read')).toMatchObject({ code: 'E_NOT_FOUND', noSuchBooking: false });
    expect(told(404, empty, 'create').next).toMatch(/search_fares/);
  });
});

describe('409', () => {
  it('in answer to a booking means to look for it, and never to send it again', () => {
    for (const body of [
      { status: 409, title: 'Conflict' },
      { errors: [{ code: 'DUPLICATE_REQUEST', message: 'x' }] },
    ]) {
      const error = told(409, body, 'create');
      expect(error).toMatchObject({ code: 'E_ALREADY_DONE', retry: 'never', effect: 'none' });
      expect(error.message).toMatch(/It was not made again\.$/);
      expect(error.next).toMatch(/list_bookings .* a person must ask the airline/);
    }
  });

  it('in answer to a payment or a change means to read the booking', () => {
    for (const request of ['pay', 'change'] as const) {
      expect(told(409, { status: 409, title: 'Conflict' }, request)).toMatchObject({
        code: 'E_NOT_PERMITTED',
        effect: 'none',
      });
      expect(told(409, { status: 409, title: 'Conflict' }, request).next).toMatch(/read_booking/);
    }
  });

  it('with a code of its own means what the code says', () => {
    expect(told(409, { status: 409, code: '499', title: 'x' }, 'create').code).toBe('E_SOLD_OUT');
  });
});

describe('that there is no such booking', () => {
  it.each<[number, object, Request, boolean]>([
    [404, { status: 404, code: '97', title: 'x' }, 'read', true],
    [404, { errors: [{ type: 'business', code: 'BOOKING_NOT_FOUND', message: 'x' }] }, 'read', true],
    [404, { errors: [{ code: 'BOOKING_NOT_FOUND', message: 'x' }] }, 'change', true],
    [404, { errors: [{ code: 'BOOKING_NOT_FOUND', message: 'x' }] }, 'search', false],
    [404, { status: 404, title: 'x' }, 'read', false],
    [503, { status: 503, code: '97', title: 'x' }, 'read', false],
    [404, { status: 503, code: '97', title: 'x' }, 'read', false],
    [404, { errors: [{ type: 'SYSTEM', code: 'BOOKING_NOT_FOUND', message: 'x' }] }, 'read', false],
    [
      404,
      {
        errors: [
          { code: '97', message: 'x' },
          { code: 'TIMEOUT', message: 'x' },
        ],
      },
      'read',
      false,
    ],
  ])('%i %j in answer to %s: %s', (status, body, request, proof) => {
    expect(told(status, body, request).noSuchBooking).toBe(proof);
  });
});
