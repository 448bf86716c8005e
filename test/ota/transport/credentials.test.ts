/**
 * Removes credentials from replies, since an airline may repeat the request in an error.
 */
import { describe, expect, test } from 'vitest';
import { callCredentials, withoutCredentials } from '../../../src/ota/transport/credentials.ts';

const credentials = {
  headers: {
    'x-api-key': 'key-0123456789',
    'x-refresh-token': 'refresh-0123456789',
    authorization: 'Bearer token-0123456789',
  },
  token: 'token-0123456789',
};

describe('credentials that a reply repeats', () => {
  test('removes every credential from a reply, and nothing else', () => {
    const text =
      '{"title":"key-0123456789","sent":["Bearer token-0123456789","refresh-0123456789"],"locator":"ABC123"}';
    expect(withoutCredentials({ status: 422, text }, credentials)).toEqual({
      status: 422,
      text: '{"title":"[secret]","sent":["Bearer [secret]","[secret]"],"locator":"ABC123"}',
    });
  });

  test('returns the same reply object if no credential is in it', () => {
    const reply = { status: 200, text: '{"success":{}}' };
    expect(withoutCredentials(reply, credentials)).toBe(reply);
    expect(withoutCredentials(reply, { headers: {} })).toBe(reply);
  });

  test('leaves a secret of fewer than six characters, which could be an ordinary word', () => {
    const reply = { status: 200, text: '{"agent":"box42"}' };
    expect(withoutCredentials(reply, { headers: { 'x-api-key': 'box42' } })).toBe(reply);
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
  ])('hides a key that the airline spells with %s', (_, text) => {
    const { text: shown } = withoutCredentials({ status: 422, text }, { headers: { 'x-api-key': 'ab/cd+ef=gh' } });
    expect(JSON.parse(shown)).toEqual({ title: 'key [secret] ij' });
  });

  test.each([
    ['zero-width spaces', '\u200b'],
    ['zero-width spaces as JSON writes them', '\\u200B'],
    ['soft hyphens', '\u00ad'],
    ['tags outside the basic plane', '\u{E0041}'],
    ['such tags as JSON writes them', '\\udb40\\uDC41'],
    ['joiners and turns of direction', '\u200d\\u202e'],
  ])('hides a key, a token and a password that the airline writes with %s in between', (_, between) => {
    const using = { ...credentials, secrets: ['Pass-w0rd!2026'] };
    for (const secret of ['key-0123456789', 'token-0123456789', 'Pass-w0rd!2026']) {
      const text = `{"title":"for ${[...secret].join(between)}","name":"\u0646\u200c\u0645"}`;
      const { text: shown } = withoutCredentials({ status: 422, text }, using);
      expect(JSON.parse(shown)).toMatchObject({ title: 'for [secret]' });
    }
  });

  test('leaves invisible characters in a reply without a secret', () => {
    const reply = { status: 200, text: '{"surname":"\u0646\u200c\u0645","given":"\\u0646\\u200c\\u0645"}' };
    expect(withoutCredentials(reply, credentials)).toBe(reply);
  });

  test('hides the password and the client secret of the login as well', async () => {
    const tokens = {
      token: async () => 'token-0123456789',
      ensureLife: async () => 'token-0123456789',
      invalidate() {},
    };
    const secrets = ['Pass-w0rd!2026', 'client-secret-1'];
    const using = await callCredentials({ mode: 'token', tokens, secrets }, false);
    const text = '{"title":"Pass-w0rd!2026 of client-secret-1 with token-0123456789"}';
    expect(withoutCredentials({ status: 401, text }, using).text).toBe(
      '{"title":"[secret] of [secret] with [secret]"}',
    );
    expect(using.headers).toEqual({ authorization: 'Bearer token-0123456789' });
  });

  test('hides a short key only as a whole word, and never inside a number of the reply', () => {
    const hide = (text: string, key: string) =>
      withoutCredentials({ status: 422, text }, { headers: { 'x-api-key': key } }).text;
    expect(hide('{"title":"wrong key s3cr3t.","id":"xs3cr3ty"}', 's3cr3t')).toBe(
      '{"title":"wrong key [secret].","id":"xs3cr3ty"}',
    );
    expect(hide('{"amount": 123456, "list":[123456],"title":"no 123456"}', '123456')).toBe(
      '{"amount": 123456, "list":[123456],"title":"no [secret]"}',
    );
    expect(hide('{"title":"five5"}', 'five5')).toBe('{"title":"five5"}');
  });
});
