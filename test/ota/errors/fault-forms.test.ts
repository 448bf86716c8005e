/**
 * Edge cases of error forms: what is an error, what is not, and which fields are read.
 */
import { describe, expect, test } from 'vitest';
import { cleanText, readFault } from '../../../src/ota/errors/fault-forms.ts';
import { meaningOf, provesRefusal, retryOf } from '../../../src/ota/errors/faults.ts';

describe('an error in flat form', () => {
  test.each<[string, number, object, boolean]>([
    ['a bad status and a code', 400, { code: '73' }, true],
    ['a bad status and a title', 400, { title: 'x' }, true],
    ['a bad status and an error', 400, { error: 'x' }, true],
    ['a bad status and an exception', 400, { exception: 'x' }, true],
    ['a bad status and a message', 400, { message: 'x' }, true],
    ['a bad status and a correlation', 400, { correlationId: 'x' }, true],
    ['a bad status without words', 400, { success: {} }, false],
    ['a bad status in the body', 200, { status: 400, message: 'x' }, true],
    ['a good status in the body', 200, { status: 399, message: 'x' }, false],
    ['a status in the body as text', 200, { status: '422', message: 'x' }, true],
    ['one that is no status', 200, { status: '4221', message: 'x' }, false],
    ['one with something before it', 200, { status: 'x422', message: 'x' }, false],
    ['one that is too large', 200, { status: 600, message: 'x' }, false],
    ['the largest', 200, { status: 599, message: 'x' }, true],
    ['a list as status', 200, { status: [500], message: 'x' }, false],
    ['an error that is blank', 200, { error: ' ', message: 'x' }, false],
    ['an error that is a number', 200, { error: 1, message: 'x' }, false],
    ['an error with words', 200, { error: 'Bad Request' }, true],
    ['a code and a title', 200, { code: '73', title: '' }, true],
    ['a code alone', 200, { code: '73' }, false],
    ['a title alone', 200, { title: 'x' }, false],
    ['a code of zero and a title', 200, { code: '0', title: 'x' }, false],
  ])('decides whether a flat body is an error form: %s', (_, status, body, is) => {
    expect(readFault(status, body) !== undefined).toBe(is);
  });
});

describe('what an error form yields', () => {
  test('reads nothing that the error form does not have', () => {
    expect(readFault(400, { message: '' })).toEqual({ status: 400 });
    expect(Object.keys(readFault(400, { message: '' }) ?? {})).toEqual(['status']);
    expect(readFault(200, { errors: [{}] })).toEqual({ status: 200 });
  });

  test('reads the status inside an error form, if it is a valid one', () => {
    expect(readFault(200, { status: 500, code: '448' })).toEqual({
      status: 200,
      code: '448',
      bodyStatus: 500,
      system: true,
    });
    expect(readFault(400, { errors: [{ status: '409', message: 'x' }] })).toEqual({
      status: 400,
      title: 'x',
      bodyStatus: 409,
    });
    expect(readFault(400, { status: 99, message: 'x' })).toEqual({ status: 400, title: 'x' });
    expect(readFault(400, { status: 100, message: 'x' })?.bodyStatus).toBe(100);
  });

  test.each<[unknown, string | undefined]>([
    ['73', '73'],
    [73, '73'],
    ['0', undefined],
    ['000', undefined],
    [0, undefined],
    ['', undefined],
    [null, undefined],
    ['073', '073'],
    ['10', '10'],
    ['FARE_GONE', 'FARE_GONE'],
  ])('reads the error code %j, unless it is empty or zero', (code, taken) => {
    expect(readFault(400, { code, message: 'x' })?.code).toBe(taken);
  });

  test('falls back to the innermost cause of an empty title, down to 32 levels', () => {
    const chain = (depth: number): object =>
      depth === 0 ? { title: 'innermost' } : { title: '', cause: chain(depth - 1) };
    expect(readFault(400, { title: '', cause: chain(31) })?.title).toBe('innermost');
    expect(readFault(400, { title: '', cause: chain(32) })?.title).toBeUndefined();
    expect(readFault(400, { title: '', cause: { title: 'outer', cause: { title: '' } } })?.title).toBe('outer');
  });
});

describe('text from the airline', () => {
  test.each<[unknown, string | undefined]>([
    ['a\r\n\u2028b', 'a b'],
    ['a \u0007 b', 'a b'],
    ['a\u202eb\ufeffc', 'abc'],
    ['a  b\t\tc', 'a b c'],
    ['  a ', 'a'],
    [7, '7'],
    [{}, undefined],
    ['\u0000', undefined],
  ])("cleans the airline's text: %j becomes %j", (value, clean) => {
    expect(cleanText(value)).toBe(clean);
  });

  test('cuts long text between characters and leaves no trailing blank', () => {
    expect(cleanText('😀😀😀', 2)).toBe('😀😀');
    expect(cleanText('ab cd', 3)).toBe('ab');
    expect(cleanText('x'.repeat(500))).toHaveLength(120);
    // Ignores text far beyond the limit.
    expect(cleanText(`${' '.repeat(16)}x`, 2)).toBeUndefined();
  });
});

describe('the meaning of an error form', () => {
  test.each<[number, object, boolean]>([
    [400, { code: '73' }, true],
    [399, { code: '73' }, false],
    [499, { code: '73' }, true],
    [500, { code: '73' }, false],
    [408, { code: '73' }, false],
    [200, { code: '73' }, true],
    [199, { code: '73' }, false],
    [299, { code: '73' }, true],
    [300, { code: '73' }, false],
    [400, { bodyStatus: 499 }, true],
    [400, { bodyStatus: 500 }, false],
    [400, { bodyStatus: 408 }, false],
    [200, { bodyStatus: 399 }, false],
    [200, { bodyStatus: 400 }, true],
    [400, { code: '448' }, false],
  ])('decides whether HTTP %i with %j proves a refusal: %s', (status, fault, proves) => {
    expect(provesRefusal(status, fault)).toBe(proves);
  });

  test.each<[object, string]>([
    [{ status: 422, code: '73' }, 'E_TOO_LATE'],
    [{ status: 404, code: 'unheard of' }, 'E_NOT_FOUND'],
    [{ status: 400 }, 'E_INPUT'],
    [{ status: 399, bodyStatus: 404 }, 'E_NOT_FOUND'],
    [{ status: 200, bodyStatus: 503 }, 'E_AIRLINE_DOWN'],
    [{ status: 200 }, 'E_INPUT'],
    [{ bodyStatus: 404 }, 'E_AIRLINE_DOWN'],
    [{}, 'E_AIRLINE_DOWN'],
  ])('gives %j the error code %s', (fault, code) => {
    expect(meaningOf(fault, { operation: 'read', sending: false }).code).toBe(code);
  });

  test('decides by error code whether and when to try again', () => {
    expect(retryOf('E_AIRLINE_BUSY')).toBe('after_s:10');
    expect(retryOf('E_AIRLINE_BUSY', 3)).toBe('after_s:3');
    expect(retryOf('E_AIRLINE_DOWN')).toBe('after_s:30');
    expect(retryOf('E_AIRLINE_DOWN', 99_999)).toBe('after_s:3600');
    expect(retryOf('E_AIRLINE_TIMEOUT', 3)).toBe('same_call');
    expect(retryOf('E_INPUT', 3)).toBe('never');
  });
});

test('ignores a title that is nothing but markup', () => {
  expect(readFault(400, { code: '73', title: '***' })).toEqual({ status: 400, code: '73' });
  expect(readFault(400, { code: '73', title: 'He said "go"' })?.title).toBe("He said 'go'");
});
