/**
 * An airline that repeats its request in an error must not make us tell or keep a secret.
 */
import { describe, expect, test } from 'vitest';
import { withoutCredentials } from '../../src/ota/credentials.ts';

const credentials = {
  headers: {
    'x-api-key': 'key-0123456789',
    'x-refresh-token': 'refresh-0123456789',
    authorization: 'Bearer token-0123456789',
  },
  token: 'token-0123456789',
};

describe('what a reply repeats of the credentials', () => {
  test('is taken out wherever it stands, and nothing else is', () => {
    const text =
      '{"title":"key-0123456789","sent":["Bearer token-0123456789","refresh-0123456789"],"locator":"ABC123"}';
    expect(withoutCredentials({ status: 422, text }, credentials)).toEqual({
      status: 422,
      text: '{"title":"[secret]","sent":["Bearer [secret]","[secret]"],"locator":"ABC123"}',
    });
  });

  test('a reply without them is the same object', () => {
    const reply = { status: 200, text: '{"success":{}}' };
    expect(withoutCredentials(reply, credentials)).toBe(reply);
    expect(withoutCredentials(reply, { headers: {} })).toBe(reply);
  });

  test('a secret as short as a word is left: it could be part of a good reply', () => {
    const reply = { status: 200, text: '{"agent":"sandbox"}' };
    expect(withoutCredentials(reply, { headers: { 'x-api-key': 'sandbox' } })).toBe(reply);
  });
});
