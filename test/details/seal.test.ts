/** What is sealed is opened by its id, for its call and its card, and by nothing else. */
import { describe, expect, test } from 'vitest';
import { hashId, newDetailsId, openCard, sealCard } from '../../src/details/seal.ts';

const ID = newDetailsId();
const CALL = { idHash: hashId(ID), tenant: 'desk', caller: 'ann', tool: 'create_booking', argsDigest: 'digest' };
const CANARY = {
  ...({ given_name: 'Wilhelmina', middle_name: 'Ж', surname: 'Quästenflößer', gender: 'Female' } as const),
  birth_date: '1987-03-14',
  document: { type: 'passport', number: 'P7654321', nationality: 'SA', expires: '2031-01-01' } as const,
};
const SEALED = sealCard(ID, CALL, 3, CANARY);

test('an id is 43 characters that never come again, and its hash is another text of 43', () => {
  const ids = Array.from({ length: 1000 }, newDetailsId);
  expect(new Set(ids).size).toBe(1000);
  for (const id of ids.slice(0, 20)) expect([id, hashId(id)].join(' ')).toMatch(/^[\w-]{43} [\w-]{43}$/);
  expect(hashId(ID)).not.toBe(ID);
  // SHA-256, base64url.
  expect(hashId('')).toBe('47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU');
});

test('returns what was entered, whatever it is', () => {
  expect(openCard(ID, CALL, 3, SEALED)).toEqual(CANARY);
  for (const surname of ['', 'a'.repeat(5000), 'محمد', '"\\\n\u0000', ' x '])
    expect(openCard(ID, CALL, 0, sealCard(ID, CALL, 0, { surname }))).toEqual({ surname });
  expect(openCard(ID, CALL, 0, sealCard(ID, CALL, 0, {}))).toEqual({});
});

test('is another text each time, of a length that tells nothing', () => {
  const again = Array.from({ length: 50 }, () => sealCard(ID, CALL, 3, CANARY));
  expect(new Set([...again, SEALED]).size).toBe(51);
  expect(sealCard(ID, CALL, 3, {}).length).toBe(SEALED.length);
  const bytes = Buffer.from(SEALED, 'base64url').toString('latin1');
  for (const part of ['Wilhelmina', 'P7654321', '1987', 'passport', ID]) expect(bytes).not.toContain(part);
});

describe('does not open', () => {
  const otherId = newDetailsId();
  test.each([
    ['with another id', otherId, CALL, 3],
    ['with another id that claims the hash', otherId, { ...CALL, idHash: hashId(otherId) }, 3],
    ['for another hash', ID, { ...CALL, idHash: hashId(otherId) }, 3],
    ['for another caller', ID, { ...CALL, caller: 'bob' }, 3],
    ['for a caller of the same name in another tenant', ID, { ...CALL, tenant: 'other' }, 3],
    ['where one name runs into the next', ID, { ...CALL, tenant: 'deska', caller: 'nn' }, 3],
    ['for another tool', ID, { ...CALL, tool: 'change_names' }, 3],
    ['for other arguments', ID, { ...CALL, argsDigest: 'digest2' }, 3],
    ['as another card', ID, CALL, 2],
  ])('%s', (_, id, call, card) => {
    expect(() => openCard(id, call, card, SEALED)).toThrow();
  });

  test('once any byte was changed, left out or added', () => {
    const bytes = Buffer.from(SEALED, 'base64url');
    for (const at of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => openCard(ID, CALL, 3, changed.toString('base64url'))).toThrow();
    }
    for (const text of ['', 'A', SEALED.slice(1), SEALED.slice(0, -1), SEALED.slice(0, 37), `${SEALED}A`, `${SEALED}=`])
      expect(() => openCard(ID, CALL, 3, text)).toThrow();
    expect(() => openCard(ID, CALL, 3, `${SEALED.slice(0, 9)}!${SEALED.slice(9)}`)).toThrow();
  });

  test('and the error tells nothing of it', () => {
    const message = (open: () => unknown) => {
      try {
        return String(open());
      } catch (error) {
        return String((error as Error).stack);
      }
    };
    const said = message(() => openCard(otherId, CALL, 3, SEALED)) + message(() => openCard(ID, CALL, 3, 'AAAA'));
    for (const part of [ID, otherId, SEALED, 'Wilhelmina']) expect(said).not.toContain(part);
  });
});
