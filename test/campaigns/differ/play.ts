/** One trip, from the search to the question about the payment: alone, and in a plan. */
import type { Ask } from '../support/office.ts';
import type { Answer, Person } from './desk.ts';
import type { Wish } from './trips.ts';

/** What a person or a model reads of a call: its lines, and whether it was refused. */
export interface Seen {
  readonly lines: readonly string[];
  readonly refused: boolean;
  readonly structured?: Readonly<Record<string, unknown>>;
}

/**
 * Where something is seen: of the search, of the hold, of the question about its payment, alone and in a plan, and of a plan that
 * holds and pays by itself; and the places of a whole trip.
 */
export type Place = string;

/** What is seen at each place. Absent: the trip did not come so far, or is another one. */
export type Played = Readonly<Partial<Record<Place, Seen>>>;

/** Names that the clerk draws, which differ each time: of operations, approvals, offers and plans. */
const DRAWN = /\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b|\b(?:ap|pl)_[\w-]+|^o[a-z\d]{6,8}\b/gm;

const linesOf = (text: string) => text.replace(DRAWN, '…').split('\n');

export function seenIn(answer: Answer): Seen {
  if (answer.kind === 'result') {
    const { text, structured, isError } = answer;
    return { lines: linesOf(text), refused: isError, structured };
  }
  return { lines: linesOf(answer.message), refused: false };
}

/** One offer for the trip, or the first of each leg. */
export function chosen(offers: readonly { readonly offer_id: string; readonly leg?: number }[]): readonly string[] {
  const byLeg = Map.groupBy(offers, ({ leg }) => leg ?? 0);
  return [...byLeg.keys()].toSorted((a, b) => a - b).flatMap((leg) => byLeg.get(leg)?.[0]?.offer_id ?? []);
}

/** @param inPlan whether a plan of it is proposed too, which asks the same */
export async function play(
  person: Person,
  { search: searchArgs, hold: holdArgs, moves, adds }: Wish,
  inPlan = true,
): Promise<Played> {
  const search = seenIn(await person.call('search_fares', searchArgs));
  const offers = (search.structured?.offers ?? []) as Parameters<typeof chosen>[0];
  if (search.refused || offers.length === 0) return { search: { ...search, refused: true } };
  if (moves !== undefined) return { search, move: await moved(person, moves, chosen(offers)) };
  const hold = seenIn(await person.call('create_booking', { offer_ids: chosen(offers), ...holdArgs }));
  const locator = (hold.structured?.booking as { readonly locator?: string } | undefined)?.locator;
  if (hold.refused || locator === undefined) return { search, hold: { ...hold, refused: true } };
  if (adds !== undefined) await added(person, { locator, passenger_ref: secondPassenger(hold), ...adds });
  const pay = { locator, payment: { type: 'external' } };
  const asked = await person.call('pay_booking', pay);
  const question = seenIn(asked);
  const played = { search, hold, question: { ...question, refused: asked.kind !== 'ask' } };
  return inPlan ? { ...played, plan: await planned(person, pay) } : played;
}

function secondPassenger({ structured }: Seen): string | undefined {
  const booking = structured?.booking as { readonly passengers: readonly { readonly ref: string }[] } | undefined;
  return booking?.passengers[1]?.ref;
}

async function added(person: Person, args: object): Promise<void> {
  const asked = await person.call('request_service', args);
  if (asked.kind !== 'ask') throw new Error(`no service: ${JSON.stringify(asked)}`);
  const done = await person.yes('request_service', args, asked);
  if (done.kind !== 'result' || done.isError) throw new Error(`no service: ${JSON.stringify(done)}`);
}

async function planned(person: Person, pay: object): Promise<Seen> {
  const { id, answer } = await proposed(person, 'pay_booking', pay);
  if (id === undefined) return { ...seenIn(answer), refused: true };
  const asked = await person.call('run_plan', { plan_id: id });
  return { ...seenIn(asked), refused: asked.kind !== 'ask' };
}

/** Proposes a plan of one act. Without an id, it was refused. */
export async function proposed(
  person: Person,
  tool: string,
  args: object,
): Promise<{ readonly id: string | undefined; readonly answer: Answer }> {
  const answer = await person.call('propose_plan', { steps: [{ tool, arguments: args }] });
  const id = answer.kind === 'result' ? answer.structured.plan_id : undefined;
  return { id: id === undefined ? undefined : String(id), answer };
}

/** One yes holds the offers for the passengers of a paid booking, and pays. Refused: nothing was paid without another question. */
async function moved(person: Person, locator: string, offerIds: readonly string[]): Promise<Seen> {
  const move = { locator, offer_ids: offerIds, payment: { type: 'external' } };
  const { id, answer } = await proposed(person, 'move_party', move);
  if (id === undefined) return { ...seenIn(answer), refused: true };
  const asked = await person.call('run_plan', { plan_id: id });
  if (asked.kind !== 'ask') return { ...seenIn(asked), refused: true };
  return { ...seenIn(await carriedOut(person, { plan_id: id }, asked)), refused: !person.hasPaid() };
}

/** Says yes to a plan, and looks how far it is until it ends. One whose outcome stays unknown is looked at so often, and counts as refused. */
export async function carriedOut(person: Person, args: object, asked: Ask): Promise<Answer> {
  let answer = await person.yes('run_plan', args, asked, AbortSignal.timeout(LOOK_MS));
  for (let looks = 1; isRunning(answer); looks += 1) {
    if (looks === MOST_LOOKS) return { ...answer, isError: true } as Answer;
    answer = await person.call('run_plan', args, AbortSignal.timeout(LOOK_MS));
  }
  return answer;
}

const LOOK_MS = 10;
const MOST_LOOKS = 200;

function isRunning(answer: Answer): boolean {
  const { plan } = (answer.kind === 'result' ? answer.structured : {}) as {
    readonly plan?: { readonly state: string };
  };
  return plan?.state === 'running';
}
