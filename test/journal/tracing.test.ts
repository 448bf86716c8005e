import { expect, test } from 'vitest';
import { untraced } from '../../src/journal/tracing.ts';

test('runs the work and records nothing where nobody traces', async () => {
  expect(untraced.current()).toBeUndefined();
  untraced.about('op-1');
  untraced.mark({ state: 'succeeded' });
  untraced.fail('E_INTERNAL');
  expect(await untraced.span({ name: 'settle pay_booking' }, async () => 7)).toBe(7);
});
