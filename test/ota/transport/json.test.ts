import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asList, isObject, readJson } from '../../../src/ota/transport/json.ts';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('readJson', () => {
  const DROPPED = new Set(['__proto__', 'constructor', 'prototype']);

  it('reads what JSON.parse reads, without the dangerous keys', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = JSON.stringify(value);
        const expected: unknown = JSON.parse(text, (key, held: unknown) => (DROPPED.has(key) ? undefined : held));
        expect(readJson(text)).toEqual({ ok: true, value: expected });
      }),
    );
  });

  it.each([
    ['', 'empty'],
    [' \r\n\t', 'empty'],
    ['\uFEFF', 'empty'],
    ['<html></html>', 'html'],
    ['  <?xml version="1.0"?>', 'html'],
    ['{"success":{}', 'not_json'],
    ['{"a":"b', 'not_json'],
    ['Service unavailable', 'not_json'],
    ['{"a":1}{"a":2}', 'not_json'],
    [nested(65), 'too_deep'],
    ['{"a":'.repeat(100_000), 'too_deep'],
  ])('names what came instead of JSON: %j', (text, problem) => {
    expect(readJson(text)).toEqual({ ok: false, problem });
  });

  it('accepts any depth in a branch that is not kept, and drops dangerous keys there too', () => {
    expect(readJson(nested(1_000), { anyDepth: true }).ok).toBe(true);
    expect(readJson(`{"a":${nested(1_000)},"__proto__":1}`, { anyDepth: true }).ok).toBe(true);
    const bottomless = `{"constructor":${'['.repeat(200_000)}1${']'.repeat(200_000)}}`;
    expect(readJson(`[${bottomless}]`, { anyDepth: true })).toEqual({ ok: true, value: [{}] });
    const below = `${'{"a":'.repeat(100_000)}{"constructor":1}${'}'.repeat(100_000)}`;
    expect(readJson(below, { anyDepth: true })).toEqual({ ok: false, problem: 'too_deep' });
  });

  it('counts nesting outside strings only', () => {
    expect(readJson(nested(64)).ok).toBe(true);
    expect(readJson(JSON.stringify({ text: `\\"${'['.repeat(500)}` })).ok).toBe(true);
    expect(readJson(JSON.stringify({ 'a\\': '{{', b: '\\\\"[' })).ok).toBe(true);
    expect(readJson(JSON.stringify(Array.from({ length: 500 }, () => [[]]))).ok).toBe(true);
  });

  it.each([
    '{"__proto__":{"admin":true},"a":[{"constructor":{"x":1},"b":{"prototype":2,"c":3}}]}',
    '{"\\u005f\\u005fproto__":{"admin":true},"a":[{"c\\u006fnstructor":1,"b":{"pr\\u006ftotype":2,"c":3}}]}',
  ])('drops the keys that reach a prototype, however they are spelled', (text) => {
    const reading = readJson(text);
    const value: unknown = reading.ok ? reading.value : undefined;
    expect(JSON.stringify(value)).toBe('{"a":[{"b":{"c":3}}]}');
    expect(Object.assign({}, value)).not.toHaveProperty('admin');
  });

  it('keeps the names of dangerous keys if they are values', () => {
    expect(readJson('{"a":"__proto__"}')).toEqual({ ok: true, value: { a: '__proto__' } });
  });
});

describe('shapes', () => {
  it('recognises only plain objects as objects', () => {
    expect([{}, [], null, 'a', 1, undefined].map(isObject)).toEqual([true, false, false, false, false, false]);
  });

  it('makes a list of any value', () => {
    expect([[1], 1, null, undefined].map(asList)).toEqual([[1], [1], [], []]);
  });
});
