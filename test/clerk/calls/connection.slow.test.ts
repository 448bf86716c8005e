/**
 * All flights of a connection in another class or on another day, with one question: one message for each flight, stopped at the
 * first that is not done. Results say what the airline's own books say, and nothing is sent twice.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { keyedDigest } from '../../../src/approvals/digest.ts';
import { addDays } from '../../../src/core/times.ts';
import { CATALOG } from '../../../src/tools/index.ts';
import { compareReading } from '../../../src/watching/store-findings.ts';
import { CONTACT, newPassenger } from '../../support/people.ts';
import { ACTS } from '../../support/rules.ts';
import { deviations, OWN } from '../../support/sandbox/deviations.ts';
import { connectionOffer, flightsOf, type Offered, ticketedBooking } from './bookings.ts';
import {
  accept,
  CALLER,
  type Desk,
  type DeskOptions,
  errorOf,
  failures,
  handleOf,
  openDesk,
  PAY,
  type Result,
} from './desk.ts';

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

/** Goes on with the same call until it ends, as a model does. */
async function untilEnded(desk: Desk, args: object, first: Result): Promise<Result> {
  const approval_id = handleOf(first);
  let last = first;
  await expect
    .poll(
      async () => {
        if (last.structured.status !== 'pending') return 'ended';
        await desk.parts.journal.reconcile();
        last = await desk.result('rebook_segment', { ...args, approval_id });
        return last.structured.status === 'pending' ? 'pending' : 'ended';
      },
      { timeout: 8_000 },
    )
    .toBe('ended');
  return last;
}

const PLANS_OFF = CATALOG.filter(({ toolset }) => toolset !== 'plans');

test('asks once, changes both flights, and tells what was paid, where plans are off too', async () => {
  const desk = await airline({ tools: PLANS_OFF });
  const { locator, args, offer, text } = await connection(desk);
  expect(text).toMatch(/change: at most AED [\d,.]+ to pay/);
  expect(await findings(desk, locator)).toEqual([]);
  const question = await desk.ask('rebook_segment', args);
  const atMost = Number(offer.change?.pays_at_most);
  expect(question.message).toContain(`Costs at most ${money(atMost)}.`);
  expect(question.message).toContain('BOM-DXB as changed, and DXB-CDG as it was');
  expect(question.act).toBe(`Rebook connection: ${locator} (segments 1 and 2), at most ${money(atMost)}`);
  const done = await question.yes();
  const charged = paidFor(desk, locator);
  expect(done.structured).toMatchObject({ status: 'done', money: { charged: { amount: (charged / 100).toFixed(2) } } });
  expect(charged).toBeLessThanOrEqual(atMost * 100);
  expect([await classes(desk, locator), rebooked(desk)]).toEqual([classOf(offer).repeat(2), 2]);
  expect(await findings(desk, locator)).toEqual([]);
  const changes = await changesOf(desk, locator);
  expect(changes.map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
  expect(new Set(changes.map(({ plan }) => plan)).size).toBe(1);
  // Told again, and not sent again.
  const again = await desk.result('rebook_segment', { ...args, approval_id: String(done.meta?.approval_id) });
  expect([again.structured.status, rebooked(desk)]).toEqual(['already_done', 2]);
  const anew = await desk.result('rebook_segment', args);
  expect(errorOf(anew)).toMatchObject({ code: 'E_ALREADY_DONE' });
});

test.each([
  [2, 'DXB-CDG as changed, and BOM-DXB as it was'],
  [-2, 'BOM-DXB as changed, and DXB-CDG as it was'],
])('moves %i days in the order in which no flight arrives after the next one departs', async (days, halfway) => {
  const desk = await airline();
  const { locator, args, offer } = await connection(desk, days);
  const question = await desk.ask('rebook_segment', args);
  expect(question.message).toContain(halfway);
  expect(question.act).toContain(`Rebook connection: ${locator} (segments 1 and 2)`);
  const done = await question.yes();
  expect(done.structured).toMatchObject({ status: 'done' });
  const { options } = await desk.parts.airline.read(locator);
  expect(options.flatMap(({ segments }) => segments.map(({ departs }) => departs.slice(0, 10)))).toEqual(
    offer.legs.flatMap(({ segments = [] }) => segments.map(({ departs }) => departs.slice(0, 10))),
  );
  expect(rebooked(desk)).toBe(2);
  expect(await findings(desk, locator)).toEqual([]);
});

test('finds its open question for the same call, and takes a no', async () => {
  const desk = await airline();
  const { args } = await connection(desk);
  const first = await desk.ask('rebook_segment', args);
  const second = await desk.ask('rebook_segment', args);
  expect(second.handle).toBe(first.handle);
  const refused = await second.answer({ action: 'decline' });
  expect(errorOf(refused).code).toBe('E_APPROVAL_DECLINED');
  expect(rebooked(desk)).toBe(0);
});

test('is one line of a plan, which is stopped like any other', async () => {
  const desk = await airline({ page: { canOpen: () => true, open: async () => ({ opened: true }) } });
  const play = async (args: object) => {
    const proposed = await desk.result('propose_plan', { steps: [{ tool: 'rebook_segment', arguments: args }] });
    const plan_id = proposed.structured.plan_id as string;
    await desk.result('run_plan', { plan_id });
    const [question] = await desk.clerk.waiting();
    await desk.clerk.decide(question?.operationId ?? '', true, { assurance: 'page' });
    await expect.poll(async () => (await desk.clerk.plan(plan_id))?.state).toBe('over');
    return { proposed: proposed.text, told: (await desk.result('run_plan', { plan_id })).text };
  };
  const first = await connection(desk);
  const whole = await play(first.args);
  const atMost = Number(first.offer.change?.pays_at_most);
  expect(whole.proposed).toContain(`A plan of 1 line: costs at most ${money(atMost)}`);
  expect(whole.told).toMatch(/Rebook connection: \w+ \(segments 1 and 2\): done, AED/);
  expect(await classes(desk, first.locator)).toBe(classOf(first.offer).repeat(2));
  const second = await connection(desk);
  desk.sandbox.order({ message: MODIFY, kind: '4xx-before', nth: 2 });
  const half = await play(second.args);
  expect(half.told).toMatch(/partly done, AED [\d,.]+ was paid.* Done: Change flight .+ NOT done: Change flight/);
  expect(rebooked(desk)).toBe(3);
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
  const question = await desk.ask('rebook_segment', { locator, segment_ref: '1', offer_id: offer.offer_id });
  expect(question.act).toContain(`Rebook trip: ${locator} (segments 1 and 2)`);
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
      const desk = await airline({ settleMs: 240, tools: PLANS_OFF, answerMs: 1_500 });
      const { locator, args, offer } = await connection(desk);
      await findings(desk, locator);
      const question = await desk.ask('rebook_segment', args);
      desk.sandbox.order({ message: MODIFY, kind, nth });
      const told = await untilEnded(desk, args, await question.yes());
      const done = isDone ? 2 : nth - 1;
      const wanted = classOf(offer);
      expect(rebooked(desk)).toBe(done);
      expect(await findings(desk, locator)).toEqual([]);
      const [old = ''] = (await classes(desk, locator)).replaceAll(wanted, '');
      expect(await classes(desk, locator)).toBe(`${wanted.repeat(done)}${old.repeat(2 - done)}`);
      expect(paidFor(desk, locator)).toBeLessThanOrEqual(Number(offer.change?.pays_at_most) * 100);
      if (done === 2) expect(told.structured.status).toBe('done');
      else if (done === 1) {
        const { message, effect } = errorOf(told);
        expect(effect).toBe('unknown');
        expect(message).toMatch(/^PARTLY DONE\. Done: Change flight ZQ\d+ .+ was paid\)\. NOT done: Change flight ZQ/);
      } else expect(errorOf(told).message).not.toContain('PARTLY');
      if (done === 2) return;
      // The same call again asks only for what is left.
      const [left] = (await desk.parts.airline.read(locator)).options.flatMap(({ segments }) => segments).toReversed();
      const forTheRest = { ...args, segment_ref: left?.ref };
      const rest = await desk.ask('rebook_segment', forTheRest);
      expect(rest.message.match(/^\d\. Change flight/gm)).toHaveLength(2 - done);
      expect((await untilEnded(desk, forTheRest, await rest.yes())).structured.status).toBe('done');
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
    const question = await desk.ask('rebook_segment', args);
    isDearer = nth === 1;
    const told = await question.yes();
    expect(rebooked(desk)).toBe(nth - 1);
    expect(errorOf(told).message).toContain(nth === 1 ? 'changed' : 'PARTLY DONE');
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
    const told = await (await desk.ask('rebook_segment', args)).yes();
    expect(rebooked(desk)).toBe(1);
    expect(errorOf(told).message).toMatch(/^PARTLY DONE\..+ The airline charged more for the step before it/);
    const [first, ...others] = await changesOf(desk, locator);
    expect(others).toEqual([]);
    expect(first?.outcome?.charge?.amount.minor).toBeGreaterThan(first?.amount?.minor ?? 0);
  });
});
