/**
 * What a search says a change costs is what the terms say, to the minor unit, or what a quote of the cancellation says, after two requests
 * to the airline. Rebooks for good, and compares what the airline really charges with the "at most" that the person said yes to. An airline
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
  /** Bookings of which a search said what the change costs; of them those with a sum of a new booking instead. */
  told: number;
  anew: number;
  /** Of a cheaper fare, of which something may come back. */
  cheaper: number;
  /** Of an offer that is what the booking has already. */
  already: number;
  /** "At most" as a multiple of what was charged, where the parts of the old price are shown. */
  readonly bounds: number[];
  readonly differences: string[];
}

interface RebookDesk {
  readonly state: State;
  readonly at: { requests: number };
  call(tool: string, args: object): Promise<Answer>;
  yes(tool: string, args: object, answer: Answer): Promise<Answer>;
}

/**
 * The first segment of a paid booking goes to the same route on one of the days after it; if `toOwnFlight`, on its own day to the
 * flight and class that the booking has already.
 */
export async function rebookWithin(tally: RebookTally, window: Window, desk: RebookDesk, sold: Sold): Promise<void> {
  const { locator, passengers, bits, toOwnFlight } = sold;
  const before = await window.airline.read(locator);
  const [old, ...others] = before.options[0]?.segments ?? [];
  // All flights of a connection change by a plan: connections.ts.
  if (old === undefined || others.length > 0) return;
  const later = new Date(Date.parse(old.departs) + (1 + (bits % 3)) * 86_400_000).toISOString();
  const date = (toOwnFlight ? old.departs : later).slice(0, 10);
  // What the booking says may be given too.
  const given = bits % 2 === 0 ? { legs: [{ date }] } : { legs: [{ from: old.from, to: old.to, date }], passengers };
  desk.at.requests = 0;
  const instead = { locator, segment_ref: old.ref };
  const found = await desk.call('search_fares', { instead_of: instead, max_results: 50, ...given });
  const requests = desk.at.requests;
  const { offers = [], common } = (found as { structured?: Told }).structured ?? {};
  const offer = toOwnFlight ? offers.find((one) => isOfFlight(old, one, common)) : offers[bits % offers.length];
  if (offer === undefined) return;
  const change = { ...common?.change, ...offer.change };
  const args = { locator, segment_ref: old.ref, offer_id: offer.offer_id };
  const paid = () => window.sandbox.ledger().filter((one) => one.event === 'paid' && one.locator === locator);
  const earlier = paid().length;
  const asked = await desk.call('rebook_segment', args);
  const differ = (what: string) => tally.differences.push(`${locator} ${JSON.stringify(args)}: ${what}`);
  if (toOwnFlight && asked.kind === 'ask') differ('the terms offer the flight and class that the booking has already');
  if (requests > 2) differ(`a search with instead_of asked the airline ${requests} times`);
  const refs = [old.ref];
  const quote = await desk.call('quote_cancellation', { locator, segment_refs: refs });
  for (const what of differencesOf(change, offer, asked, quote)) differ(`${what}: ${JSON.stringify([change, asked])}`);
  tally.told += 1;
  if (change.anew?.costs_at_most !== undefined) tally.anew += 1;
  if (Number(change.gets_back_at_most ?? 0) > 0) tally.cheaper += 1;
  if (isAlready(asked)) tally.already += 1;
  const known = (await desk.state.operations.list({ locator })).map(({ id }) => id);
  if (asked.kind === 'ask') await desk.yes('rebook_segment', args, asked);
  const entered = (await desk.state.operations.list({ locator })).filter(({ id }) => !known.includes(id));
  const done = entered.filter(({ tool, state }) => tool === 'rebook_segment' && state === 'succeeded');
  const [operation] = done;
  if (operation === undefined) {
    tally.rebookRefused += 1;
    return;
  }
  tally.rebooked += 1;
  const charged = paid()
    .slice(earlier)
    .reduce((sum, { amount }) => sum + (amount?.minor ?? 0), 0);
  const total = (amounts: readonly (number | undefined)[]) => amounts.reduce<number>((all, one) => all + (one ?? 0), 0);
  const most = done.every(({ amount }) => amount !== undefined)
    ? total(done.map(({ amount }) => amount?.minor))
    : undefined;
  const told = total(done.map(({ outcome }) => outcome?.charge?.amount.minor));
  const { wanted } = operation.subject as unknown as { readonly wanted: { readonly bookingClass?: string } };
  const after = await window.airline.read(locator);
  const isAsked = after.options.some(({ segments }) =>
    segments.some(
      (one) => one.departs.slice(0, 10) === date && one.from === old.from && one.bookingClass === wanted.bookingClass,
    ),
  );
  if (told !== charged) differ(`the airline charged ${charged}, and the operations say ${told}`);
  if (charged > 0) tally.charged += 1;
  if (most === undefined) tally.unbounded += 1;
  else if (isAsked && charged > most) differ(`charged ${charged}, of at most ${most}`);
  else if (isAsked && charged > 0 && showsParts(before, refs)) tally.bounds.push(most / charged);
}

/** Whether each type of passenger has a price row for these segments alone, with its fees. */
function showsParts({ pricing, travelers }: Reading, refs: readonly string[]): boolean {
  const rows = (pricing?.perType ?? []).filter(
    ({ segmentRefs }) => segmentRefs.length > 0 && segmentRefs.every((ref) => refs.includes(ref)),
  );
  return travelers.every(({ type }) => rows.some((row) => row.type === type && row.price !== undefined));
}

type Reading = Awaited<ReturnType<Window['airline']['read']>>;

interface ToldChange {
  readonly pays_at_most?: string;
  readonly gets_back_at_most?: string;
  readonly rule?: string;
  readonly not_rebooked?: string;
  readonly anew?: {
    readonly gets_back?: string;
    readonly between?: object;
    readonly costs_at_most?: string;
    readonly refund_condition?: object;
  };
}

interface ToldOffer {
  readonly offer_id: string;
  readonly total: string;
  readonly legs: readonly { readonly departs?: string; readonly class?: string }[];
  readonly change?: ToldChange;
}

/** Of a search with instead_of. */
export interface Told {
  readonly offers?: readonly ToldOffer[];
  readonly common?: ToldCommon;
}

interface ToldCommon {
  readonly change?: ToldChange;
  /** What all offers have alike: in every leg, or in the one at its place. */
  readonly class?: string;
  readonly legs?: readonly { readonly class?: string }[];
}

/** Whether the offer is the flight and class of the segment. */
function isOfFlight(
  { departs, bookingClass }: Reading['options'][number]['segments'][number],
  { legs: [leg] }: ToldOffer,
  common: ToldCommon = {},
): boolean {
  const offered = leg?.class ?? common.legs?.[0]?.class ?? common.class;
  return Date.parse(leg?.departs ?? '') === Date.parse(departs) && offered === bookingClass;
}

/** Whether the terms refuse an offer because it is the flight and class that the booking has. */
function isAlready(asked: Answer): boolean {
  const { error } = (asked as { structured?: { readonly error?: { readonly code: string } } }).structured ?? {};
  return error?.code === 'E_ALREADY_DONE';
}

/** Of what was said before, in what the terms and the quote say. */
const CHEAPER = /At most [A-Z]{3} (\S+) is given up: the new fare can be cheaper/;

const minor = (text = '0') => Math.round(Number(text) * 1000);

function differencesOf(told: ToldChange, { total }: ToldOffer, asked: Answer, quote: Answer): readonly string[] {
  const found: string[] = [];
  const isRefused = told.not_rebooked !== undefined;
  if (isRefused !== (asked.kind !== 'ask')) found.push('the terms say otherwise whether it can be rebooked');
  if (asked.kind === 'ask') {
    const plain = asked.message.replaceAll(',', '');
    const amount = (words: RegExp) => words.exec(plain)?.[1];
    const rules = [...plain.matchAll(/^Change rule: (.*)$/gm)].map(([, rule]) => rule ?? '');
    const isOfSeveral = /^2\. Change /m.test(plain);
    const ofEach = [...plain.matchAll(/^\d+\. Change .* at most [A-Z]{3} (\S+)\.$/gm)].map(([, sum]) => sum ?? '');
    // A sum of nothing is said of each flight alone.
    const ofAll = ofEach.every((sum) => Number(sum) === 0) ? ofEach[0] : amount(/^Costs at most [A-Z]{3} (\S+)\.$/m);
    const terms = [
      isOfSeveral ? ofAll : amount(/comes to [A-Z]{3} (\S+) at most/),
      isOfSeveral ? undefined : amount(CHEAPER),
      // A search says it of each flight of a connection behind its route.
      isOfSeveral ? undefined : rules[0],
    ];
    const said = told.rule?.replaceAll(',', '');
    if (isOfSeveral && rules.some((rule) => said?.includes(`: ${rule}`) !== true))
      found.push(`the terms say ${JSON.stringify(rules)}`);
    const back = Number(told.gets_back_at_most ?? 0) > 0 ? told.gets_back_at_most : undefined;
    const backOfAll = [...plain.matchAll(new RegExp(CHEAPER, 'g'))].reduce((sum, [, text]) => sum + minor(text), 0);
    if (isOfSeveral && backOfAll !== minor(back)) found.push(`the terms say ${backOfAll}, in thousandths, comes back`);
    const ours = [told.pays_at_most, isOfSeveral ? undefined : back, isOfSeveral ? undefined : said];
    if (JSON.stringify(ours) !== JSON.stringify(terms)) found.push(`the terms say ${JSON.stringify(terms)}`);
  }
  const ways = [told.pays_at_most, told.anew].filter((way) => way !== undefined);
  // What the booking has already costs nothing, and is not booked anew.
  if (ways.length !== (isAlready(asked) ? 0 : 1)) found.push('one way alone has a sum');
  const { refund_now: back, between } = (quote as { structured?: Record<string, unknown> }).structured ?? {};
  const { anew } = told;
  if (anew === undefined) return found;
  if (anew.gets_back !== back || JSON.stringify(anew.between) !== JSON.stringify(between))
    found.push('the quote says otherwise what comes back');
  const least = anew.gets_back ?? (between as { at_least?: string } | undefined)?.at_least;
  if (anew.costs_at_most !== undefined && minor(anew.costs_at_most) !== minor(total) - minor(least))
    found.push('the sums of a new booking do not add up');
  return found;
}

interface Sold {
  readonly locator: string;
  readonly passengers: BookingCase['passengers'];
  /** Which offer, and which day. */
  readonly bits: number;
  readonly toOwnFlight: boolean;
}
