/**
 * Rebooks for good, and compares what the airline really charges with the "at most" that the person said yes to. An airline
 * may take any fare of the class; where it takes another class, nothing was said of it.
 */
import type { Window } from '../../ota/against-sandbox/window.ts';
import type { BookingCase } from '../../ota/against-sandbox/worlds.ts';
import type { Answer, State } from '../support/office.ts';

export interface RebookTally {
  rebooked: number;
  /** Refused by the rules, or by the airline. */
  rebookRefused: number;
  /** Asked without a bound, because the reply does not show the sums. */
  unbounded: number;
  /** Charged something. */
  charged: number;
  readonly differences: string[];
}

interface RebookDesk {
  readonly state: State;
  call(tool: string, args: object): Promise<Answer>;
  yes(tool: string, args: object, answer: Answer): Promise<Answer>;
}

/** The first segment of a paid booking goes to the same route on one of the days after it. */
export async function rebookWithin(tally: RebookTally, window: Window, desk: RebookDesk, sold: Sold): Promise<void> {
  const { locator, passengers, bits } = sold;
  const before = await window.airline.read(locator);
  const [old] = before.options[0]?.segments ?? [];
  if (old === undefined) return;
  const date = new Date(Date.parse(old.departs) + (1 + (bits % 3)) * 86_400_000).toISOString().slice(0, 10);
  const found = await desk.call('search_fares', { legs: [{ from: old.from, to: old.to, date }], passengers });
  const { offers = [] } = (found as { structured?: { offers?: readonly { offer_id: string }[] } }).structured ?? {};
  const offer = offers[bits % offers.length];
  if (offer === undefined) return;
  const args = { locator, segment_ref: old.ref, offer_id: offer.offer_id };
  const paid = () => window.sandbox.ledger().filter((one) => one.event === 'paid' && one.locator === locator);
  const earlier = paid().length;
  const asked = await desk.call('rebook_segment', args);
  if (asked.kind === 'ask') await desk.yes('rebook_segment', args, asked);
  const [operation] = await desk.state.operations.list({ locator, limit: 1 });
  if (operation?.state !== 'succeeded') {
    tally.rebookRefused += 1;
    return;
  }
  tally.rebooked += 1;
  const charged = paid()
    .slice(earlier)
    .reduce((sum, { amount }) => sum + (amount?.minor ?? 0), 0);
  const { amount, outcome, subject } = operation;
  const { wanted } = subject as unknown as { readonly wanted: { readonly bookingClass?: string } };
  const after = await window.airline.read(locator);
  const isAsked = after.options.some(({ segments }) =>
    segments.some(
      (one) => one.departs.slice(0, 10) === date && one.from === old.from && one.bookingClass === wanted.bookingClass,
    ),
  );
  const differ = (what: string) => tally.differences.push(`${locator} ${JSON.stringify(args)}: ${what}`);
  if ((outcome?.charge?.amount.minor ?? 0) !== charged)
    differ(`the airline charged ${charged}, and the operation says ${JSON.stringify(outcome?.charge)}`);
  if (charged > 0) tally.charged += 1;
  if (amount === undefined) tally.unbounded += 1;
  else if (isAsked && charged > amount.minor) differ(`charged ${charged}, of at most ${amount.minor}`);
}

interface Sold {
  readonly locator: string;
  readonly passengers: BookingCase['passengers'];
  /** Which offer, and which day. */
  readonly bits: number;
}
