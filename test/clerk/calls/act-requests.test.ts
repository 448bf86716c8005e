/** Each act names every request to the airline on which its terms or its send depend, so that it does not begin into a pause of one. */
import { expect, test } from 'vitest';
import { CATALOG } from '../../../src/tools/index.ts';
import { ACTS } from '../../campaigns/support/acts.ts';
import { openAirline } from '../../campaigns/support/airline.ts';
import { openOffice } from '../../campaigns/support/office.ts';

/** A pause of these changes no terms: readings delay every act, and without the others nothing of the terms is missing. */
const APART = ['read', 'routes', 'calendar', 'accounts', 'pausedMs', 'placeName'];

test('from the question to the send', async () => {
  const { airline, stock, close } = await openAirline();
  const asked = new Set<string>();
  const listening = new Proxy(airline, {
    get(target, name: keyof typeof airline) {
      const method = target[name];
      if (typeof method !== 'function') return method;
      return (...args: never[]) => {
        asked.add(name);
        return (method as (...given: never[]) => unknown)(...args);
      };
    },
  });
  const office = await openOffice({ airline: listening });
  const named = new Map(CATALOG.map((tool) => [tool.name, 'requests' in tool ? tool.requests : []]));
  const surplus = new Map([...named].map(([name, requests]) => [name, new Set<string>(requests)]));
  for (const act of ACTS) {
    const locator = act.on === 'held' ? (await stock.held()).locator : await stock.ticketed();
    const args = await act.args(locator, office.look);
    asked.clear();
    await office.yes(act.tool, args, await office.question(act.tool, args));
    const needed = [...asked].filter((name) => !APART.includes(name));
    expect([act.name, named.get(act.tool)]).toEqual([act.name, expect.arrayContaining(needed)]);
    for (const name of needed) surplus.get(act.tool)?.delete(name);
  }
  // And no act names more than it needs. A create asks nobody here.
  surplus.delete('create_booking');
  expect([...surplus].filter(([, requests]) => requests.size > 0)).toEqual([]);
  expect(office.failures).toEqual([]);
  await office.close();
  await close();
});
