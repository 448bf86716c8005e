import { expect, test } from 'vitest';
import { ClerkError } from '../../src/errors.ts';
import { OfferQuota } from '../../src/store/offer-quota.ts';

const ANN = { tenant: 't', id: 'oauth:ann:desk' };

test('refuses offers to a caller who has too many from all applications, says when to go on, and leaves others alone', () => {
  const quota = new OfferQuota();
  quota.take({ ...ANN, id: 'oauth:ann:page' }, 200_000, 0);
  const refused = (() => {
    try {
      quota.take(ANN, 1, 10 * 60_000);
    } catch (error) {
      return error;
    }
  })();
  expect(refused).toBeInstanceOf(ClerkError);
  expect(refused).toMatchObject({ code: 'E_LIMIT', effect: 'none', retry: 'after_s:3600' });
  quota.take({ ...ANN, id: 'oauth:bob:desk' }, 200_000, 10 * 60_000);
  quota.take(ANN, 200_000, 70 * 60_000);
});
