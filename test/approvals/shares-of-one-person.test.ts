/** What one person takes of what all share. */
import { expect, test } from 'vitest';
import { personKey } from '../../src/approvals/shares-of-one-person.ts';

test('a person is the same in every application, and another one in another tenant', () => {
  const keys = ['oauth:ann', 'oauth:ann:desk', 'oauth:ann:phone'].map((caller) => personKey({ tenant: 't', caller }));
  expect(new Set(keys).size).toBe(1);
  expect(personKey({ tenant: 'u', caller: 'oauth:ann' })).not.toBe(keys[0]);
});
