/**
 * An operation for tests: a payment of SAR 172.50.
 */
import type { NewOperation } from './support/ports.ts';

export const SAR = (minor: number) => ({ minor, currency: 'SAR' });

export function newOperation(id: string, changes: Partial<NewOperation> = {}): NewOperation {
  return {
    id,
    tenant: 't',
    caller: 'me',
    tool: 'pay_booking',
    locator: 'ABC123',
    assurance: 'page',
    argsDigest: 'args',
    termsDigest: 'terms',
    subject: { kind: 'pay', amount: SAR(17250), coupons: 2 },
    amount: SAR(17250),
    direction: 'payment',
    ...changes,
  };
}
