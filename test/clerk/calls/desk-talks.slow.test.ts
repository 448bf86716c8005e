/**
 * Ten talks of a support desk, played by a script that reads what a hurried assistant reads, and judged by the airline's own books. The
 * calls and the characters of each are counted: a talk that grows is seen.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { CONTACT, dateIn, inLetters, newPassenger } from '../../support/people.ts';
import { deviations, OWN } from '../../support/sandbox/deviations.ts';
import { connectionOffer, type Offered } from './bookings.ts';
import { accept, type Desk, failures, openDesk, PAY } from './desk.ts';

let open: Desk | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
  expect(failures.splice(0)).toEqual([]);
});

let people = 0;
interface Wanted {
  readonly given?: readonly string[];
  readonly surname?: string;
  readonly classes?: readonly string[];
  readonly day?: number;
  readonly legs?: readonly object[];
  readonly customer?: string;
  readonly email?: string;
  /** An offer that a search has shown. */
  readonly offer?: string;
}

/** A desk whose own work is not counted, and the talk after it. */
class Talk {
  readonly desk: Desk;
  readonly #began: number;
  calls = 0;
  characters = 0;
  constructor(desk: Desk) {
    this.desk = desk;
    this.#began = desk.acts().length;
  }
  // biome-ignore lint/suspicious/noExplicitAny: a talk reads whatever fields the contract names
  async read(tool: string, args: object): Promise<{ text: string; view: any }> {
    const { structured, text, isError } = await this.desk.result(tool, args);
    this.#count(text);
    if (isError) throw new Error(text);
    return { text, view: structured };
  }
  /** Asks, and the person answers. */
  async act(tool: string, args: object, yes = true): Promise<{ question: string; text: string }> {
    const asked = await this.desk.ask(tool, args);
    const { text } = await asked.answer(yes ? accept(asked.act) : { action: 'decline' });
    this.#count(asked.message);
    this.#count(text);
    return { question: asked.message, text };
  }
  #count(text: string): void {
    this.calls += 1;
    this.characters += text.length;
  }
  /** What the airline did since the talk began, without holds. */
  get books(): readonly string[] {
    return this.desk.acts().slice(this.#began);
  }
}

const thereAndBack = ({ sandbox }: Desk) => [
  { from: 'QCA', to: 'XMD', date: dateIn(sandbox.now(), 20) },
  { from: 'XMD', to: 'QCA', date: dateIn(sandbox.now(), 25) },
];

/** Sells a paid booking. */
async function sold(desk: Desk, wanted: Wanted = {}): Promise<string> {
  const { given = ['Amal'], surname = `Haddad ${inLetters(++people)}`, classes = ['C'], day = 20, legs } = wanted;
  const now = desk.sandbox.now();
  const found = async () => {
    const search = await desk.result('search_fares', {
      legs: legs ?? [{ from: 'QCA', to: 'XMD', date: dateIn(now, day) }],
      ...{ passengers: { adults: given.length }, booking_classes: classes, max_results: 1 },
    });
    return (search.structured.offers as Offered[])[0]?.offer_id;
  };
  const made = await desk.result('create_booking', {
    offer_ids: [wanted.offer ?? (await found())],
    contact: { ...CONTACT, ...(wanted.email !== undefined && { email: wanted.email }) },
    passengers: given.map((given_name) => newPassenger({ given_name, surname }, now)),
    ...(wanted.customer !== undefined && { customer: wanted.customer }),
  });
  if (made.isError) throw new Error(made.text);
  const { locator } = made.structured.booking as { locator: string };
  await desk.say('pay_booking', { locator, ...PAY }, accept);
  return locator;
}

/** A talk that begins after this work of the desk, and what the work came to. */
async function talk<T>(
  options: Parameters<typeof openDesk>[0],
  before: (desk: Desk) => Promise<T>,
): Promise<{ at: Talk; given: T }> {
  open = await openDesk({ startsAt: '2026-03-02T08:00:00Z', ...options });
  const given = await before(open);
  return { at: new Talk(open), given };
}

const RAIL = {};
const AIRLINE = { sandbox: { dialect: 'airline', rewrite: deviations(...OWN.airline, 'structuredRules') } } as const;
const BUDGET = { calls: 8, characters: 16_000 };
const withinBudget = ({ calls, characters }: Talk) =>
  expect([calls <= BUDGET.calls, characters <= BUDGET.characters], `${calls} calls, ${characters} characters`).toEqual([
    true,
    true,
  ]);

const FAMILY = ['Amal', 'Noor', 'Sara', 'Huda'];

/** A paid connection of four, of which the same flights are sold in another class too. */
async function connection(desk: Desk) {
  const { date, offer } = await connectionOffer(desk, FAMILY.length);
  return { locator: await sold(desk, { given: FAMILY, offer: offer.offer_id }), date };
}

/** Searches for other flights in the place of its own, and proposes the plan that changes all of them. */
async function changeOf(at: Talk, { locator, date }: Awaited<ReturnType<typeof connection>>) {
  const { view } = await at.read('search_fares', {
    instead_of: { locator, segment_ref: '1' },
    ...{ legs: [{ date }], max_results: 5 },
  });
  const offer = (view.offers as Offered[]).find(({ change }) => change?.pays_at_most !== undefined);
  const change = { tool: 'rebook_segment', arguments: { locator, segment_ref: '1', offer_id: offer?.offer_id } };
  const { plan_id } = (await at.read('propose_plan', { steps: [change] })).view;
  return { plan_id };
}

describe('a support desk', () => {
  test('1: puts both flights of a family of four into another class', async () => {
    const { at, given } = await talk(AIRLINE, connection);
    await at.read('read_booking', { locator: given.locator });
    const { question } = await at.act('run_plan', await changeOf(at, given));
    expect(question).toMatch(/Costs at most [A-Z]{3} \S+\./);
    expect(at.books.filter((event) => event === 'rebooked')).toHaveLength(2);
    withinBudget(at);
  });

  test('2: one of the four changes her mind: nothing is changed', async () => {
    const { at, given } = await talk(AIRLINE, connection);
    const { text } = await at.act('run_plan', await changeOf(at, given), false);
    expect(text).toContain('E_APPROVAL_DECLINED');
    expect(at.books).toEqual([]);
    withinBudget(at);
  });

  test('3: sums up three changes, and leaves the last, which is above the limit', async () => {
    const { at, given: locators } = await talk(RAIL, async (desk) => {
      const all: string[] = [];
      for (const classes of [['Y'], ['Y'], ['C']]) all.push(await sold(desk, { classes }));
      return all;
    });
    const date = dateIn(at.desk.sandbox.now(), 21);
    const offers: string[] = [];
    for (const [i, locator] of locators.entries()) {
      const { view } = await at.read('search_fares', {
        instead_of: { locator, segment_ref: '1' },
        ...{ legs: [{ date }], max_results: 1, booking_classes: [i < 2 ? 'Y' : 'C'] },
      });
      offers.push(view.offers[0].offer_id);
    }
    const steps = locators.map((locator, i) => ({
      tool: 'rebook_segment',
      arguments: { locator, segment_ref: '1', offer_id: offers[i] },
    }));
    const { view } = await at.read('propose_plan', { steps });
    expect(view.sums).toHaveLength(1);
    const mostIn = (words: string) => Number(/at most SAR ([\d.,]+)/.exec(words)?.[1]?.replace(',', ''));
    const [one, two, three] = view.lines.map(({ money }: { money: string }) => mostIn(money));
    const firstTwo = one + two;
    expect(mostIn(view.sums[0])).toBeCloseTo(firstTwo + three, 2);
    for (const { arguments: args } of steps.slice(0, 2)) await at.act('rebook_segment', args);
    expect(at.books.filter((event) => event === 'rebooked')).toHaveLength(2);
    const charged = at.desk.sandbox
      .ledger()
      .flatMap(({ event, amount }) => (event === 'paid' ? [amount?.minor ?? 0] : []));
    expect(charged.slice(3).reduce((sum, minor) => sum + minor, 0)).toBeLessThanOrEqual(firstTwo * 100);
    withinBudget(at);
  });

  test('4: cancels every trip that gives money back, and no other', async () => {
    const { at, given: locators } = await talk(RAIL, async (desk) => {
      const all: string[] = [];
      for (const classes of [['Y'], ['C'], ['Y'], ['C'], ['Y'], ['C']])
        all.push(await sold(desk, { classes, surname: 'Haddad', day: 20 + all.length }));
      return all;
    });
    const { view } = await at.read('list_bookings', { locators });
    const gives = (view.bookings as { locator: string; refund_now?: string }[]).filter(
      (row) => Number(row.refund_now) > 0,
    );
    expect(gives).toHaveLength(3);
    for (const { locator } of gives) await at.act('cancel_booking', { locator });
    expect(at.books).toEqual([
      'segments_cancelled',
      'refunded',
      'segments_cancelled',
      'refunded',
      'segments_cancelled',
      'refunded',
    ]);
    withinBudget(at);
  });

  test('5: tells two customers of one name apart by the desk’s own key', async () => {
    const { at } = await talk(RAIL, async (desk) => {
      await sold(desk, { surname: 'Davis', given: ['Amelia'], customer: 'CRM-88213' });
      await sold(desk, {
        surname: 'Davis',
        given: ['Amelia'],
        customer: 'CRM-90007',
        day: 22,
        email: 'a.davis@example.net',
      });
    });
    const { view } = await at.read('list_bookings', { customer: 'CRM-90007' });
    expect(view.bookings).toHaveLength(1);
    const { locator } = view.bookings[0];
    await at.act('cancel_booking', { locator });
    expect(at.books).toEqual(['segments_cancelled', 'refunded']);
    expect(at.desk.sandbox.ledger().at(-1)?.locator).toBe(locator);
    withinBudget(at);
  });

  test('6: asks for a second fact where a name is that of two, and notes the key without a message', async () => {
    const { at } = await talk(RAIL, async (desk) => {
      await sold(desk, { surname: 'Davis', given: ['Amelia'] });
      await sold(desk, { surname: 'Davis', given: ['Amelia'], day: 22, email: 'a.davis@example.net' });
    });
    const hidden = await at.read('list_bookings', { query: 'davis' });
    expect([hidden.view.bookings, hidden.view.next]).toEqual([[], expect.stringContaining('second fact')]);
    const { view } = await at.read('list_bookings', { query: 'davis a.davis@example.net' });
    const { locator } = view.bookings[0];
    const before = at.desk.sandbox.ledger().length;
    await at.read('update_contact', { locator, customer: 'CRM-90007' });
    expect(at.desk.sandbox.ledger()).toHaveLength(before);
    expect((await at.read('list_bookings', { customer: 'CRM-90007' })).view.bookings[0].locator).toBe(locator);
    expect(at.books).toEqual([]);
    withinBudget(at);
  });

  test('7: cancels one of two with the reason that the customer gives, which the airline never gets', async () => {
    const { at, given: locator } = await talk(RAIL, (desk) => sold(desk, { given: ['Amal', 'Noor'] }));
    const reason = 'Noor broke her leg';
    const { question } = await at.act('cancel_passenger', { locator, passenger_refs: ['2'], reason });
    expect(question).toContain(`“${reason}”`);
    const history = await at.read('read_booking', { locator, detail: 'history' });
    expect(history.text).toContain(`“${reason}”`);
    expect(at.books).toEqual(['passengers_cancelled', 'refunded']);
    expect(JSON.stringify(at.desk.sandbox.ledger())).not.toContain('leg');
    withinBudget(at);
  });

  test('8: says what would come back before anything is asked, and the customer stays', async () => {
    const { at, given: locator } = await talk(RAIL, (desk) => sold(desk));
    const { text } = await at.read('read_booking', { locator });
    expect(text).toMatch(/Refund if cancelled now: SAR [\d,.]+ comes back/);
    const { question } = await at.act('cancel_booking', { locator }, false);
    // The sum of the reading is that of the question.
    const [, back] = /SAR ([\d,.]+) comes back/.exec(text) ?? [];
    expect(question).toContain(`SAR ${back} comes back`);
    expect(at.books).toEqual([]);
    withinBudget(at);
  });

  test('9: answers from the short form what a change costs, bags, and when it was made', async () => {
    const { at, given: locator } = await talk(RAIL, (desk) =>
      sold(desk, { given: ['Amal', 'Noor'], legs: thereAndBack(desk) }),
    );
    const { text } = await at.read('read_booking', { locator });
    for (const fact of ['Made: Mon 2 Mar', 'Baggage: ', 'Fee of a change: at most SAR ']) expect(text).toContain(fact);
    expect(at.characters).toBeLessThanOrEqual(1_900);
    expect(at.books).toEqual([]);
  });

  test('10: cancels one flight of a return where a bad line loses the answer, and says it once', async () => {
    const { at, given: locator } = await talk({ answerMs: 1_000 }, async (desk) => {
      const sale = await sold(desk, { legs: thereAndBack(desk) });
      desk.sandbox.order({ message: 'OTA_AirBookModifyRQ', kind: 'commit-then-lose' });
      return sale;
    });
    await at.act('cancel_segment', { locator, segment_refs: ['2'], reason: 'stays in Madinah' });
    await at.desk.parts.journal.reconcile();
    const { text } = await at.read('read_booking', { locator });
    expect(text).toMatch(/2 .*cancelled/);
    expect(at.books).toEqual(['segments_cancelled', 'refunded']);
    withinBudget(at);
  });
});
