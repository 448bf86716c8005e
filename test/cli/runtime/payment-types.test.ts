import { expect, test } from 'vitest';
import { withPaymentTypes } from '../../../src/cli/runtime/payment-types.ts';
import { parseSettings } from '../../../src/config/settings.ts';
import { liveSchemas } from '../../../src/server/schemas.ts';
import { TOOLS } from '../../../src/tools/index.ts';

const typesOf = (schemas: ReturnType<typeof liveSchemas>) =>
  schemas.input(TOOLS.pay_booking).properties?.payment?.properties?.type?.enum;

test('lists only the ways to pay that the deployment takes', () => {
  const all = liveSchemas();
  expect(typesOf(withPaymentTypes(all, undefined))).toHaveLength(5);
  const narrowed = withPaymentTypes(all, ['invoice']);
  expect(typesOf(narrowed)).toEqual(['invoice']);
  expect(typesOf(all)).toHaveLength(5);
  expect(narrowed.input(TOOLS.read_booking)).toBe(all.input(TOOLS.read_booking));
  expect(narrowed.output(TOOLS.pay_booking)).toBe(all.output(TOOLS.pay_booking));
});

test('reads the ways to pay from the settings, and refuses an unknown one', () => {
  expect(parseSettings({ FARECLERK_PAYMENT_TYPES: 'invoice, cash' }).values.FARECLERK_PAYMENT_TYPES).toEqual([
    'cash',
    'invoice',
  ]);
  const { wrong } = parseSettings({ FARECLERK_PAYMENT_TYPES: 'bitcoin' });
  expect(wrong).toEqual([
    expect.objectContaining({ name: 'FARECLERK_PAYMENT_TYPES', expected: expect.stringContaining('invoice') }),
  ]);
});
