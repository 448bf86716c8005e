/**
 * What callers of a load do: book, pay, read.
 */

import type { Called, McpCaller } from '../../support/mcp-http.ts';
import { dateIn, newPassenger } from '../../support/people.ts';

const day = (days: number) => dateIn(Date.now(), days);

export const SURNAME = 'Haddad';
export interface Pair {
  readonly from: string;
  readonly to: string;
}

export async function pairOf(caller: McpCaller): Promise<Pair> {
  const { structured } = await caller.call('list_routes');
  const [route] = structured.routes;
  return { from: route.from.code, to: route.to[0].code };
}

export const searchArgs = ({ from, to }: Pair, days = 12) => ({
  legs: [{ from, to, date: day(days) }],
  passengers: { adults: 1 },
  max_results: 5,
});

type Act = (caller: McpCaller, name: string, args: object) => Promise<Called>;

const plainly: Act = (caller, name, args) => caller.call(name, args);

let holds = 0;

/** A booking on hold; undefined where something went wrong on the way, which `act` has seen. */
export async function hold(
  caller: McpCaller,
  pair: Pair,
  days = 12 + (holds++ % 30),
  act: Act = plainly,
): Promise<string | undefined> {
  const found = await act(caller, 'search_fares', searchArgs(pair, days));
  const offer = found.structured.offers?.at(-1);
  if (offer === undefined) return undefined;
  const made = await act(caller, 'create_booking', {
    offer_ids: [offer.offer_id],
    contact: { given_name: 'Amal', surname: SURNAME, email: 'amal@example.com' },
    passengers: [newPassenger({ surname: SURNAME })],
  });
  return made.structured.booking?.locator;
}
