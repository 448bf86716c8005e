import { describe, expect, it } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../../src/errors.ts';
import { cleanText, readFault } from '../../src/ota/fault-forms.ts';
import { FAULT_TABLE, OUTCOME_BLIND, rowByStatus } from '../../src/ota/fault-table.ts';
import { provesRefusal, refusal } from '../../src/ota/faults.ts';

/** Every code of field-notes.md, errors, with the error it is to a caller. Written by hand, not from the table. */
const EXPECTED: Readonly<Record<ErrorCode, string>> = {
  E_INPUT:
    '7 15 20 22 26 101 107 123 124 161 320 321 353 458 19 27 83 113 244 285 286 287 288 310 311 420 501 508 523 524 860 878 879 163 1024 1083 3004 3005',
  E_NO_AVAILABILITY: '322',
  E_SOLD_OUT: '9 499 1053 3508',
  E_OFFER_EXPIRED: '53 58 1054 1055 1056',
  E_PRICE_CHANGED: '883 884',
  E_ALREADY_DONE: '96 127 65 95',
  E_TOO_LATE: '73 74 254',
  E_NOT_PERMITTED: '63 72 76 189 99 171 118 768 150 172 193 264 417 568 3505',
  E_PAYMENT_DECLINED: '167 240 241 242 877',
  E_NOT_FOUND: '87 97 194 635',
  E_AUTH: '175 497 183',
  E_AIRLINE_DOWN: '187 448 450 9999',
  E_AIRLINE_BUSY: '191 888',
  E_CONFIG: '61',
  E_NOT_PAID: '',
  E_BOOKING_BUSY: '',
  E_APPROVAL_UNAVAILABLE: '',
  E_APPROVAL_DECLINED: '',
  E_APPROVAL_EXPIRED: '',
  E_APPROVAL_STALE: '',
  E_APPROVAL_INVALID: '',
  E_LIMIT: '',
  E_READ_ONLY: '',
  E_AIRLINE_TIMEOUT: '',
  E_AIRLINE_REPLY: '',
  E_INTERRUPTED: '',
  E_INTERNAL: '',
};
const ROWS = ERROR_CODES.flatMap((code) =>
  EXPECTED[code].split(' ').flatMap((airlineCode) => (airlineCode === '' ? [] : [[airlineCode, code] as const])),
);

const TOOLS = /\b(search_fares|create_booking|pay_booking|read_booking|list_routes|get_calendar_dates|list_bookings)\b/;
const PERSON = /\b(person|operator)\b/i;

describe('the table', () => {
  it.each(ROWS)('%s is %s', (airlineCode, code) => {
    const fault = readFault(422, { status: 422, code: airlineCode, title: 'said the airline', correlationId: 'c-1' });
    expect(fault).toBeDefined();
    if (fault === undefined) return;
    const error = refusal(fault, { sending: true });
    expect(error).toMatchObject({
      code,
      effect: 'none',
      airline: { status: 422, code: airlineCode, title: 'said the airline', correlationId: 'c-1' },
    });
    expect(error.message).not.toContain('said the airline');
    const unchanged = ['96', '127'].includes(airlineCode) ? 'It was not made again.' : 'Nothing was changed.';
    expect(error.message).toMatch(/^[A-Z][\x20-\x7e]+\. [\w ]+\.$/);
    expect(error.message.endsWith(` ${unchanged}`)).toBe(true);
    expect(error.next).toMatch(/^[A-Z][\x20-\x7e]+\.$/);
    expect(TOOLS.test(error.next) || PERSON.test(error.next)).toBe(true);
  });

  it.each([
    [{ status: 404, code: '97' }, true],
    [{ status: 200, bodyStatus: 404, code: '194' }, true],
    [{ status: 404 }, false],
    [{ status: 404, code: 'NO_ROUTE' }, false],
    [{ status: 404, code: '99' }, false],
    [{ status: 503, code: '97' }, false],
    [{ status: 200, bodyStatus: 500, code: '97' }, false],
  ])('that there is no such booking is said by a code: %j: %s', (fault, noSuchBooking) => {
    expect(refusal(fault, { sending: false }).noSuchBooking).toBe(noSuchBooking);
  });

  it('holds these codes and no others', () => {
    expect([...FAULT_TABLE.keys()].sort()).toEqual(ROWS.map(([airlineCode]) => airlineCode).sort());
    expect([...OUTCOME_BLIND].every((code) => FAULT_TABLE.has(code))).toBe(true);
    // Also the answer to a cancellation or a split: a search is no next step there.
    expect(FAULT_TABLE.get('26')?.next).not.toContain('search_fares');
  });

  it.each([
    [400, 'E_INPUT'],
    [401, 'E_AUTH'],
    [403, 'E_AUTH'],
    [404, 'E_NOT_FOUND'],
    [405, 'E_NOT_PERMITTED'],
    [409, 'E_NOT_PERMITTED'],
    [422, 'E_NOT_PERMITTED'],
    [429, 'E_AIRLINE_BUSY'],
    [500, 'E_AIRLINE_DOWN'],
    [501, 'E_AIRLINE_DOWN'],
    [502, 'E_AIRLINE_DOWN'],
    [503, 'E_AIRLINE_DOWN'],
    [504, 'E_AIRLINE_TIMEOUT'],
  ] as const)('an unknown code goes by its status: %i is %s', (status, code) => {
    expect(rowByStatus(status).code).toBe(code);
    expect(refusal({ status, code: '123456' }, { sending: false }).code).toBe(code);
  });

  it('inside a good status goes by the status in the body', () => {
    expect(refusal({ status: 200, bodyStatus: 404 }, { sending: false }).code).toBe('E_NOT_FOUND');
    expect(refusal({ status: 200, code: 'WORDS' }, { sending: false }).code).toBe('E_INPUT');
  });

  it('says when to come back', () => {
    expect(refusal({ status: 429 }, { sending: false, retryAfterSeconds: 7 }).retry).toBe('after_s:7');
    expect(refusal({ status: 429 }, { sending: false }).retry).toBe('after_s:10');
    expect(refusal({ status: 503 }, { sending: false, retryAfterSeconds: 9e9 }).retry).toBe('after_s:3600');
    expect(refusal({ status: 404 }, { sending: false, retryAfterSeconds: 7 }).retry).toBe('never');
  });
});

describe('the five forms', () => {
  const whole = { status: 404, code: '97', title: 'No booking', correlationId: 'c-1' };

  it.each([
    [
      'flat',
      { status: 404, error: 'Not Found', code: '97', title: 'No booking', correlationId: 'c-1', tenant: 't' },
      whole,
    ],
    ['code as a number', { status: 404, code: 97, title: 'No booking', correlationId: 'c-1' }, whole],
    ['no code', { status: 404, error: 'Not Found', title: 'No booking' }, { status: 404, title: 'No booking' }],
    ['error as an object', { error: { code: '97', title: 'No booking', detail: 'x' }, correlationId: 'c-1' }, whole],
    ['its own correlation id', { error: { code: '97', title: 'No booking', correlationId: 'c-1' } }, whole],
    [
      'older',
      { timestamp: 1, status: 404, error: 'Not Found', exception: 'a.b.C', message: 'No booking', path: '/x' },
      { status: 404, title: 'No booking' },
    ],
    ['older without a message', { status: 404, error: 'Not Found' }, { status: 404, title: 'Not Found' }],
    [
      'a list of errors',
      { errors: [{ type: 'BUSINESS', code: '97', message: 'No booking', field: 'x' }], requestId: 'c-1' },
      whole,
    ],
    [
      'OpenTravel',
      { errors: { error: [{ type: '3', code: '97', shortText: 'No booking', value: 'long' }] }, correlationId: 'c-1' },
      whole,
    ],
    [
      'OpenTravel, one',
      { errors: { error: { code: 97, value: 'No booking' } } },
      { status: 404, code: '97', title: 'No booking' },
    ],
  ])('%s', (_, body, expected) => {
    const { bodyStatus: __, ...fault } = readFault(404, body) ?? {};
    expect(fault).toEqual(expected);
  });

  it.each(['', null, undefined, '  '])('an empty title (%j) falls back to the innermost cause', (title) => {
    const cause = { code: '1', title: 'middle', cause: { code: '2', title: 'innermost', cause: { title: '' } } };
    const fault = readFault(500, { status: 500, code: '9999', title, cause });
    expect(fault).toMatchObject({ code: '9999', title: 'innermost' });
  });

  it('a title of its own wins over any cause, and a cause without end is left', () => {
    const loop: Record<string, unknown> = { title: '' };
    loop.cause = loop;
    expect(readFault(500, { code: '448', title: 'outer', cause: { title: 'inner' } })?.title).toBe('outer');
    expect(readFault(500, { code: '448', title: '', cause: loop })?.title).toBeUndefined();
  });

  it.each([
    [200, { success: {}, airReservation: {} }],
    [200, { success: {}, uniqueID: [], status: 'CANCELLED', timeStamp: 'x' }],
    [200, { success: {}, errors: [] }],
    [200, { success: {}, errors: { error: [] }, error: null }],
    [200, { success: {}, warnings: [{ code: '1' }] }],
    [200, [{ origin: { code: 'MKX' } }]],
    [200, 'text'],
    [404, {}],
    [404, null],
    [502, { hello: 'world' }],
  ])('%i %j is none of them', (status, body) => {
    expect(readFault(status, body)).toBeUndefined();
  });

  it.each([
    { errors: [{ code: '322' }] },
    { errors: { error: [{ code: '322' }] } },
    { error: { code: '322' } },
    { error: 'Unprocessable Entity' },
    { code: '322', title: '' },
    { status: 422, message: 'x' },
    { status: '422', title: 'x' },
  ])('%j in a good status is an error', (body) => {
    expect(readFault(200, body)).toBeDefined();
  });
});

describe('what an error form proves after a send', () => {
  it.each([
    [400, {}, true],
    [409, { code: '72' }, true],
    [409, { code: '65' }, true],
    [422, { code: '95' }, true],
    [409, { code: '96' }, true],
    [200, { code: '1', bodyStatus: 408 }, false],
    [499, {}, true],
    [408, {}, false],
    [500, { code: '97' }, false],
    [503, {}, false],
    [302, {}, false],
    [200, { code: '883' }, true],
    [200, { code: '448' }, false],
    [400, { code: '9999' }, false],
    [200, { bodyStatus: 500 }, false],
    [422, { bodyStatus: 503 }, false],
  ])('%i %j: %s', (status, fault, proof) => {
    expect(provesRefusal(status, { status, ...fault })).toBe(proof);
  });
});

describe('text of a stranger', () => {
  it('is one line, without control or direction characters, cut', () => {
    expect(cleanText('a\r\nb\tc\u0000d')).toBe('a b c d');
    expect(cleanText('\u202Eevil\u2066 text\u200B\uFEFF')).toBe('evil text');
    expect(cleanText('x'.repeat(500))).toHaveLength(120);
    expect([...(cleanText('𝒳'.repeat(500)) ?? '')]).toHaveLength(120);
    expect(cleanText('line\u2028line')).toBe('line line');
    expect(cleanText(404)).toBe('404');
  });

  it.each(['', ' \n ', '\u200B', null, undefined, {}, [], true])('%j is no text', (value) => {
    expect(cleanText(value)).toBeUndefined();
  });
});
