/**
 * Error forms: what is one, and what is shown of it (docs/wire/notes.md, Errors).
 */
import { describe, expect, test } from 'vitest';
import { ClerkError } from '../../../src/core/errors.ts';
import { outcomeOf, told } from '../support/told.ts';

/** An error that the reply itself tells of; undefined for an answer, or an error that only its status tells of. */
function faultIn(status: number, body: unknown): ClerkError | undefined {
  const outcome = outcomeOf(status, body, 'read');
  return outcome instanceof ClerkError && !outcome.message.includes(`(HTTP ${status})`) ? outcome : undefined;
}

const shown = (status: number, body: unknown) => told(status, body, 'read').airline;

describe('what an error form is', () => {
  test.each<[number, object]>([
    ...['code', 'title', 'error', 'exception', 'message', 'correlationId'].map((key): [number, object] => [
      400,
      { [key]: '73' },
    ]),
    [200, { status: 400, message: 'x' }],
    [200, { status: '422', message: 'x' }],
    [200, { status: 599, message: 'x' }],
    [200, { error: 'Bad Request' }],
    [200, { code: '73', title: '' }],
    [200, { errors: [{ code: '322' }] }],
    [200, { errors: { error: [{ code: '322' }] } }],
    [200, { error: { code: '322' } }],
  ])('finds an error form in %i %j', (status, body) => {
    expect(faultIn(status, body)).toBeDefined();
  });

  test.each<[number, unknown]>([
    [400, { success: {} }],
    ...[399, '4221', 'x422', 600, [500]].map((status): [number, object] => [200, { status, message: 'x' }]),
    [200, { error: ' ', message: 'x' }],
    [200, { error: 1, message: 'x' }],
    [200, { code: '73' }],
    [200, { title: 'x' }],
    [200, { code: '0', title: 'x' }],
    [200, { success: {}, uniqueID: [], status: 'CANCELLED', timeStamp: 'x' }],
    [200, { success: {}, errors: [] }],
    [200, { success: {}, errors: { error: [] }, error: null }],
    [200, { success: {}, warnings: [{ code: '1' }] }],
    [200, [{ origin: { code: 'MKX' } }]],
    [200, '"text"'],
    [404, {}],
    [404, null],
    [502, { hello: 'world' }],
  ])('finds no error form in %i %j', (status, body) => {
    expect(faultIn(status, body)).toBeUndefined();
  });
});

describe('what is shown of an error form', () => {
  const FLAT = { status: 404, code: '97', title: 'No booking', correlationId: 'c-1' };
  const UNCODED = { status: 404, title: 'No booking' };

  test.each<[string, object, object]>([
    ['flat', { ...FLAT, error: 'Not Found', tenant: 't' }, FLAT],
    ['flat, the code as a number', { ...FLAT, code: 97 }, FLAT],
    ['flat, no code', { error: 'Not Found', title: 'No booking' }, UNCODED],
    ['an object', { error: { code: '97', title: 'No booking', detail: 'x' }, correlationId: 'c-1' }, FLAT],
    ['an object with its own reference', { error: { ...FLAT, status: undefined } }, FLAT],
    ['older', { timestamp: 1, error: 'Not Found', exception: 'a.b.C', message: 'No booking', path: '/x' }, UNCODED],
    ['older, no message', { error: 'Not Found' }, { status: 404, title: 'Not Found' }],
    ['a list', { errors: [{ type: 'BUSINESS', code: '97', message: 'No booking' }], requestId: 'c-1' }, FLAT],
    [
      'OpenTravel',
      { errors: { error: [{ type: '3', code: '97', shortText: 'No booking', value: 'long' }] }, correlationId: 'c-1' },
      FLAT,
    ],
    ['OpenTravel, one', { errors: { error: { code: 97, value: 'No booking' } } }, { ...UNCODED, code: '97' }],
    ['nothing', { message: '' }, { status: 404 }],
    ['an empty error', { errors: [{}] }, { status: 404 }],
    ['nothing but markup as title', { code: '73', title: '***' }, { status: 404, code: '73' }],
    ['quotation marks', { title: 'He said "go"' }, { status: 404, title: "He said 'go'" }],
  ])('is each of its fields: %s', (_, body, fields) => {
    expect(JSON.parse(JSON.stringify(shown(404, body)))).toStrictEqual(fields);
  });

  test.each<[unknown, string | undefined]>([
    ...['73', '073', '10', 'FARE_GONE'].map((code): [string, string] => [code, code]),
    [73, '73'],
    ...['0', '000', 0, '', null].map((none): [unknown, undefined] => [none, undefined]),
  ])('is the error code %j, unless it is empty or zero', (code, taken) => {
    expect(shown(400, { code, message: 'x' })?.code).toBe(taken);
  });

  test.each([
    { title: '', correlationId: 'c-1' },
    { error: 'x', cause: { title: 'x', correlationId: 'c-1' } },
    { errors: [{ code: '73', correlationId: 'c-1' }] },
    { errors: [{ code: '73' }], requestId: 'c-1' },
    { success: {}, errors: [{ code: '73' }], correlationId: 'c-1' },
  ])('is the reference for the airline’s support in %j', (body) => {
    expect(shown(422, body)?.correlationId).toBe('c-1');
  });
});

describe('the title of an error', () => {
  const chain = (depth: number): object =>
    depth === 0 ? { title: 'innermost' } : { title: '', cause: chain(depth - 1) };

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
  ])('falls back to the innermost cause: %s', (_, body, title) => {
    expect(shown(500, body)?.title).toBe(title);
  });

  test.each<[unknown, string | undefined]>([
    ['a\r\nb\tc\u0000d', 'a b c d'],
    ['a \u0007 b', 'a b'],
    ['a  b\t\tc', 'a b c'],
    ['  a ', 'a'],
    ['line\u2028line', 'line line'],
    ['\u202Eevil\u2066 text\u200B\uFEFF', 'evil text'],
    [404, '404'],
    ['x'.repeat(500), 'x'.repeat(120)],
    ['😀'.repeat(121), '😀'.repeat(120)],
    [`${'a'.repeat(119)} b`, 'a'.repeat(119)],
    // Ignores text far beyond the limit.
    [`${' '.repeat(120 * 8)}x`, undefined],
    ...['', ' \n ', '\u200B', '\u0000', null, undefined, {}, [], true].map((none): [unknown, undefined] => [
      none,
      undefined,
    ]),
  ])('shows %j as one line without control or direction characters, at most 120 long: %j', (title, clean) => {
    expect(shown(400, { title })?.title).toBe(clean);
  });
});
