/** An airline that changes the names of a hold: it is ours by its other signs, and the result says both names. */
import { afterEach, expect, it } from 'vitest';
import type { SandboxOptions } from '../../../src/sandbox/addresses/start.ts';
import { CONTACT, newPassenger } from '../../support/people.ts';
import { type Desk, failures, openDesk } from './desk.ts';

type Rewrite = NonNullable<SandboxOptions['rewrite']>;
const desks: Desk[] = [];
afterEach(async () => {
  for (const desk of desks.splice(0)) await desk.close();
  expect(failures).toEqual([]);
});

/** Rewrites the name of every person in the replies; `withoutSigns` takes contact and documents away too. */
const names = (write: (name: { givenName: string[]; surname: string }) => object, withoutSigns = false): Rewrite => {
  const change = (key: string, value: unknown): unknown => {
    if (key === 'personName') return { ...(value as object), ...write(value as never) };
    return withoutSigns && ['document', 'email', 'telephone'].includes(key) ? undefined : value;
  };
  return (reply) => JSON.parse(JSON.stringify(reply, change));
};

/** Holds a trip for one passenger, and gives the result of it. */
async function hold(rewrite: Rewrite) {
  const desk = await openDesk({ sandbox: { rewrite } });
  desks.push(desk);
  const date = new Date(desk.sandbox.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  const search = await desk.result('search_fares', {
    legs: [{ from: 'QCA', to: 'XMD', date }],
    passengers: { adults: 1 },
  });
  const [offer] = (search.structured.offers ?? []) as { offer_id: string }[];
  return desk.result('create_booking', {
    offer_ids: [offer?.offer_id],
    contact: CONTACT,
    passengers: [newPassenger({ given_name: 'Layla', surname: 'Wolfeschlegelsteinhausen' }, desk.sandbox.now())],
  });
}

it('a hold with a surname that is cut after 12 letters is ours, and the result says both names', async () => {
  const result = await hold(names(({ surname }) => ({ surname: surname.slice(0, 12) })));
  expect(result.structured.booking).toMatchObject({ state: 'held', locator: expect.stringMatching(/^\w{6}$/) });
  expect(result.text).toMatch(/name of passenger \S+ is “Layla Wolfeschlege”, sent “Layla Wolfeschlegelsteinhausen”/i);
});

it('a hold with given name and surname exchanged is ours, and the result says both names', async () => {
  const result = await hold(
    names(({ givenName, surname }) => ({ givenName: [surname], surname: givenName.join(' ') })),
  );
  expect(result.structured.booking).toMatchObject({ state: 'held' });
  expect(result.text).toMatch(/is “Wolfeschlegelsteinhausen Layla”, sent “Layla Wolfeschlegelsteinhausen”/i);
});

it('a reply with other names and no other sign leaves the outcome unknown, and its locator is told', async () => {
  const result = await hold(names(() => ({ givenName: ['Ursula'], surname: 'Quast' }), true));
  expect(result.text).toMatch(/OUTCOME NOT KNOWN.* Its answer names booking \w{6}\./);
  const listed = await desks.at(-1)?.result('list_bookings', {});
  expect(listed?.structured.bookings).toEqual([]);
});
