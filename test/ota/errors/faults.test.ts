import { describe, expect, it } from 'vitest';
import { cleanText, type FaultForm, readFault } from '../../../src/ota/errors/fault-forms.ts';
import { rowByStatus } from '../../../src/ota/errors/fault-table.ts';
import { provesRefusal, refusal } from '../../../src/ota/errors/faults.ts';

const LOOK = { operation: 'read', sending: false } as const;

describe('the fault table', () => {
  it.each([
    [{ status: 404, code: '97' }, true],
    [{ status: 200, bodyStatus: 404, code: '194' }, true],
    [{ status: 404 }, false],
    [{ status: 404, code: 'NO_ROUTE' }, false],
    [{ status: 404, code: '99' }, false],
    [{ status: 503, code: '97' }, false],
    [{ status: 200, bodyStatus: 500, code: '97' }, false],
  ])('reports a missing booking only if a code says so: %j: %s', (fault, noSuchBooking) => {
    expect(refusal(fault, LOOK).noSuchBooking).toBe(noSuchBooking);
  });

  it.each([
    [400, 'E_INPUT'],
    [401, 'E_AUTH'],
    [403, 'E_AUTH'],
    [404, 'E_NOT_FOUND'],
    [405, 'E_NOT_PERMITTED'],
    [408, 'E_AIRLINE_TIMEOUT'],
    [409, 'E_NOT_PERMITTED'],
    [422, 'E_NOT_PERMITTED'],
    [429, 'E_AIRLINE_BUSY'],
    [500, 'E_AIRLINE_DOWN'],
    [501, 'E_AIRLINE_DOWN'],
    [502, 'E_AIRLINE_DOWN'],
    [503, 'E_AIRLINE_DOWN'],
    [504, 'E_AIRLINE_TIMEOUT'],
  ] as const)('classifies an unknown code by its status: %i as %s', (status, code) => {
    expect(rowByStatus(status).code).toBe(code);
    expect(refusal({ status, code: '123456' }, LOOK).code).toBe(code);
  });

  it('classifies an error in a 200 reply by the status in its body', () => {
    expect(refusal({ status: 200, bodyStatus: 404 }, LOOK).code).toBe('E_NOT_FOUND');
    expect(refusal({ status: 200, code: 'WORDS' }, LOOK).code).toBe('E_INPUT');
  });

  it('tells the caller when to try again', () => {
    expect(refusal({ status: 429 }, { ...LOOK, retryAfterSeconds: 7 }).retry).toBe('after_s:7');
    expect(refusal({ status: 429 }, LOOK).retry).toBe('after_s:10');
    expect(refusal({ status: 503 }, { ...LOOK, retryAfterSeconds: 9e9 }).retry).toBe('after_s:3600');
    expect(refusal({ status: 404 }, { ...LOOK, retryAfterSeconds: 7 }).retry).toBe('never');
  });
});

describe('the five error forms', () => {
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
  ])('reads an error form: %s', (_, body, expected) => {
    const { bodyStatus: __, ...fault } = readFault(404, body) ?? {};
    expect(fault).toEqual(expected);
  });

  it.each(['', null, undefined, '  '])('falls back to the innermost cause if the title is empty (%j)', (title) => {
    const cause = { code: '1', title: 'middle', cause: { code: '2', title: 'innermost', cause: { title: '' } } };
    const fault = readFault(500, { status: 500, code: '9999', title, cause });
    expect(fault).toMatchObject({ code: '9999', title: 'innermost' });
  });

  it("prefers an error's own title to any cause, and ignores a cause that contains itself", () => {
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
  ])('finds no error form in %i %j', (status, body) => {
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
  ])('finds an error form in a 200 reply: %j', (body) => {
    expect(readFault(200, body)).toBeDefined();
  });
});

describe('what an error form proves after a send', () => {
  it.each<[number, Partial<FaultForm>, boolean]>([
    [400, {}, false],
    [400, { title: 'Invalid' }, true],
    [400, { correlationId: 'c-1' }, true],
    [400, { bodyStatus: 400 }, true],
    [400, { code: 'UNHEARD_OF' }, true],
    [400, { code: '73', system: true }, false],
    [409, { code: '72' }, true],
    [409, { code: '65' }, true],
    [422, { code: '95' }, true],
    [409, { code: '96' }, true],
    [200, { code: '1', bodyStatus: 408 }, false],
    [499, { title: 'Gone' }, true],
    [408, { title: 'Too late' }, false],
    [408, { code: '73' }, false],
    [500, { code: '97' }, false],
    [503, {}, false],
    [302, {}, false],
    [200, { code: '883' }, true],
    [200, { code: 'UNHEARD_OF' }, false],
    [200, { title: 'No' }, false],
    [200, { bodyStatus: 422 }, true],
    [429, { code: 'RATE_LIMIT_EXCEEDED' }, true],
    [200, { code: 'rate_limit_exceeded', bodyStatus: 429 }, true],
    [400, { code: 'RATE_LIMIT_EXCEEDED' }, false],
    [503, { code: '888' }, false],
    [429, { code: 'SYSTEM_ERROR' }, false],
    [422, { code: '191' }, false],
    [422, { code: '1603' }, false],
    [200, { code: '448' }, false],
    [400, { code: '9999' }, false],
    [200, { bodyStatus: 500 }, false],
    [422, { bodyStatus: 503 }, false],
  ])('decides whether an error form proves a refusal of a send: %i %j: %s', (status, fault, proof) => {
    expect(provesRefusal(status, { status, ...fault })).toBe(proof);
  });
});

describe('text from the airline', () => {
  it("shows the airline's text as one short line without control or direction characters", () => {
    expect(cleanText('a\r\nb\tc\u0000d')).toBe('a b c d');
    expect(cleanText('\u202Eevil\u2066 text\u200B\uFEFF')).toBe('evil text');
    expect(cleanText('x'.repeat(500))).toHaveLength(120);
    expect([...(cleanText('𝒳'.repeat(500)) ?? '')]).toHaveLength(120);
    expect(cleanText('line\u2028line')).toBe('line line');
    expect(cleanText(404)).toBe('404');
  });

  it.each(['', ' \n ', '\u200B', null, undefined, {}, [], true])('finds no text in %j', (value) => {
    expect(cleanText(value)).toBeUndefined();
  });
});
