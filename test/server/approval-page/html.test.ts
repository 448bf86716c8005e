import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeHtml, html, htmlText } from '../../../src/server/approval-page/html.ts';

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const unescaped = (text: string) => text.replace(/&([#\w]+);/g, (_, name: string) => NAMED[name] ?? '?');

describe('escaping', () => {
  test('escapes all characters of markup so that the reader sees the original text', () => {
    const texts = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...`<>&"'/=;#x27 script`) }));
    fc.assert(
      fc.property(texts, (text) => {
        const escaped = escapeHtml(text);
        expect(escaped).not.toMatch(/[<>"']/);
        expect(unescaped(escaped)).toBe(text);
      }),
    );
  });

  test('escapes strings in text and attributes, and nothing else', () => {
    const evil = `"><script>alert(1)</script>`;
    const page = htmlText(html`<p title="${evil}">${evil}${html`<b>${'&'}</b>`}${[html`<i></i>`]}${undefined}${7}</p>`);
    const data = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;';
    expect(page).toBe(`<p title="${data}">${data}<b>&amp;</b><i></i>7</p>`);
  });

  test('rejects an object that only looks like markup', () => {
    const forged = { text: '<script>', markup: '<script>' } as never;
    expect(() => htmlText(html`${forged}`)).toThrow();
  });
});
