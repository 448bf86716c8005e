/** Replies as JSON: bounded depth, and no key that reaches a prototype. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outcomeOf, told } from '../support/told.ts';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const read = (text: string, more = {}) => outcomeOf(200, text, 'read', more);
const isRead = (text: string, more = {}) => 'body' in (read(text, more) as object);

describe('a reply as JSON', () => {
  const DROPPED = new Set(['__proto__', 'constructor', 'prototype']);

  it('is what JSON.parse reads, without the dangerous keys', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = JSON.stringify({ value });
        const expected: unknown = JSON.parse(text, (key, held: unknown) => (DROPPED.has(key) ? undefined : held));
        expect(read(text)).toEqual({ body: expected });
      }),
    );
  });

  it.each([
    ['', 'nothing'],
    [' \r\n\t', 'nothing'],
    ['\uFEFF', 'nothing'],
    ['<html></html>', 'an HTML page'],
    ['  <?xml version="1.0"?>', 'an HTML page'],
    ['{"success":{}', 'not JSON'],
    ['{"a":"b', 'not JSON'],
    ['Service unavailable', 'not JSON'],
    ['{"a":1}{"a":2}', 'not JSON'],
    [nested(65), 'nested deeper'],
    ['{"a":'.repeat(100_000), 'nested deeper'],
  ])('is named by what came instead: %j', (text, problem) => {
    expect(told(200, text, 'read').message).toContain(problem);
  });

  it('is as deep as its nesting outside strings', () => {
    expect(isRead(nested(64))).toBe(true);
    expect(isRead(`\uFEFF${nested(64)}`)).toBe(true);
    for (const value of [{ text: `\\"${'['.repeat(500)}` }, { 'a\\': '{{', b: '\\\\"[' }, Array(500).fill([[]])]) {
      expect(isRead(JSON.stringify(value))).toBe(true);
    }
  });

  it.each([
    '{"__proto__":{"admin":true},"a":[{"constructor":{"x":1},"b":{"prototype":2,"c":"__proto__"}}]}',
    '{"\\u005f\\u005fproto__":{"admin":true},"a":[{"c\\u006fnstructor":1,"b":{"pr\\u006ftotype":2,"c":"__proto__"}}]}',
  ])('has no keys that reach a prototype, however they are spelled, and keeps their names as values', (text) => {
    const { body } = read(text) as { body: object };
    expect(JSON.stringify(body)).toBe('{"a":[{"b":{"c":"__proto__"}}]}');
    expect(Object.assign({}, body)).not.toHaveProperty('admin');
  });

  it('keeps every digit of a number that is too long for a JavaScript number', () => {
    const text = '{"nbr": 12345678901234567, "list":[-9007199254740993,90071992547409.933], "short": 1234567890123.50}';
    const body = {
      nbr: '12345678901234567',
      list: ['-9007199254740993', '90071992547409.933'],
      short: 1234567890123.5,
    };
    expect(read(text)).toEqual({ body });
    // A number whose digits come back as they were stays a number, and so do texts.
    expect(read('{"a":9007199254740991,"b":0.1000000000000000055,"c":"x: 12345678901234567"}')).toEqual({
      body: { a: 9007199254740991, b: '0.1000000000000000055', c: 'x: 12345678901234567' },
    });
  });
});
