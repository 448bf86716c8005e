/** Lists of bookings, and desks that have seen some before. */
import { NOW } from '../../support/bookings.ts';
import { CALLER, type Desk } from './desk.ts';

export type Row = { locator: string; state: string; needs_attention?: string[] };
export type Entry = Parameters<Desk['state']['ledger']['record']>[1];

export const list = async (desk: Desk, args: object = {}) => (await desk.read('list_bookings', args)).view;

export const locatorsOf = ({ bookings }: { bookings: Row[] }) => bookings.map(({ locator }) => locator);

export async function remember(desk: Desk, ...entries: (Partial<Entry> & { locator: string })[]): Promise<Desk> {
  for (const entry of entries)
    await desk.state.ledger.record(CALLER, { madeHere: true, seenAt: NOW, state: 'ticketed', ...entry });
  return desk;
}
