/**
 * All flights of a connection change with one question of a plan: what a search said is the sum that the person says yes to, and the airline charges
 * no more, also where it refuses one of the messages. Its books show one change for each message that it took, in the order of travel.
 */

import { openWindow, START, type Window } from '../../ota/against-sandbox/window.ts';
import { networkOf, ROUTES, type World } from '../../ota/against-sandbox/worlds.ts';
import { HOUR, openDesk, rebooksInto, soldIn } from './quoted.ts';
import type { Told } from './rebooked.ts';

export type ConnectionTally = ReturnType<typeof emptyConnectionTally>;

export function emptyConnectionTally() {
  return {
    /** Asked about; of them all flights changed, stopped half-way, and stopped at the first. */
    ...{ asked: 0, whole: 0, halfway: 0, none: 0 },
    /** Messages that the airline took. */
    messages: 0,
    /** Connections for which no offer fits, or is permitted. */
    unfit: 0,
    unbounded: 0,
    differences: [] as string[],
  };
}

const CONNECTION = ROUTES.airline.findIndex(([from, to]) => from === 'BOM' && to === 'CDG');

/** Every booking of an airline is sold as a connection, and changed. */
export async function changeConnections(tally: ConnectionTally, world: World): Promise<void> {
  const window = await openWindow('airline', networkOf(world), world.forms, rebooksInto(world));
  try {
    const desk = await openDesk(window, 'airline');
    for (const [i, one] of world.bookings.entries()) {
      window.setClock(START);
      const sold = await soldIn(window, 'airline', { ...one, route: CONNECTION, offers: one.offers.slice(0, 1) });
      if (sold === undefined) continue;
      window.setClock(sold.departs - Math.max(25, ...one.hours) * HOUR);
      await change(tally, window, desk, { locator: sold.locator, bits: (one.cuts[0]?.bits ?? 0) + i });
    }
    await desk.close();
  } finally {
    await window.close();
  }
}

async function change(
  tally: ConnectionTally,
  window: Window,
  desk: Awaited<ReturnType<typeof openDesk>>,
  { locator, bits }: { readonly locator: string; readonly bits: number },
): Promise<void> {
  const flights = async () => (await window.airline.read(locator)).options.flatMap(({ segments }) => segments);
  const before = await flights();
  const search = { instead_of: { locator, segment_ref: before[bits % before.length]?.ref }, max_results: 50 };
  const { offers = [], common } = ((await desk.call('search_fares', search)) as { structured?: Told }).structured ?? {};
  const told = offers.map((offer) => ({ ...offer, change: { ...common?.change, ...offer.change } }));
  const fitting = told.filter(({ change }) => change.not_rebooked === undefined);
  const offer = fitting[bits % Math.max(1, fitting.length)];
  if (offer === undefined) {
    tally.unfit += 1;
    return;
  }
  const args = { locator, segment_ref: before[0]?.ref, offer_id: offer.offer_id };
  const differ = (what: string) => tally.differences.push(`${locator} ${JSON.stringify(args)}: ${what}`);
  const proposed = await desk.call('propose_plan', { steps: [{ tool: 'rebook_segment', arguments: args }] });
  const { plan_id } = (proposed as { structured?: { plan_id?: string } }).structured ?? {};
  const asked = await desk.call('run_plan', { plan_id });
  if (asked.kind !== 'ask') {
    differ(`was not asked: ${JSON.stringify(asked)}`);
    return;
  }
  tally.asked += 1;
  const sum = /^Costs at most [A-Z]{3} (\S+)\.$/m.exec(asked.message.replaceAll(',', ''))?.[1];
  if (Number(sum ?? 0) !== Number(offer.change.pays_at_most ?? 0))
    differ(`the search said ${offer.change.pays_at_most}, the question ${sum}`);
  if (offer.change.pays_at_most === undefined) tally.unbounded += 1;
  const ledger = () => window.sandbox.ledger().filter((one) => one.locator === locator);
  const earlier = ledger().length;
  // One of three: the airline refuses the first message, the second, or none.
  const nth = bits % 3;
  if (nth > 0) window.sandbox.order({ message: 'OTA_AirBookModifyRQ', kind: '4xx-before', nth });
  await desk.yes('run_plan', { plan_id }, asked);
  const events = ledger().slice(earlier);
  const changed = events.filter(({ event }) => event === 'rebooked').length;
  const charged = events.flatMap(({ event, amount }) => (event === 'paid' && amount ? [amount.minor] : []));
  const operations = (await desk.state.operations.list({ locator })).filter(({ tool }) => tool === 'rebook_segment');
  const done = operations.filter(({ state }) => state === 'succeeded');
  const total = (amounts: readonly (number | undefined)[]) => amounts.reduce<number>((all, one) => all + (one ?? 0), 0);
  tally.messages += changed;
  const expected = Math.min(nth === 0 ? 2 : nth - 1, fewest(asked.message));
  if (changed !== expected || done.length !== changed)
    differ(`${changed} of ${expected} messages: ${done.length} done`);
  if (total(charged) !== total(done.map(({ outcome }) => outcome?.charge?.amount.minor)))
    differ(`charged ${charged}, and the operations say otherwise`);
  const bound = total(done.map(({ amount }) => amount?.minor));
  if (done.every(({ amount }) => amount !== undefined) && total(charged) > bound)
    differ(`charged ${total(charged)}, of at most ${bound}`);
  const after = await flights();
  const differing = after.filter((one) => {
    const old = before.find(({ from, to }) => from === one.from && to === one.to);
    return JSON.stringify(flightOf(old)) !== JSON.stringify(flightOf(one));
  });
  if (differing.length !== changed) differ(`${changed} messages were taken, and ${differing.length} flights changed`);
  tally[changed === 0 ? 'none' : expected < fewest(asked.message) ? 'halfway' : 'whole'] += 1;
}

const flightOf = (one: Segments[number] | undefined) => [one?.flightNumber, one?.departs, one?.bookingClass];

type Segments = Awaited<ReturnType<Window['airline']['read']>>['options'][number]['segments'];

/** How many messages the question is about. */
const fewest = (message: string) => /^1\. .*$/m.exec(message)?.[0].match(/Change flight /g)?.length ?? 0;
