import { expect, test } from 'vitest';
import { failure } from '../../src/approvals/status.ts';

test.each([
  [{ title: 'EXPIRED', correlationId: 'c-1' }, ['The airline said: "EXPIRED" (reference c-1)']],
  [{ title: 'EXPIRED' }, ['The airline said: "EXPIRED"']],
  // The journal keeps no words of the airline.
  [{ correlationId: 'c-1' }, ["The airline's reference: c-1"]],
  [{ code: '73' }, []],
  [undefined, []],
])('shows what the airline said and the reference for its support: %j', (airline, said) => {
  expect(failure({ message: 'It failed.', effect: 'none', airline }).lines).toEqual(['It failed.', ...said]);
});
