/**
 * Removes credentials from replies before they are kept or shown, since an airline may repeat the request in an error.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldName } from '../../../src/domain/people/identity-text.ts';
import { hideSecrets, mayHoldSecret } from '../../../src/ota/transport/credentials.ts';
import { hearing } from '../support/asked.ts';
import type { OtaOptions } from '../support/port.ts';
import { confirmed, LOCATOR, watchedDispatch } from '../support/samples.ts';

const [KEY, TOKEN, REFRESH] = ['key-0123456789', 'token-0123456789', 'refresh-0123456789'];
const [PASSWORD, SECRET] = ['Pass-w0rd!2026', 'client-secret-1'];
const get = async () => TOKEN;
const tokens = { token: get, ensureLife: get, invalidate() {}, refreshToken: () => REFRESH };
const ALL = { mode: 'both', apiKey: KEY, tokens, sendsRefreshToken: true, secrets: [PASSWORD, SECRET] } as const;

const wide = (text: string) => text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** What is kept of a reply to a payment. */
async function kept(text: string, credentials: OtaOptions['credentials'] = ALL): Promise<string | undefined> {
  const dispatch = watchedDispatch();
  const cancellation = confirmed({ cancellation: { locator: LOCATOR } }, dispatch);
  await hearing((airline) => airline.cancel(cancellation), [{ status: 422, text }], { credentials });
  return dispatch.kept[0]?.body;
}
const keptWithout = (key: string, text: string) => kept(text, { mode: 'key', apiKey: key });

describe('credentials that a reply repeats', () => {
  test('are removed, every one, with the password and client secret of the login, and nothing else', async () => {
    const text = `{"title":"${KEY}","sent":["Bearer ${TOKEN}","${REFRESH}"],"of":"${PASSWORD} ${SECRET}","locator":"A1"}`;
    expect(await kept(text)).toBe(
      '{"title":"[secret]","sent":["Bearer [secret]","[secret]"],"of":"[secret] [secret]","locator":"A1"}',
    );
  });

  test.each<[string, (secret: string) => string]>([
    ['in capitals', (secret) => secret.toUpperCase()],
    ['in full-width letters', wide],
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
    expect(await keptWithout('ab/cd+ef=gh', text)).toBe('{"title":"key [secret] ij"}');
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
      expect(await kept(text)).toContain('{"title":"for [secret]"');
    }
  });

  test.each([
    [
      'a short key inside a word',
      's3cr3t',
      '"wrong key s3cr3t.","id":"xs3cr3ty"',
      '"wrong key [secret].","id":"xs3cr3ty"',
    ],
    [
      'digits inside a number',
      '123456',
      '1,"a":123456,"b":[123456],"c":"no 123456"',
      '1,"a":123456,"b":[123456],"c":"no [secret]"',
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

describe('a reply that is not looked at closely', () => {
  /** Signs between the letters of a secret, and others that fold to a letter of one. */
  const BETWEEN = [
    '',
    '',
    '',
    '-',
    ' ',
    '.',
    '\n',
    '\u007f',
    '\u2019',
    '\u0640',
    '\u064e',
    '\u0627',
    '\u200d',
    '\u00ad',
    '\\u002d',
    '\\',
    'x',
  ];
  const SECRETS = [
    KEY,
    'rail26',
    'KEY ab/cd+ef',
    '12-34-56',
    '!!??!!',
    'five5',
    '\ufb03\ufb03',
    'Stra\u00dfe9',
    '\u0645\u0641\u062a\u0627\u062d\u06f1',
  ];
  const spelledSigns = (sign: string) =>
    fc.constantFrom(
      ...new Set([sign, sign, sign.toUpperCase(), sign.toLowerCase(), wide(sign), escaped(sign), foldName(sign)]),
    );
  const spelled = (secret: string) =>
    fc
      .tuple(...[...secret].map((sign) => fc.tuple(spelledSigns(sign), fc.constantFrom(...BETWEEN))))
      .map((signs) => signs.flat().join(''));
  const words = fc.string({ unit: fc.constantFrom(...'a5K-" ,:é\u0627\u212aS\u017f\u0130') });
  const aroundSecrets = fc
    .array(fc.oneof(words, fc.constantFrom(...SECRETS).chain(spelled), fc.constantFrom(...SECRETS)), { maxLength: 6 })
    .map((parts) => parts.join(''));
  const texts = fc.oneof(
    aroundSecrets,
    aroundSecrets.map((text) => `{"title":"${text}"}`),
    aroundSecrets.map((text) => JSON.stringify([text])),
  );

  test('holds no secret, however it is spelled', () => {
    let [looked, passed] = [0, 0];
    fc.assert(
      fc.property(fc.subarray(SECRETS), texts, (secrets, text) => {
        if (mayHoldSecret(text, secrets)) looked += 1;
        else {
          passed += 1;
          expect(hideSecrets(text, secrets)).toBe(text);
        }
      }),
      { numRuns: 20_000 },
    );
    // Both ways are taken often.
    expect(Math.min(looked, passed)).toBeGreaterThan(500);
  });

  test('is one of ASCII, Arabic and common punctuation, of which nothing else folds to what a secret has', () => {
    const plain = Array.from({ length: 0x11_0000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((sign) => !mayHoldSecret(sign, [KEY]));
    expect(plain.length).toBe(127 + 256 + 24);
    const folded = plain.filter((sign) => sign > '\u007f').map(foldName);
    expect(folded.filter((text) => /[\p{ASCII}]/u.test(text))).toEqual([]);
  });

  test.each([
    ['of ASCII', `{"remark":"Rail26 trip, key 0123","total":"172.50"}`, false],
    ['with Arabic', '{"remark":"\u0627\u0644\u0627\u0633\u062a\u0631\u062f\u0627\u062f \u2013 no refund"}', false],
    ['with the beginning of a secret', '{"remark":"Token 0123456, nothing more"}', true],
    ['with an escape', '{"remark":"a\\tb"}', true],
    ['with a Latin letter beyond ASCII', '{"remark":"\u00e9"}', true],
  ])('%s: %s', (_, text, isLookedAt) => {
    expect(mayHoldSecret(text, [KEY, TOKEN, PASSWORD])).toBe(isLookedAt);
  });
});
