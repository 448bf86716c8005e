/**
 * All flights of a connection in another class or on another day, as a line of a plan: one message for each flight, stopped at the
 * first that is not done. Results say what the airline's own books say, and nothing is sent twice.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { keyedDigest } from '../../../src/approvals/digest.ts';
import { addDays } from '../../../src/core/times.ts';
import { compareReading } from '../../../src/watching/store-findings.ts';
import { CONTACT, newPassenger } from '../../support/people.ts';
import { ACTS } from '../../support/rules.ts';
import { deviations, OWN } from '../../support/sandbox/deviations.ts';
import { connectionOffer, flightsOf, type Offered, ticketedBooking } from './bookings.ts';
import { accept, CALLER, type Desk, type DeskOptions, errorOf, failures, openDesk, PAY, type Result } from './desk.ts';

const MODIFY = 'OTA_AirBookModifyRQ';
/** Rules with amounts: without them nothing bounds what a change costs. */
const RULED = deviations(...OWN.airline, 'structuredRules');

let open: Desk | undefined;

async function airline(options: DeskOptions = {}): Promise<Desk> {
  open = await openDesk({ sandbox: { dialect: 'airline', rewrite: RULED }, ...options });
  return open;
}

afterEach(async () => {
  await open?.close();
  open = undefined;
  expect(failures.splice(0)).toEqual([]);
});

type Found = Awaited<ReturnType<Desk['parts']['airline']['searchFares']>>;

/** The same fares at other prices. */
function dearer(found: Found, minor = 1_000): Found {
  const offers = found.offers.map((offer) => {
    const total = offer.pricing.total;
    const raised = total && {
      ...total,
      base: { ...total.base, minor: total.base.minor + minor },
      total: { ...total.total, minor: total.total.minor + minor },
    };
    return { ...offer, pricing: { ...offer.pricing, total: raised } };
  });
  return { ...found, offers } as Found;
}

const money = (amount: number) => `AED ${amount.toLocaleString('en', { minimumFractionDigits: 2 })}`;

/** A paid connection in economy for two, and an offer of the same flights in another class, or of two flights so many days later. */
async function connection(desk: Desk, days = 0) {
  const { date, offer: cheap } = await connectionOffer(desk, 2);
  const made = await desk.result('create_booking', {
    ...{ offer_ids: [cheap.offer_id], contact: CONTACT },
    passengers: [newPassenger({}, desk.sandbox.now()), newPassenger({}, desk.sandbox.now())],
  });
  if (made.isError) throw new Error(made.text);
  const { locator } = made.structured.booking as { locator: string };
  await desk.say('pay_booking', { locator, ...PAY }, accept);
  const again = await desk.result('search_fares', {
    ...{ instead_of: { locator, segment_ref: '1' }, legs: [{ date: addDays(date, days) }], max_results: 50 },
  });
  const fits = ((again.structured.offers ?? []) as Offered[]).find(
    (one) =>
      (days === 0 ? flightsOf(one) === flightsOf(cheap) : flightsOf(one).split(' ').length === 2) &&
      one.change?.pays_at_most !== undefined,
  );
  if (fits === undefined) throw new Error(again.text);
  return { locator, offer: fits, text: again.text, args: { locator, segment_ref: '1', offer_id: fits.offer_id } };
}

const classOf = ({ legs }: Offered) => legs[0]?.class ?? '';

const classes = async (desk: Desk, locator: string) => {
  const { options } = await desk.parts.airline.read(locator);
  return options.flatMap(({ segments }) => segments.map(({ bookingClass }) => bookingClass)).join('');
};

const rebooked = (desk: Desk) => desk.acts().filter((event) => event === 'rebooked').length;

/** What the airline charged for the changes, minor units. */
const paidFor = (desk: Desk, locator: string) =>
  desk.sandbox
    .ledger()
    .filter((one) => one.event === 'paid' && one.locator === locator)
    .slice(1)
    .reduce((sum, { amount }) => sum + (amount?.minor ?? 0), 0);

const changesOf = async (desk: Desk, locator: string) =>
  (await desk.parts.state.operations.list({ locator })).filter(({ tool }) => tool === 'rebook_segment').toReversed();

/** What watching tells of the booking now, that is new since the last time. */
async function findings(desk: Desk, locator: string) {
  const { state } = desk.parts;
  const comparer = { acts: ACTS, state, rules: {}, digest: (text: string) => keyedDigest(state.digestKey, text) };
  const booking = await desk.parts.airline.read(locator);
  return (await compareReading(comparer, CALLER, booking, { begunAt: Date.now() })).found;
}

/** Proposes the change of the connection as a plan, and asks about it in a dialog. */
async function askInPlan(desk: Desk, args: object) {
  const proposed = await desk.result('propose_plan', { steps: [{ tool: 'rebook_segment', arguments: args }] });
  const plan_id = String(proposed.structured.plan_id);
  return { plan_id, proposed: proposed.text, ...(await desk.ask('run_plan', { plan_id })) };
}

const lineOf = ({ structured }: Result) =>
  (structured.plan as { lines: readonly { state: string; why?: string; sums?: string[] }[] }).lines[0];

/** Follows the plan until it ends, as a model does. */
async function untilEnded(desk: Desk, plan_id: string, first: Result): Promise<Result> {
  let last = first;
  await expect
    .poll(
      async () => {
        if (last.structured.status !== 'pending') return 'ended';
        await desk.parts.journal.reconcile();
        last = await desk.result('run_plan', { plan_id });
        return last.structured.status === 'pending' ? 'pending' : 'ended';
      },
      { timeout: 8_000 },
    )
    .toBe('ended');
  return last;
}

test('asks once, changes both flights, and tells what was paid', async () => {
  const desk = await airline();
  const { locator, args, offer, text } = await connection(desk);
  expect(text).toMatch(/change: at most AED [\d,.]+ to pay/);
  expect(await findings(desk, locator)).toEqual([]);
  const alone = await desk.result('rebook_segment', args);
  expect(errorOf(alone)).toMatchObject({ code: 'E_INPUT', next: expect.stringContaining('propose_plan') });
  const question = await askInPlan(desk, args);
  const atMost = Number(offer.change?.pays_at_most);
  expect(question.proposed).toContain(`A plan of 1 line: costs at most ${money(atMost)}`);
  expect(question.message).toContain(`Costs at most ${money(atMost)}.`);
  expect(question.message).toContain('BOM-DXB as changed, and DXB-CDG as it was');
  expect(question.message).toContain(`Rebook connection: ${locator}`);
  const done = await question.yes();
  const charged = paidFor(desk, locator);
  expect(done.structured.status).toBe('done');
  expect(lineOf(done)?.sums).toEqual([`${money(charged / 100)} was paid`]);
  expect(charged).toBeLessThanOrEqual(atMost * 100);
  expect([await classes(desk, locator), rebooked(desk)]).toEqual([classOf(offer).repeat(2), 2]);
  expect(await findings(desk, locator)).toEqual([]);
  const changes = await changesOf(desk, locator);
  expect(changes.map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
  expect(new Set(changes.map(({ plan }) => plan)).size).toBe(1);
  // Told again, and not sent again.
  await desk.result('run_plan', { plan_id: question.plan_id });
  expect(rebooked(desk)).toBe(2);
  const anew = await desk.result('rebook_segment', args);
  expect(errorOf(anew)).toMatchObject({ code: 'E_ALREADY_DONE' });
});

test.each([
  [2, 'DXB-CDG as changed, and BOM-DXB as it was'],
  [-2, 'BOM-DXB as changed, and DXB-CDG as it was'],
])('moves %i days in the order in which no flight arrives after the next one departs', async (days, halfway) => {
  const desk = await airline();
  const { locator, args, offer } = await connection(desk, days);
  const question = await askInPlan(desk, args);
  expect(question.message).toContain(halfway);
  const done = await question.yes();
  expect(done.structured).toMatchObject({ status: 'done' });
  const { options } = await desk.parts.airline.read(locator);
  expect(options.flatMap(({ segments }) => segments.map(({ departs }) => departs.slice(0, 10)))).toEqual(
    offer.legs.flatMap(({ segments = [] }) => segments.map(({ departs }) => departs.slice(0, 10))),
  );
  expect(rebooked(desk)).toBe(2);
  expect(await findings(desk, locator)).toEqual([]);
});

test('is changed with the way back by one question, to an offer of the whole trip', async () => {
  const desk = await openDesk();
  open = desk;
  const locator = await ticketedBooking(desk);
  const { options } = await desk.parts.airline.read(locator);
  const legs = options.flatMap(({ segments }) =>
    segments.map(({ from, to, departs }) => ({ from, to, date: departs.slice(0, 10) })),
  );
  const found = await desk.result('search_fares', { legs, passengers: { adults: 2 }, booking_classes: ['Y'] });
  const [offer] = (found.structured.offers ?? []) as Offered[];
  if (offer === undefined) throw new Error(found.text);
  const question = await askInPlan(desk, { locator, segment_ref: '1', offer_id: offer.offer_id });
  expect(question.message).toContain(`Rebook trip: ${locator}`);
  const done = await question.yes();
  expect(done.structured).toMatchObject({ status: 'done' });
  expect(await classes(desk, locator)).toBe('YY');
  expect(rebooked(desk)).toBe(2);
});

describe('stopped half-way', () => {
  /** What happens to a message, and what becomes of its flight. */
  const FAULTS = {
    refused: { kind: '4xx-before', isDone: false },
    'lost on its way': { kind: 'lose-before', isDone: false },
    'done, and its answer lost': { kind: 'commit-then-lose', isDone: true },
  } as const;

  test.each([1, 2].flatMap((nth) => Object.entries(FAULTS).map(([what, fault]) => ({ what, nth, ...fault }))))(
    'message $nth $what: the result says so, a reading settles it, and nothing is sent twice',
    async ({ kind, nth, isDone }) => {
      const desk = await airline({ settleMs: 240, answerMs: 1_500 });
      const { locator, args, offer } = await connection(desk);
      await findings(desk, locator);
      const question = await askInPlan(desk, args);
      desk.sandbox.order({ message: MODIFY, kind, nth });
      const told = await untilEnded(desk, question.plan_id, await question.yes());
      const done = isDone ? 2 : nth - 1;
      const wanted = classOf(offer);
      expect(rebooked(desk)).toBe(done);
      expect(await findings(desk, locator)).toEqual([]);
      const [old = ''] = (await classes(desk, locator)).replaceAll(wanted, '');
      expect(await classes(desk, locator)).toBe(`${wanted.repeat(done)}${old.repeat(2 - done)}`);
      expect(paidFor(desk, locator)).toBeLessThanOrEqual(Number(offer.change?.pays_at_most) * 100);
      expect(lineOf(told)?.state).toBe(done === 2 ? 'done' : done === 1 ? 'partly_done' : 'skipped');
      if (done === 1) expect(lineOf(told)?.why).toMatch(/^Done: Change flight ZQ\d+ .+\. NOT done: Change flight ZQ/);
      if (done === 2) return;
      // The plan asks again only for what is left.
      const rest = await desk.ask('run_plan', { plan_id: question.plan_id, again: true });
      expect(rest.message.match(/Change flight/g)).toHaveLength(2 - done);
      const rested = await untilEnded(desk, question.plan_id, await rest.yes());
      expect(lineOf(rested)?.state).toBe('done');
      expect([await classes(desk, locator), rebooked(desk)]).toEqual([wanted.repeat(2), 2]);
    },
  );

  test.each([1, 2])('message %i at another price than was approved is not sent', async (nth) => {
    let isDearer = false;
    const desk = await airline({
      before: (adapter) => ({
        ...adapter,
        async searchFares(...query) {
          const found = await adapter.searchFares(...query);
          return isDearer ? dearer(found) : found;
        },
        async modify(confirmed) {
          const reply = await adapter.modify(confirmed);
          isDearer = true;
          return reply;
        },
      }),
    });
    const { locator, args, offer } = await connection(desk);
    const question = await askInPlan(desk, args);
    isDearer = nth === 1;
    const told = await question.yes();
    expect(rebooked(desk)).toBe(nth - 1);
    expect(lineOf(told)?.state).toBe(nth === 1 ? 'skipped' : 'partly_done');
    expect((await classes(desk, locator)).endsWith(classOf(offer))).toBe(false);
    const changes = await changesOf(desk, locator);
    expect(changes.filter(({ dispatchedAt }) => dispatchedAt !== undefined)).toHaveLength(nth - 1);
  });

  test('a message that was charged above what was approved is the last', async () => {
    // The airline shows lower fares than it takes.
    const desk = await airline({
      before: (adapter) => ({
        ...adapter,
        searchFares: async (...query) => dearer(await adapter.searchFares(...query), -20_000),
      }),
    });
    const { locator, args } = await connection(desk);
    const told = await (await askInPlan(desk, args)).yes();
    expect(rebooked(desk)).toBe(1);
    expect(lineOf(told)?.why).toMatch(/^Done: .+ The airline charged more for the step before it/);
    const [first, ...others] = await changesOf(desk, locator);
    expect(others).toEqual([]);
    expect(first?.outcome?.charge?.amount.minor).toBeGreaterThan(first?.amount?.minor ?? 0);
  });
});
