import { describe, expect, test } from 'vitest';
import { omitUndefined } from '../../../../src/domain/time-and-text/omit-undefined.ts';
import * as read from '../../../../src/ota/messages/parts/reader.ts';
import { asList } from '../../../../src/ota/transport/json.ts';

describe('readers', () => {
  test('reads text from a value, a list of one or an object with a value', () => {
    const cases: [unknown, string | undefined][] = [
      ['a', 'a'],
      ['', undefined],
      [30, '30'],
      [false, 'false'],
      [['a'], 'a'],
      [[{ value: 'a' }], 'a'],
      [{ value: 'a' }, 'a'],
      [{ value: { value: 'a' } }, undefined],
      [['a', 'b'], undefined],
      [null, undefined],
    ];
    for (const [value, expected] of cases) expect(read.text(value)).toBe(expected);
  });

  test('reads lists from single values, lists and lists with null', () => {
    expect(asList(null)).toEqual([]);
    expect(asList('a')).toEqual(['a']);
    expect(read.records([{ a: 1 }, null, 'x', [2]])).toEqual([{ a: 1 }]);
    expect(read.records({ a: 1 })).toEqual([{ a: 1 }]);
    expect(read.record([null, { a: 1 }])).toEqual({ a: 1 });
    expect(read.texts(['a', null, '', { value: 'b' }, 3])).toEqual(['a', 'b', '3']);
    expect(read.pointers([{ rph: 1 }, '2', { value: '3' }, null])).toEqual(['1', '2', '3']);
  });

  test('reads counts, decimals and flags, and no value from others', () => {
    expect(read.count('12')).toBe(12);
    expect(read.count(12.0)).toBe(12);
    expect(read.count('12.5')).toBeUndefined();
    expect(read.count('9+')).toBeUndefined();
    expect(read.decimal(172.5)).toBe('172.5');
    expect(read.decimal('5.684341886080802e-14')).toBe('0.00000000000005684341');
    expect(read.decimal('1.25e2')).toBe('125');
    expect(read.decimal('1e99')).toBeUndefined();
    expect(read.flag('TRUE')).toBe(true);
    expect(read.flag(0)).toBe(false);
    expect(read.flag('yes')).toBeUndefined();
  });

  test('merges extensions in several spellings', () => {
    const wire = { tpaextensions: { a: 1 }, tpaExtensions: { a: 2, b: 2 }, TPA_Extensions: { c: 3 } };
    expect(read.extensions(wire)).toEqual({ a: 1, b: 2, c: 3 });
    expect(read.extensions({})).toEqual({});
  });

  test('omits fields that are undefined', () => {
    expect(Object.keys(omitUndefined({ a: 1, b: undefined }))).toEqual(['a']);
  });
});

describe('times', () => {
  test('writes times with milliseconds and takes a missing zone as UTC on request', () => {
    expect(read.toMillis('2026-12-01T08:00+03:00')).toBe('2026-12-01T08:00:00.000+03:00');
    expect(read.toMillis('2026-12-01T08:00:00.1234567Z')).toBe('2026-12-01T08:00:00.123Z');
    expect(read.toMillis('2026-12-01T08:00:00+0300')).toBe('2026-12-01T08:00:00.000+03:00');
    expect(read.toMillis('2026-12-01T08:00:00')).toBe('2026-12-01T08:00:00');
    expect(read.toUtc('2026-12-01T08:00:00')).toBe('2026-12-01T08:00:00.000Z');
    expect(read.toUtc('tomorrow')).toBe('tomorrow');
  });
});
