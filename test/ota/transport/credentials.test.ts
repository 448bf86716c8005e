/**
 * Removes credentials from replies before they are read, since an airline may repeat the request in an error.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callCredentials, withoutCredentials } from '../../../src/ota/transport/credentials.ts';
import type { OtaOptions } from '../support/port.ts';

const [KEY, TOKEN, REFRESH] = ['key-0123456789', 'token-0123456789', 'refresh-0123456789'];
const [PASSWORD, SECRET] = ['Pass-w0rd!2026', 'client-secret-1'];
const get = async () => TOKEN;
const tokens = { token: get, ensureLife: get, invalidate() {}, refreshToken: () => REFRESH };
const ALL = { mode: 'both', apiKey: KEY, tokens, sendsRefreshToken: true, secrets: [PASSWORD, SECRET] } as const;

const wide = (text: string) => text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
const mathematical = (text: string) =>
  text.replace(/[a-z]/g, (sign) => String.fromCodePoint(sign.charCodeAt(0) - 'a'.charCodeAt(0) + 0x1d41a));
const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** What the adapter reads of a reply to a send. */
async function kept(text: string, credentials: OtaOptions['credentials'] = ALL): Promise<string> {
  return withoutCredentials({ status: 422, text }, await callCredentials(credentials, 'send')).text;
}
const keptWithout = (key: string, text: string) => kept(text, { mode: 'key', apiKey: key });

describe('credentials that a reply repeats', () => {
  test('are removed, every one, with the password and client secret of the login, and nothing else', async () => {
    const text = `{"title":"${KEY}","sent":["Bearer ${TOKEN}","${REFRESH}"],"of":"${PASSWORD} ${SECRET}","locator":"A1"}`;
    expect(await kept(text)).toBe('{"title":"[secret]","sent":["[secret]","[secret]"],"of":"[secret]","locator":"A1"}');
  });

  test.each<[string, (secret: string) => string]>([
    ['in capitals', (secret) => secret.toUpperCase()],
    ['in full-width letters', wide],
    ['in mathematical letters', mathematical],
    [
      'as JSON writes full-width letters',
      (secret) =>
        JSON.stringify(wide(secret))
          .slice(1, -1)
          .replace(/[^ -~]/g, escaped),
    ],
    ['with hyphens in between', (secret) => [...secret].join('-')],
  ])('are removed if the airline makes a surname of them %s', async (_, spelled) => {
    for (const secret of [KEY, TOKEN, PASSWORD]) {
      const text = await kept(`{"surname":"${spelled(secret)}","given":["Amal","${spelled(`AB ${secret}`)}"]}`);
      expect(text).toBe('{"surname":"[secret]","given":["Amal","[secret]"]}');
      // Only JSON has escapes.
      if (!spelled(secret).includes('\\')) expect(await kept(`Refused: ${spelled(secret)}`)).toBe('[secret]');
    }
  });

  test('are removed in capitals only where a short one is a word of its own', async () => {
    expect(await keptWithout('rail26', '{"a":"RAIL26","b":"x ＲＡＩＬ26 y","c":"TRAIL26","d":"rai","e":"l26"}')).toBe(
      '{"a":"[secret]","b":"[secret]","c":"TRAIL26","d":"rai","e":"l26"}',
    );
  });

  test.each([
    ['an escaped slash', '{"title":"key ab\\/cd+ef=gh ij"}'],
    ['escaped letters', '{"title":"key \\u0061b/cd\\u002Bef=gh ij"}'],
    [
      'lower-case escapes of every letter',
      `{"title":"key ${[...'ab/cd+ef=gh']
        .map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join('')} ij"}`,
    ],
  ])('are removed if the airline spells them with %s', async (_, text) => {
    expect(await keptWithout('ab/cd+ef=gh', text)).toBe('{"title":"[secret]"}');
  });

  test.each([
    ['zero-width spaces', '\u200b'],
    ['zero-width spaces as JSON writes them', '\\u200B'],
    ['soft hyphens', '\u00ad'],
    ['tags outside the basic plane', '\u{E0041}'],
    ['such tags as JSON writes them', '\\udb40\\uDC41'],
    ['joiners and turns of direction', '\u200d\\u202e'],
  ])('are removed if the airline writes them with %s in between', async (_, between) => {
    for (const secret of [KEY, TOKEN, PASSWORD]) {
      const text = `{"title":"for ${[...(secret ?? '')].join(between)}","name":"\u0646\u200c\u0645"}`;
      expect(await kept(text)).toContain('{"title":"[secret]"');
    }
  });

  test.each([
    ['a short key inside a word', 's3cr3t', '"wrong key s3cr3t.","id":"xs3cr3ty"', '"[secret]","id":"xs3cr3ty"'],
    [
      'digits inside a number',
      '123456',
      '1,"a":123456,"b":[123456],"c":"no 123456"',
      '1,"a":123456,"b":[123456],"c":"[secret]"',
    ],
    ['a key of fewer than six characters', 'five5', '"five5"', '"five5"'],
    [
      'invisible characters beside no secret',
      KEY,
      '"\u0646\u200c\u0645","b":"\\u0646\\u200c"',
      '"\u0646\u200c\u0645","b":"\\u0646\\u200c"',
    ],
  ])('leave %s as it is', async (_, key = '', value, due) => {
    expect(await keptWithout(key, `{"title":${value}}`)).toBe(`{"title":${due}}`);
  });
});

describe('a reply of plain characters, which is looked at once', () => {
  /** Signs between the letters of a secret, and others that fold to a letter of one. */
  const BETWEEN = [
    '',
    '',
    '',
    '-',
    ' ',
    '.',
    '\u007f',
    '\u2019',
    '\u0640',
    '\u064e',
    '\u0627',
    '\u200d',
    '\u00ad',
    'x',
  ];
  const SECRETS = [
    'key-0123456789',
    'rail26',
    'KEY ab/cd+ef',
    '12-34-56',
    '!!??!!',
    'five5',
    '\ufb03\ufb03',
    'Stra\u00dfe9',
    '\u0645\u0641\u062a\u0627\u062d\u06f1',
  ];
  const signs = (sign: string) => fc.constantFrom(sign, sign, sign, sign.toUpperCase(), sign.toLowerCase(), wide(sign));
  const spelled = (secret: string) =>
    fc
      .tuple(
        fc.tuple(...[...secret].map(signs)),
        fc.array(fc.constantFrom(...BETWEEN), { minLength: 14 }),
        fc.boolean(),
      )
      .map(([letters, between, isPlain]) =>
        letters.map((letter, i) => `${letter}${isPlain ? '' : between[i]}`).join(''),
      );
  const words = fc.string({ unit: fc.constantFrom(...'a5K- ,:\u00e9\u0627\u212aS\u017f\u0130') });
  const textAbout = (secret: string) =>
    fc.array(fc.oneof(words, spelled(secret)), { maxLength: 4 }).map((parts) => [secret, parts.join('')] as const);

  test('loses the same as with an escape beside it, which is looked at closely', async () => {
    const seen = { hidden: 0, left: 0 };
    const same = fc.asyncProperty(fc.constantFrom(...SECRETS).chain(textAbout), async ([secret, text]) => {
      const [plain, close] = await Promise.all(
        [`{"a":"${text}"}`, `{"a":"${text}","b":"\\t"}`].map((reply) => keptWithout(secret, reply)),
      );
      seen[plain?.includes('[secret]') ? 'hidden' : 'left'] += 1;
      expect(plain?.slice(0, -1)).toBe(close?.replace(/,"b":"\\t"\}$/, ''));
    });
    await fc.assert(same, { numRuns: 3_000 });
    expect(Math.min(seen.hidden, seen.left)).toBeGreaterThan(100);
  });

  test('has nothing beyond ASCII that folds to a letter or digit of ASCII', () => {
    const plain = [...Array(0x100).keys()].map((n) => 0x600 + n).concat([...Array(0x18).keys()].map((n) => 0x2010 + n));
    const folded = plain.map((code) => String.fromCharCode(code).normalize('NFKD').toUpperCase());
    expect(folded.filter((text) => /[A-Z0-9]/.test(text))).toEqual([]);
  });
});
