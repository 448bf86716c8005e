/**
 * Every code and word of docs/wire/notes.md, Errors, in answer to a search, a booking, a payment, a reading and a change: the
 * error it becomes, who acts next, and whether a send is in doubt. Written by hand, not from the table of the program.
 */
import { describe, expect, it } from 'vitest';
import { FAULT_TABLE } from '../../../src/ota/errors/what-refusals-prove.ts';
import { isSend, REQUESTS, type Request, told } from '../support/told.ts';

/** Of a code: the error, and in `next` the tool or person, for each request in the order above. */
type Due = readonly [code: string, next: string];
type DueByRequest = readonly [search: Due, create: Due, pay: Due, read: Due, change: Due];
/** After a send the outcome is unknown; what the row says is then true of a search and a reading only. */
const BLIND = 'blind';
/** After which sends it proves that nothing was done; in the order of the requests. Default: after all. */
const NO_SEND: readonly Request[] = [];
const BOUGHT: readonly Request[] = ['create', 'change'];
const NEW: readonly Request[] = ['create'];

const all = (...due: Due): DueByRequest => [due, due, due, due, due];
const REFUSED: Due = ['E_NOT_PERMITTED', 'Tell the person to ask the airline'];
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
const LATE: Due = ['E_TOO_LATE', 'Tell the person to ask the airline'];
const LATE_READ: Due = ['E_TOO_LATE', 'the operator'];
const DECLINED: Due = ['E_PAYMENT_DECLINED', 'the person who pays'];
const PAY_OTHERWISE: Due = ['E_INPUT', 'pay_booking'];
const CARRIER: Due = ['E_CONFIG', 'FARECLERK_CARRIER'];
const SETTING: Due = ['E_CONFIG', 'the operator'];
const WHICH: Due = ['E_NOT_FOUND', 'right locator'];

type Group = [what: string, codes: string, due: DueByRequest, proves?: typeof BLIND | readonly Request[]];
const GROUPS: Group[] = [
  ['routes that are not sold', '7 8', [ROUTES, ROUTES, VALUES, VALUES, VALUES]],
  ['dates', '15 101 107 353 458', [DATES, DATES, VALUES, VALUES, VALUES]],
  ['parties and criteria', '20 22 123 124 161 569', [SEARCH, SEARCH, VALUES, VALUES, VALUES]],
  ['values that any request can have wrong', '26 60 320 INVALID_DATE INVALID_PASSENGER', all('E_INPUT', 'the values')],
  ['what the request lacks', '321 MISSING_REQUIRED_FIELD', all('E_INPUT', 'Tell the person to ask the airline')],
  [
    'nothing available',
    '322 NO_FLIGHTS_AVAILABLE NO_AVAILABILITY FLIGHT_SOLD_OUT',
    [NOTHING, GONE, GONE_HELD, ODD_READ, GONE_OTHER],
  ],
  ['no price for the fare', '53', [NO_PRICE, STALE, STALE_HELD, ODD_READ, STALE_OTHER]],
  [
    'offers that have gone',
    '58 1054 1055 1056 3511 FARE_NO_LONGER_AVAILABLE',
    [ODD_SEARCH, STALE, STALE_HELD, ODD_READ, STALE_OTHER],
  ],
  [
    'seats that have gone',
    '6 9 21 24 499 854 1053 3508 SEAT_NOT_AVAILABLE',
    [FULL, GONE, GONE_HELD, ODD_READ, GONE_OTHER],
  ],
  ['held seats that are lost', '3502 3503 3504', [FULL, GONE, GONE_HELD, ODD_READ, GONE_OTHER], BOUGHT],
  ['services that were cancelled', '16 3509', [OFF, ODD_CREATE, REFUSED, ODD_READ, OFF_OTHER], NEW],
  ['prices that changed', '883 884 885', [ODD_SEARCH, REPRICED, REPRICED_HELD, ODD_READ, REPRICED_HELD], BOUGHT],
  ['references and classes that fit no offer', '83 102 508', [SEARCH, SEARCH, VALUES, VALUES, OTHER_INPUT]],
  [
    "passengers' details",
    '19 27 113 244 285 286 287 288 310 311 407 420 501 523 524 860 878 879 1024 1083 3004 3005',
    all('E_INPUT', 'with the person'),
  ],
  ['a booking that is there already', '96 127', [ODD_SEARCH, FIND, DONE, ODD_READ, DONE], NO_SEND],
  ['done already', '65 95 1026', [ODD_SEARCH, DONE_CREATE, DONE, ODD_READ, DONE], NO_SEND],
  [
    'rules and states of a booking',
    '63 72 76 118 150 172 193 264 417 568 768 1061 3505 5002 MODIFICATION_NOT_ALLOWED CHANGES_ARE_NOT_PERMITTED',
    [ODD_SEARCH, ODD_CREATE, REFUSED, ODD_READ, REFUSED],
    NO_SEND,
  ],
  ['what the airline alone can do', '632', all('E_NOT_PERMITTED', 'Tell the person to ask the airline'), NO_SEND],
  ['what this agency may not do', '99 171 189', all('E_NOT_PERMITTED', 'the operator'), NO_SEND],
  ['holds that lapsed', '73', [ODD_SEARCH, LAPSED, LAPSED, LAPSED_READ, LAPSED]],
  ['journeys that began or ended', '74 86 103 254', [ODD_SEARCH, LAPSED, LATE, LATE_READ, LATE], NO_SEND],
  [
    'payments that were declined',
    '167 240 241 242 877 PAYMENT_DECLINED',
    [ODD_SEARCH, ODD_CREATE, DECLINED, ODD_READ, DECLINED],
    NO_SEND,
  ],
  ['the type of payment', '163', [VALUES, VALUES, PAY_OTHERWISE, VALUES, VALUES]],
  ['currencies', '61 713', all('E_CONFIG', 'FARECLERK_CURRENCY')],
  ['the airline in the request', '248', [CARRIER, CARRIER, SETTING, SETTING, SETTING]],
  [
    'bookings that are not known',
    '87 97 BOOKING_NOT_FOUND booking_not_found',
    [ODD_SEARCH, ODD_CREATE, WHICH, WHICH, WHICH],
    NO_SEND,
  ],
  ['no match', '194 635', [VALUES, VALUES, WHICH, WHICH, WHICH], NO_SEND],
  [
    'credentials without the status 401',
    '175 183 497 TOKEN_EXPIRED INVALID_API_KEY UNAUTHORIZED FORBIDDEN',
    all('E_AUTH', 'the operator'),
    NO_SEND,
  ],
  ['locks', '3510', all('E_AIRLINE_BUSY', 'again'), NO_SEND],
  ['throttling without the status 429', '888 RATE_LIMIT_EXCEEDED', all('E_AIRLINE_BUSY', 'again in 10 seconds'), BLIND],
  ['a busy system', '191', all('E_AIRLINE_BUSY', 'again in 10 seconds'), BLIND],
  ['a system that was too slow', 'TIMEOUT timeout Timeout', all('E_AIRLINE_TIMEOUT', 'again in a minute'), BLIND],
  [
    'failed systems, and confirmations and cancellations that failed',
    '187 448 450 9999 1602 1603 1604 SYSTEM_ERROR system_error INTERNAL_SERVER_ERROR Internal-Server-Error SERVICE_UNAVAILABLE GATEWAY_TIMEOUT',
    all('E_AIRLINE_DOWN', 'again in 30 seconds'),
    BLIND,
  ],
];

/** The forms in which a code can come: flat, a list, and OpenTravel's. */
const FORMS: readonly ((code: string) => object)[] = [
  (code) => ({ status: 422, error: 'Unprocessable Entity', code, title: 'said the airline', correlationId: 'c-1' }),
  (code) => ({ errors: [{ type: 'business', code, message: 'said the airline' }], requestId: 'c-1' }),
  (code) => ({ errors: { error: [{ type: '3', code, shortText: 'said the airline' }] }, correlationId: 'c-1' }),
];

const codesOf = (codes: string) => codes.split(' ');

describe('every code in answer to every request', () => {
  it.each<Group>(GROUPS)('gives error, proof and next step for %s: %s', (_what, codes, due, proves) => {
    for (const code of codesOf(codes)) {
      for (const [i, request] of REQUESTS.entries()) {
        for (const form of FORMS) {
          const error = told(422, form(code), request);
          const inDoubt = isSend(request) && proves !== undefined && (proves === BLIND || !proves.includes(request));
          const [dueCode, dueNext] = due[i] as Due;
          const name = `${code} after ${request}`;
          expect(error.effect, name).toBe(inDoubt ? 'unknown' : 'none');
          expect(error.airline, name).toMatchObject({ status: 422, code, correlationId: 'c-1' });
          expect(error.message, name).not.toContain('said the airline');
          for (const words of [error.message, error.next]) expect(words, name).toMatch(/^[A-Z][\x20-\x7e]+\.$/);
          if (inDoubt) {
            expect(error.message, name).not.toContain('Nothing was changed');
            expect(error.next, name).toMatch(request === 'create' ? /person to ask the airline/ : /read_booking/);
            if (proves === BLIND) continue;
            expect([error.code, error.refused?.next], name).toEqual([dueCode, expect.stringContaining(dueNext)]);
            continue;
          }
          expect(error.code, name).toBe(dueCode);
          expect(error.next, name).toContain(dueNext);
          if (isSend(request)) expect(error.message, name).toMatch(/ Nothing was changed\.$/);
          else expect(error.message, name).not.toMatch(/changed\.$/);
        }
      }
    }
  });

  it.each([
    ['189', 'change', /^The airline does not authorise this agency to do this\./],
    ['523', 'create', /surname/],
    ['524', 'create', /given name/],
  ] as const)('names what code %s is about after a %s', (code, request, words) => {
    expect(told(422, { status: 422, code, title: '' }, request).message).toMatch(words);
  });

  it.each([
    ['569', 'search', /only as a group/, /smaller parties.* ask the airline for a group/],
    ['569', 'create', /only as a group/, /passenger_counts/],
    ['124', 'search', /more infants than/, /fewer lap infants/],
    ['101', 'search', /too close/, /later date/],
    ['107', 'search', /too far ahead/, /earlier date/],
    ['241', 'pay', /card has expired/, /renew the card/],
    ['713', 'pay', /currency of the payment/, /FARECLERK_CURRENCY/],
  ] as const)('says of code %s after a %s what it means and what to do', (code, request, means, next) => {
    const error = told(422, { status: 422, code, title: '' }, request);
    const { message, next: toDo } = error.refused ?? error;
    expect(message).toMatch(means);
    expect(toDo).toMatch(next);
  });

  it('expects something of every code in the fault table', () => {
    const named = new Set(GROUPS.flatMap(([, codes]) => codesOf(codes)));
    expect([...FAULT_TABLE.keys()].filter((code) => !named.has(code))).toEqual([]);
  });

  const CODES = [...new Set(GROUPS.flatMap(([, codes]) => codesOf(codes))), 'UNHEARD_OF', '123456'];
  const STATUSES = [200, 400, 401, 403, 404, 405, 409, 422, 429, 499, 500, 502, 503, 504];

  it.each(STATUSES)('never suggests a wrong next step or claims too much under HTTP %i', (status) => {
    for (const code of CODES) {
      for (const form of FORMS) {
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
