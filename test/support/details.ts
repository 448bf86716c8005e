/** What travellers enter on the details page, sealed and kept as the page does. */
import { hashId, sealCard } from '../../src/details/seal.ts';
import { dateIn, inLetters } from './people.ts';

export type Entered = Parameters<typeof sealCard>[3];

type Kept = Parameters<typeof sealCard>[1] & { readonly cards: ReadonlyMap<number, string> };

interface Store {
  readonly details: {
    find(idHash: string, now: number): Promise<Kept | undefined>;
    submit(idHash: string, card: number, sealed: string, now: number): Promise<boolean>;
  };
}

/** Where a desk of tests has its page. */
export const DETAILS_AT = 'https://desk.example/details/';
export const detailsPage = { address: async (id: string) => `${DETAILS_AT}${id}` };

/** Fills in cards from the first one on. @param now milliseconds since 1970 */
export async function enterDetails(
  { details }: Store,
  id: string,
  entered: readonly Entered[],
  now = Date.now(),
): Promise<void> {
  const kept = await details.find(hashId(id), now);
  if (kept === undefined) throw new Error('no such page');
  for (const [card, each] of entered.entries()) {
    if (kept.cards.has(card)) continue;
    if (!(await details.submit(kept.idHash, card, sealCard(id, kept, card, each), now))) throw new Error('not kept');
  }
}

let people = 0;

/** An adult unlike every earlier one of this process. */
export function newTraveller(over: Entered = {}, now = Date.now()): Entered & { readonly surname: string } {
  people += 1;
  return {
    ...{ given_name: 'Layla', surname: `Sabah ${inLetters(people)}`, gender: 'Female', birth_date: '1990-04-12' },
    document: { type: 'passport', number: `K${700_000 + people}`, nationality: 'SA', expires: dateIn(now, 3650) },
    ...over,
  } as Entered & { readonly surname: string };
}
