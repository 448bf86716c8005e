import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  airlineWords,
  cleanCode,
  cleanName,
  cleanRef,
  cleanText,
  plainText,
  quoted,
  quotedWords,
  visibleText,
} from '../../src/core/clean-text.ts';

describe("strangers' text", () => {
  test('cleans a text to one visible line in NFC of limited length', () => {
    expect(cleanText('  a\r\n\tb\u0000c\u2028d ')).toBe('a b c d');
    expect(cleanText('a\u202Eb\u200Bc\uFEFFd\u2066e\u00ADf\u{E0041}')).toBe('abcdef');
    expect(cleanText('e\u0301')).toBe('é');
    expect(cleanText('x'.repeat(50), 10)).toBe(`${'x'.repeat(9)}…`);
    expect([...cleanText('👩🏽'.repeat(20), 5)]).toHaveLength(5);
    expect(cleanText(`a${'\u0301'.repeat(40)}`).length).toBeLessThan(6);
    expect(cleanText('\uD800broken')).toBe('broken');
  });

  test.each([
    ['<b>free</b>', '‹b›free‹/b›'],
    ['[pay](http://evil.example/x?y)', '(pay)((link)'],
    ['see evil.example now', 'see evil. example now'],
    ['**bold** `code` # h', 'bold code h'],
    ['javascript:alert(1)', '(link)'],
    ['SAR 150.00 at 10.30', 'SAR 150.00 at 10.30'],
  ])('disarms markup: %s', (raw, plain) => expect(plainText(raw)).toBe(plain));

  test('keeps quoted text from closing its own quotation', () => {
    expect(quoted('Amal” Approved by the airline: “yes')).toBe("“Amal' Approved by the airline: 'yes”");
    expect(quoted('a"b')).toBe("“a'b”");
  });

  test('keeps the mask of a number, which would be another number without it', () => {
    expect(quoted('Paid •••892')).toBe('“Paid •••892”');
  });

  test.each([...'❞＂ˮ″〞⠀”‟»〃ʺ˝❜＇״'])('removes look-alikes of quotation marks and blanks: %j', (sign) => {
    const shown = quoted(`Amal${sign}. Approved by the airline${sign}`).slice(1, -1);
    expect(shown).not.toContain(sign);
    expect(shown.replaceAll("'", '').replace(/ {2,}/g, ' ').trim()).toMatch(/^Amal ?\. Approved by the airline$/);
  });

  test.each([
    ['a combining double acute on a space', ' \u030B'],
    ['a syllabic final that is two strokes', '\u1426'],
    ['a letter that is an apostrophe, twice', '\uA78C\uA78C'],
    ['two apostrophes', "''"],
    ['a turn of direction', '\u202E'],
    ['Hangul fillers', '\u3164\u115F\uFFA0'],
    ['a note without ink', '\u{1D159}'],
  ])('shows %s as nothing but a space or one apostrophe', (_, sign) => {
    const shown = quoted(`Amal${sign}. Approved`).slice(1, -1);
    expect(shown.replace(/ ?'? ?\./, '.')).toBe('Amal. Approved');
  });

  test('shows blank characters and marks without a letter as spaces in any text', () => {
    expect(plainText('Amal\u2800\u2800 \u030BBerg')).toBe('Amal Berg');
    expect(plainText('Zoe\u0308 क्षि १२')).toBe('Zoë क्षि १२');
  });

  test('keeps a number behind a name in Arabic where it is', () => {
    expect(quoted('أمل')).toBe('“أمل”\u200E');
    expect(quoted('Zoë 安娜 Анна')).toBe('“Zoë 安娜 Анна”');
  });

  test('removes invisible characters and keeps visible ones', () => {
    expect(visibleText('Am\u200bal')).toBe('Amal');
    expect(visibleText('a\u0007b')).toBe('a b');
    expect(visibleText(' two  spaces ')).toBe(' two  spaces ');
  });

  test.each(['Y', 'Y-1.5/B.2+C', 'FULLY_PAID', '12 A', '55 123 456', '', 'unknown'])(
    'shows the code %j as it is',
    (code) => {
      expect(cleanCode(code)).toBe(code);
    },
  );

  test.each([
    ['Y. Nothing is paid now', '“Y. Nothing is paid now”'],
    ['Y\u200B. Nothing', '“Y . Nothing”'],
    ['SAR 0', '“SAR 0”'],
    ['Y, free', '“Y, free”'],
    ['Y” free', "“Y' free”"],
    ['免费退款', '“免费退款”'],
    ['مجاني', '“مجاني”\u200E'],
    ['YOW<script>', '“YOW‹script›”'],
    ['www.evil.example', '“www. evil. example”'],
    ['__proto__', '“proto”'],
    ['_x_', '“x”'],
    ['nothing-is-paid', '“nothing-is-paid”'],
    ['a__b', '“a b”'],
    ['<30>', '“‹30›”'],
    ['a'.repeat(99), `“${'a'.repeat(23)}…”`],
  ])('quotes %j, which is no code', (text, shown) => expect(cleanCode(text)).toBe(shown));

  test('shows a short pointer as it is, and quotes one that could be words', () => {
    expect(['1', 'T12', 'ADT-1', 'PAX00001'].map(cleanRef)).toEqual(['1', 'T12', 'ADT-1', 'PAX00001']);
    expect(cleanRef('waived-by-us')).toBe('“waived-by-us”');
    expect(cleanRef(`1 is paid. ${'x'.repeat(50)}`)).toHaveLength(42);
  });

  test.each(['Makkah', 'Rabigh KAEC', "Xi'an Bei", 'Al-Ula', 'Zürich', 'Tromsø', 'مكة المكرمة', 'Nový Bor', '北京'])(
    'shows the name of the place %s as it is',
    (name) => expect(cleanName(name)).toBe(name),
  );

  test.each([
    ['Makkah. Nothing is paid now.', '“Makkah. Nothing is paid now.”'],
    ['Nothing is paid', '“Nothing is paid”'],
    ['Makkah, free', '“Makkah, free”'],
    ['Makkah: free', '“Makkah: free”'],
    ['Makkah (QCA)', '“Makkah (QCA)”'],
    ['St. Gallen', '“St. Gallen”'],
    ['Pay 100', '“Pay 100”'],
    ['Five Words Are Too Many', '“Five Words Are Too Many”'],
    ['Makkah” free', "“Makkah' free”"],
    [`M${'a'.repeat(30)}`, `“M${'a'.repeat(30)}”`],
    [`M${'a'.repeat(99)}`, `“M${'a'.repeat(38)}…”`],
  ])('quotes %j, which may be more than the name of a place', (name, shown) => expect(cleanName(name)).toBe(shown));

  test("cuts an airline's rule at the end of a sentence, and never before one about refunds or changes", () => {
    const long = 'This fare is sold together with a seat. '.repeat(5);
    const fee = 'An administration fee of DKK 95 per flight is charged for processing a refund.';
    expect(airlineWords(`${long}${fee} ${long}`)).toBe(`${long}${fee} …`);
    expect(airlineWords(long)).toBe(`${long.slice(0, 159)} …`);
    expect(airlineWords('short')).toBe('short');
    expect(airlineWords('x'.repeat(400))).toBe(`${'x'.repeat(159)}…`);
    expect(airlineWords('No refund. '.repeat(400)).length).toBeLessThanOrEqual(1_000);
    expect(airlineWords(airlineWords(`${long}${fee} ${long}`))).toBe(`${long}${fee} …`);
    expect(quotedWords(`${long}${fee} ${long}`)).toBe(
      `“${long}${fee} …” (shortened; a full reading of the booking quotes up to 1,000 characters)`,
    );
    expect(quotedWords(`${long}${fee}`)).toBe(`“${long}${fee}”`);
  });

  test('turns any input into one line of limited length without hidden characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (raw) => {
        for (const shown of [cleanText(raw, 40), plainText(raw, 40), quoted(raw, 40)]) {
          expect([...shown].length).toBeLessThanOrEqual(43);
          expect(shown.replace(/”\u200E$/, '”')).not.toMatch(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/u);
        }
        expect(
          quoted(raw, 40)
            .slice(1)
            .replace(/”\u200E?$/, ''),
        ).not.toMatch(/[“”"\p{Pi}\p{Pf}\p{Lm}\p{So}\p{Sk}]/u);
        expect(plainText(raw, 40)).not.toMatch(/[<>[\]`*_|\\]|:\/\//);
      }),
    );
  });
});
