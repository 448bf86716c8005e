/**
 * Fields for text, pointers and times, from an airline that sends something else in them.
 */
import { describe, expect, it } from 'vitest';
import { pointers, readPointer, readTime, text, texts } from '../../../../src/ota/messages/parts/reader.ts';

describe('text fields', () => {
  it.each([
    ['Amal', 'Amal'],
    ['عمال حداد', 'عمال حداد'],
    [' ', ' '],
    ['A\nB\tC', 'A B C'],
    ['\u001b[31mred', ' [31mred'],
    ['\u202eevil\u2066', 'evil'],
    ['zero\u200bwidth\ufeff', 'zerowidth'],
    ['a\u2028b', 'a b'],
    ['lone\ud800', 'lone'],
  ])('reads the text %j as %j', (raw, seen) => {
    expect(text(raw)).toBe(seen);
  });

  it.each(['', '\u0000', '\u200b', '\u{e0041}\u{e0042}', '\u202e\u202c'])('reads no text from %j', (raw) => {
    expect(text(raw)).toBeUndefined();
    expect(texts([raw, 'a'])).toEqual(['a']);
  });
});

describe('pointer fields', () => {
  it.each(['1', '12', 'A-1', 'HHR-0000778899', 'seg_2', 'ADT'])('accepts %j as a pointer', (word) => {
    expect(readPointer(word)).toBe(word);
  });

  it.each([
    [' 1 ', '1'],
    [2, '2'],
    ['1. Pay', '1-Pay'],
    ['<b>1</b>', 'b-1-b'],
    ['“\n2', '2'],
    ['__proto__', 'proto'],
    ['www.evil.example', 'www-evil-example'],
    ['x'.repeat(99), 'x'.repeat(40)],
    ['***', undefined],
  ])('reads the pointer %j as %j, which fits no pointer of the airline', (raw, word) => {
    expect(readPointer(raw)).toBe(word);
  });

  it('reads pointers in a list, whatever their form', () => {
    expect(pointers([{ rph: '1' }, '2', { value: '<3>' }, '!'])).toEqual(['1', '2', '3']);
  });
});

describe('time fields', () => {
  it.each(['2026-12-01', '2026-12-01T08:00', '2026-12-01T08:00:00Z', ' 2026-12-01T08:00:00.000+03:00 '])(
    'accepts %j as a time',
    (raw) => {
      expect(readTime(raw)).toBe(raw.trim());
    },
  );

  it.each(['', 'soon', '2026-12-01 <b>', '# 2026-12-01', '01.12.2026', 20261201, null])('rejects time %j', (raw) => {
    expect(readTime(raw)).toBeUndefined();
  });
});
