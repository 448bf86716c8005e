/** What callers of a load do: search, hold, pay, read. */
import type { McpCaller } from '../../support/mcp-http.ts';
import { CONTACT, dateIn, newPassenger } from '../../support/people.ts';

export const { surname: SURNAME } = CONTACT;
export type Pair = Awaited<ReturnType<typeof pairOf>>;

/** Stations that the airline connects. */
export async function pairOf(caller: McpCaller): Promise<{ readonly from: string; readonly to: string }> {
  const { structured } = await caller.call('list_routes');
  const [route] = structured.routes;
  return { from: route.from, to: route.to[0] };
}

export const searchArgs = ({ from, to }: Pair, days = 12) => ({
  legs: [{ from, to, date: dateIn(Date.now(), days) }],
  passengers: { adults: 1 },
  max_results: 5,
});

let holds = 0;

/** A booking on hold; undefined where something went wrong on the way. */
export async function hold(caller: Pick<McpCaller, 'call'>, pair: Pair, days = 12 + (holds++ % 30)) {
  const found = await caller.call('search_fares', searchArgs(pair, days));
  const offer = found.structured.offers?.at(-1);
  if (offer === undefined) return undefined;
  const made = await caller.call('create_booking', {
    ...{ offer_ids: [offer.offer_id], contact: CONTACT, passengers: [newPassenger()] },
  });
  return made.structured.booking?.locator as string | undefined;
}
