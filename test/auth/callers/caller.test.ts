import { describe, expect, it } from 'vitest';
import { callerOfClaims, wordsOf } from '../../../src/auth/callers/caller.ts';

const iss = 'https://id.example';

describe('a caller', () => {
  it('names a caller by issuer, subject and client', () => {
    expect(callerOfClaims({ iss, sub: 'ann', client_id: 'desk' })).toEqual({ tenant: iss, id: 'oauth:ann:desk' });
    expect(callerOfClaims({ iss, sub: 'ann', azp: 'desk' })?.id).toBe('oauth:ann:desk');
    expect(callerOfClaims({ iss, sub: 'ann' })?.id).toBe('oauth:ann:-');
  });

  it('encodes separators so that no caller looks like another', () => {
    const ids = [
      { sub: 'a:b', client_id: 'c' },
      { sub: 'a', client_id: 'b:c' },
      { sub: 'a%3Ab', client_id: 'c' },
      { sub: 'a b', client_id: 'c' },
    ].map((claims) => callerOfClaims({ iss, ...claims })?.id);
    expect(new Set(ids).size).toBe(4);
  });

  it('reads the tenant from its claim, and refuses a token without it', () => {
    const tenant = (claims: object) => callerOfClaims({ iss, sub: 'ann', ...claims }, 'org')?.tenant;
    expect(tenant({ org: 'acme' })).toBe(`${iss}#acme`);
    expect(tenant({})).toBeUndefined();
    expect(tenant({ org: ['acme'] })).toBeUndefined();
    expect(tenant({ org: '' })).toBeUndefined();
  });

  it.each([undefined, '', 7, null, 'x'.repeat(256), 'a\u0000b', '\ud800', { a: 1 }])(
    'refuses the subject %j',
    (sub) => {
      expect(callerOfClaims({ iss, sub })).toBeUndefined();
    },
  );

  it("reads the subject from a caller's name", () => {
    for (const sub of ['ann', 'auth0|507f', 'ann:b/c d', 'änne@example.com']) {
      const caller = callerOfClaims({ iss, sub, client_id: 'desk:1' });
      expect(caller && wordsOf(caller)?.subject).toBe(sub);
    }
    expect(wordsOf({ tenant: iss, id: 'os:ann' })).toBeUndefined();
    expect(wordsOf({ tenant: iss, id: 'oauth:ann' })).toBeUndefined();
    expect(wordsOf({ tenant: iss, id: 'oauth:ann:desk:more' })).toBeUndefined();
  });
});
