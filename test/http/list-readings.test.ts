/** How many bookings lists read at the airline for one person: who signs in over HTTP has one share, in all calls and applications. */
import { expect, it } from 'vitest';
import * as z from 'zod';
import { LIST_READINGS } from '../../src/clerk/request-rates.ts';
import { serveSigned } from './support/serve.ts';
import { openTinyClerk, schemas } from './support/tiny-clerk.ts';

/** Reads so many bookings, as lists do, and says how many of them were allowed. */
const readMany = {
  ...{ name: 'read_many', title: 'Read many', description: 'Reads.', toolset: 'core', effect: 'read' },
  ...schemas({ wanted: z.number() }, { allowed: z.number() }),
  async run({ wanted }: { wanted: number }, { waitToRead }: { waitToRead(): number }) {
    return { allowed: Array.from({ length: wanted }, waitToRead).filter((seconds) => seconds === 0).length };
  },
  text: ({ allowed }: { allowed: number }) => `${allowed}`,
};

it('a person who signs in has one share of readings for all calls, with whatever application, and others have theirs', async () => {
  const served = await serveSigned({}, {}, await openTinyClerk({ tools: [readMany] as never }));
  const allowed = async (claims: object, wanted: number) => {
    const caller = await served.caller(claims);
    return (await caller.call('read_many', { wanted })).structured.allowed;
  };
  const { burst } = LIST_READINGS;
  expect(await allowed({ sub: 'ann', client_id: 'one' }, burst - 10)).toBe(burst - 10);
  // While these calls were made, a few more may have become free.
  const rest =
    (await allowed({ sub: 'ann', client_id: 'one' }, 100)) + (await allowed({ sub: 'ann', client_id: 'two' }, 100));
  expect(rest).toBeGreaterThanOrEqual(10);
  expect(rest).toBeLessThan(100);
  expect(await allowed({ sub: 'bob', client_id: 'one' }, burst)).toBe(burst);
  await served.close();
});
