/**
 * What callers of a load do: book, pay, read.
 */
import type { Called, McpCaller } from '../../../../bench/support/mcp-http.ts';

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export const SURNAME = 'Haddad';
const LETTERS = 'ABCDEFGHIJ';
let people = 0;

/** Nobody is booked twice: every passenger has a name and a document of their own. */
function passenger() {
  people += 1;
  const given = `Amal ${[...String(people)].map((digit) => LETTERS[Number(digit)]).join('')}`;
  return {
    type: 'ADT',
    given_name: given,
    surname: SURNAME,
    gender: 'Female',
    birth_date: '1990-04-12',
    document: { type: 'passport', number: `P${100_000 + people}`, nationality: 'SA', expires: day(3650) },
  };
}

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

/** A booking on hold; undefined where something went wrong on the way, which `act` has seen. */
export async function hold(
  caller: McpCaller,
  pair: Pair,
  days = 12 + (people % 30),
  act: Act = plainly,
): Promise<string | undefined> {
  const found = await act(caller, 'search_fares', searchArgs(pair, days));
  const offer = found.structured.offers?.at(-1);
  if (offer === undefined) return undefined;
  const made = await act(caller, 'create_booking', {
    offer_ids: [offer.offer_id],
    contact: { given_name: 'Amal', surname: SURNAME, email: 'amal@example.com' },
    passengers: [passenger()],
  });
  return made.structured.booking?.locator;
}

export const payArgs = (locator: string, approvalId?: string) => ({
  locator,
  payment: { type: 'invoice' },
  ...(approvalId !== undefined && { approval_id: approvalId }),
});
