/**
 * Error forms: what is one, and what is read from it (docs/wire/notes.md, Errors).
 */
import { describe, expect, test } from 'vitest';
import { cleanText, type FaultForm, readFault } from '../../../src/ota/errors/fault-forms.ts';

describe('what an error form is', () => {
  test.each<[number, unknown]>([
    [400, { code: '73' }],
    [400, { title: 'x' }],
    [400, { error: 'x' }],
    [400, { exception: 'x' }],
    [400, { message: 'x' }],
    [400, { correlationId: 'x' }],
    [200, { status: 400, message: 'x' }],
    [200, { status: '422', message: 'x' }],
    [200, { status: 599, message: 'x' }],
    [200, { error: 'Bad Request' }],
    [200, { code: '73', title: '' }],
    [200, { errors: [{ code: '322' }] }],
    [200, { errors: { error: [{ code: '322' }] } }],
    [200, { error: { code: '322' } }],
  ])('finds an error form in %i %j', (status, body) => {
    expect(readFault(status, body)).toBeDefined();
  });

  test.each<[number, unknown]>([
    [400, { success: {} }],
    [200, { status: 399, message: 'x' }],
    [200, { status: '4221', message: 'x' }],
    [200, { status: 'x422', message: 'x' }],
    [200, { status: 600, message: 'x' }],
    [200, { status: [500], message: 'x' }],
    [200, { error: ' ', message: 'x' }],
    [200, { error: 1, message: 'x' }],
    [200, { code: '73' }],
    [200, { title: 'x' }],
    [200, { code: '0', title: 'x' }],
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
});

const WHOLE = { status: 404, code: '97', title: 'No booking', correlationId: 'c-1' };
const AT_404 = { ...WHOLE, bodyStatus: 404 };

describe('what an error form yields', () => {
  test.each<[string, number, object, FaultForm]>([
    ['flat', 404, { ...WHOLE, error: 'Not Found', tenant: 't' }, AT_404],
    ['flat, the code as a number', 404, { ...WHOLE, code: 97 }, AT_404],
    ['flat, no code', 404, { error: 'Not Found', title: 'No booking' }, { status: 404, title: 'No booking' }],
    ['an object', 404, { error: { code: '97', title: 'No booking', detail: 'x' }, correlationId: 'c-1' }, WHOLE],
    ['an object with its own reference', 404, { error: { ...WHOLE, status: undefined } }, WHOLE],
    [
      'older',
      404,
      { timestamp: 1, error: 'Not Found', exception: 'a.b.C', message: 'No booking', path: '/x' },
      { status: 404, title: 'No booking' },
    ],
    ['older, no message', 404, { error: 'Not Found' }, { status: 404, title: 'Not Found' }],
    ['a list', 404, { errors: [{ type: 'BUSINESS', code: '97', message: 'No booking' }], requestId: 'c-1' }, WHOLE],
    [
      'OpenTravel',
      404,
      { errors: { error: [{ type: '3', code: '97', shortText: 'No booking', value: 'long' }] }, correlationId: 'c-1' },
      WHOLE,
    ],
    [
      'OpenTravel, one',
      404,
      { errors: { error: { code: 97, value: 'No booking' } } },
      { status: 404, code: '97', title: 'No booking' },
    ],
    ['nothing', 400, { message: '' }, { status: 400 }],
    ['an empty error', 200, { errors: [{}] }, { status: 200 }],
    ['a failed system', 200, { status: 500, code: '448' }, { status: 200, code: '448', bodyStatus: 500, system: true }],
    [
      'the status of one',
      400,
      { errors: [{ status: '409', message: 'x' }] },
      { status: 400, title: 'x', bodyStatus: 409 },
    ],
    ['no valid status', 400, { status: 99, message: 'x' }, { status: 400, title: 'x' }],
    ['the lowest status', 400, { status: 100, message: 'x' }, { status: 400, title: 'x', bodyStatus: 100 }],
    ['nothing but markup as title', 400, { code: '73', title: '***' }, { status: 400, code: '73' }],
    ['quotation marks', 400, { title: 'He said "go"' }, { status: 400, title: "He said 'go'" }],
  ])('reads each field of an error form: %s', (_, status, body, fault) => {
    expect(readFault(status, body)).toStrictEqual(fault);
  });

  test.each<[unknown, string | undefined]>([
    ['73', '73'],
    [73, '73'],
    ['073', '073'],
    ['10', '10'],
    ['FARE_GONE', 'FARE_GONE'],
    ['0', undefined],
    ['000', undefined],
    [0, undefined],
    ['', undefined],
    [null, undefined],
  ])('reads the error code %j, unless it is empty or zero', (code, taken) => {
    expect(readFault(400, { code, message: 'x' })?.code).toBe(taken);
  });

  test.each([
    { title: '', correlationId: 'c-1' },
    { error: 'x', cause: { title: 'x', correlationId: 'c-1' } },
    { errors: [{ code: '73', correlationId: 'c-1' }] },
    { errors: [{ code: '73' }], requestId: 'c-1' },
    { success: {}, errors: [{ code: '73' }], correlationId: 'c-1' },
  ])('finds the reference for the airline’s support in %j', (body) => {
    expect(readFault(422, body)?.correlationId).toBe('c-1');
  });
});

describe('the title of an error', () => {
  const chain = (depth: number): object =>
    depth === 0 ? { title: 'innermost' } : { title: '', cause: chain(depth - 1) };
  const loop: Record<string, unknown> = { title: '' };
  loop.cause = loop;

  test.each<[string, object, string | undefined]>([
    ['its own before any cause', { title: 'own', cause: { title: 'inner' } }, 'own'],
    ...['', null, undefined, '  '].map((title): [string, object, string] => [
      `instead of ${JSON.stringify(title)}`,
      { code: '1', title, cause: chain(2) },
      'innermost',
    ]),
    ['of an error object', { error: { code: '73', title: null, cause: chain(1) } }, 'innermost'],
    ['of a list', { errors: [{ code: '73', message: '', cause: chain(0) }] }, 'innermost'],
    ['of the last cause that has one', { title: '', cause: { title: 'outer', cause: { title: '' } } }, 'outer'],
    ['of 32 causes', { title: '', cause: chain(31) }, 'innermost'],
    ['of 33 causes', { title: '', cause: chain(32) }, undefined],
    ['of a cause that contains itself', loop, undefined],
  ])('falls back to the innermost cause: %s', (_, body, title) => {
    expect(readFault(500, body)?.title).toBe(title);
  });
});

describe('text from the airline', () => {
  test.each<[unknown, string | undefined]>([
    ['a\r\nb\tc\u0000d', 'a b c d'],
    ['a \u0007 b', 'a b'],
    ['a  b\t\tc', 'a b c'],
    ['  a ', 'a'],
    ['line\u2028line', 'line line'],
    ['\u202Eevil\u2066 text\u200B\uFEFF', 'evil text'],
    [404, '404'],
    ...['', ' \n ', '\u200B', '\u0000', null, undefined, {}, [], true].map((none): [unknown, undefined] => [
      none,
      undefined,
    ]),
  ])('shows %j as one line without control or direction characters: %j', (value, clean) => {
    expect(cleanText(value)).toBe(clean);
  });

  test('cuts long text between characters and leaves no trailing blank', () => {
    expect(cleanText('x'.repeat(500))).toHaveLength(120);
    expect(cleanText('😀😀😀', 2)).toBe('😀😀');
    expect(cleanText('ab cd', 3)).toBe('ab');
    // Ignores text far beyond the limit.
    expect(cleanText(`${' '.repeat(16)}x`, 2)).toBeUndefined();
  });
});
