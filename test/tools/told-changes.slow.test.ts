/**
 * What questions and results tell of changes by the airline: each kind by each act, cell by cell, then the words, what makes a yes
 * stale, and what closes them.
 */

import { describe, expect, test } from 'vitest';
import { ClerkError } from '../../src/core/errors.ts';
import { FINDING_KINDS } from '../../src/domain/booking/finding.ts';
import { bindsChange, isTold, mattersTo } from '../../src/domain/facts/changes-an-act-binds.ts';
import { type SaidPart, saidLimit, saidPerson } from '../../src/domain/facts/said.ts';
import { isAct } from '../../src/tools/definition/define.ts';
import { CATALOG } from '../../src/tools/index.ts';
import { yesTo } from '../campaigns/support/office.ts';
import {
  coupons,
  faresOf,
  fiveAdults,
  gone,
  held,
  NOW,
  option,
  pricing,
  reread,
  row,
  rule,
  sar,
  segment,
  ticketed,
  withLocator,
} from '../support/bookings.ts';
import { CONTACT, contactNamed, passenger, personName, traveler } from '../support/people.ts';
import { tokensIn } from '../support/tokens.ts';
import { type Booking, type Desk, type DeskOptions, type Finding, offer, openDesk, shelved } from './support/desk.ts';

type Kind = Finding['kind'];
type Scene = DeskOptions & { readonly args: object };

const DAY = 24 * 3_600_000;
const AMAL = traveler('1', 'Amal', 'Haddad');
const FAMILY = [AMAL, traveler('2', 'Noor', 'Haddad'), traveler('3', 'Huda', 'Haddad', { type: 'CHD' })];
const LATER = segment('7', {
  ...{ flightNumber: '105', operating: { carrier: 'HHR', number: '105' }, bookingClass: 'C', fareBasis: 'COW' },
  ...{ departs: '2026-12-02T12:00:00.000+03:00', arrives: '2026-12-02T14:10:00.000+03:00' },
});
const FEE = pricing(69000, { fares: faresOf({ changeRules: [rule({ base: sar(4000) })] }) });
const FOUND = offer({ options: [option(LATER)], pricing: pricing(50000, { perType: [] }) });
const RECEIPT = {
  ...{ locator: 'ABC123', references: [] },
  items: [
    {
      ...{ ticketNumber: '1234567890101', ticketType: 'E_TICKET', name: personName('Amal', 'Haddad') },
      ...{ total: '690', net: '600.0', paymentType: '40', conjunctive: [], links: [] },
    },
  ],
};
const seated = (seat: string) =>
  coupons(ticketed(), ({ segmentRef }) => (segmentRef === '1' ? { seat, coach: '1' } : {}));
const family = (over: Partial<Booking> = {}) => ticketed({ travelers: FAMILY, ...over });
const split = () => {
  let old = family();
  const fresh = ticketed({
    locator: 'NEW456',
    references: [{ id: 'NEW456', segmentRefs: [] }],
    travelers: FAMILY.slice(2),
  });
  return {
    read: async (locator: string) => (locator === 'NEW456' ? fresh : old),
    async modify() {
      old = family({ travelers: FAMILY.slice(0, 2) });
      return fresh;
    },
  };
};

/** A whole trip of each act, which succeeds. */
const SCENES: Readonly<Record<string, () => Scene>> = {
  pay_booking: () => ({
    ...{ bookings: [held()], after: ticketed(), airline: { pay: async () => RECEIPT } },
    args: { payment: { type: 'invoice' } },
  }),
  cancel_booking: () => ({ bookings: [held()], args: {} }),
  cancel_segment: () => ({ bookings: [ticketed()], after: gone(ticketed(), ['1']), args: { segment_refs: ['1'] } }),
  cancel_passenger: () => ({
    bookings: [fiveAdults()],
    after: { ...fiveAdults(), travelers: fiveAdults().travelers.filter(({ ref }) => ref !== '2') },
    args: { passenger_refs: ['2'] },
  }),
  rebook_segment: () => ({
    bookings: [ticketed({ pricing: FEE })],
    after: {
      ...ticketed({ pricing: FEE }),
      options: [option({ ...LATER, ref: '1', optionRef: '1' }), ...ticketed().options.slice(1)],
    },
    offers: [shelved({ offer: FOUND })],
    airline: { searchFares: async () => ({ form: 'itineraries' as const, offers: [FOUND] }) },
    args: { segment_ref: '1', offer_id: 'o000001' },
  }),
  change_names: () => ({
    bookings: [ticketed()],
    after: ticketed({ travelers: [traveler('1', 'Sara', 'Haddad')] }),
    args: { changes: [{ passenger_ref: '1', given_name: 'Sara' }] },
  }),
  update_passenger: () => ({
    bookings: [ticketed()],
    after: ticketed({ travelers: [{ ...AMAL, gender: 'Male' }] }),
    args: { changes: [{ passenger_ref: '1', gender: 'Male' }] },
  }),
  update_contact: () => ({
    bookings: [ticketed()],
    after: ticketed({
      contact: {
        ...contactNamed('Amal', 'Haddad', { phones: held().contact?.phones ?? [] }),
        emails: ['new@example.com'],
      },
    }),
    args: { email: 'new@example.com' },
  }),
  assign_seats: () => ({
    bookings: [ticketed()],
    after: { ...ticketed(), tickets: seated('1A') },
    airline: {
      seatMap: async () => [
        {
          ...{ segment: segment('1'), travelerRefs: ['1'] },
          cabins: [
            {
              ...{ cabin: 'economy', zones: [{ code: '1' }] },
              rows: [
                {
                  ...{ number: '1' },
                  seats: [
                    { number: '1A', row: '1', status: 'free', window: true, aisle: false, amenities: [], services: [] },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
    args: { seats: [{ passenger_ref: '1', segment_ref: '1', seat: '1A' }] },
  }),
  request_service: () => ({
    bookings: [ticketed()],
    after: ticketed({
      services: [{ code: 'WCHC', status: 'HK', quantity: 1, travelerRefs: ['1'], segmentRefs: ['1', '2'] }],
    }),
    args: { passenger_ref: '1', service: { code: 'WCHC' } },
    settings: { dialect: 'airline' },
  }),
  split_booking: () => ({ airline: split(), args: { passenger_refs: ['3'] } }),
};
const renaming = () => (SCENES.change_names as () => Scene)();
/** A create asks nothing: its call comes again, and finds the booking. */
const CREATE: Scene = {
  offers: [shelved({})],
  airline: {
    create: async ({ options, travelers }) => held({ options, travelers }),
    read: async () => held(),
  },
  args: { offer_ids: ['o000001'], contact: CONTACT, passengers: [passenger('P1000001', { given_name: 'Amal' })] },
};

const ACTS = CATALOG.filter(isAct);
/** Acts that move no money and give nothing up, with what their questions say. */
const SAID: Readonly<Record<string, readonly SaidPart[]>> = {
  change_names: [saidPerson(traveler('1', 'Amal', 'Haddad')), saidLimit('Names', '2026-12-01T08:00:00Z')],
  update_passenger: [saidPerson(traveler('1', 'Amal', 'Haddad'))],
  update_contact: [],
  assign_seats: [saidPerson(traveler('1', 'Amal', 'Haddad')), saidLimit('Seats', '2026-12-01T08:00:00Z')],
  request_service: [saidPerson(traveler('1', 'Amal', 'Haddad'))],
  split_booking: [saidPerson(traveler('1', 'Amal', 'Haddad'))],
};

const settledKinds = FINDING_KINDS.filter((kind) => !isTold(kind));

/** How this act tells each kind. */
function kindsOf(tool: string) {
  // Nothing is asked of a create: its call comes again.
  if (tool === 'create_booking') return { bound: [], shown: FINDING_KINDS.filter(isTold), silent: settledKinds };

  const said = SAID[tool];
  const matters = mattersTo(said === undefined ? 'payment' : 'change', [{ line: 'a line', said: said ?? [] }]);
  const told = FINDING_KINDS.filter((kind) => isTold(kind));
  return {
    bound: told.filter((kind) => bindsChange(kind, matters)),
    shown: told.filter((kind) => !bindsChange(kind, matters)),
    silent: settledKinds,
  };
}
const OF_BOOKING: readonly Kind[] = ['refunded', 'refund_pending', 'refund_arrived', 'price_changed', 'charged_more'];
const OWED: readonly Kind[] = ['charged_more', 'refund_pending'];

const FLIGHT = { from: 'MED', to: 'JED', number: '101', departs: '2026-12-01T08:00:00.000+03:00' };
function finding(kind: Kind, id: string, over: Partial<Finding> = {}): Finding {
  return {
    ...{ id: `${id}-${kind}`.padEnd(12, '0'), tenant: 'desk', locator: 'ABC123', kind, seenAt: NOW, since: NOW - DAY },
    ...(OF_BOOKING.includes(kind) ? {} : { segment: FLIGHT }),
    before: {
      departs: FLIGHT.departs,
      number: '101',
      seat: '1/1B',
      class: 'Y',
      amount: '1.00',
      currency: 'SAR',
      passengers: 2,
    },
    after: {
      ...{
        departs: '2026-12-01T08:45:00.000+03:00',
        number: '109',
        seat: '1/2B',
        class: 'B',
        amount: '2.00',
        currency: 'SAR',
      },
      passengers: 3,
    },
    ...over,
  };
}

async function open({ args, ...options }: Scene, tool: string) {
  const desk = await openDesk(options);
  const named = tool === 'create_booking' ? args : { locator: 'ABC123', ...args };
  const findings = desk.state.findings as unknown as { add(found: readonly Finding[]): Promise<unknown> } & NonNullable<
    Desk['state']['findings']
  >;
  return {
    desk,
    ask: () => desk.ask(tool, named),
    yes: (question: Awaited<ReturnType<Desk['ask']>>) =>
      desk.result(tool, named, { dialog: { handle: question.handle, raw: yesTo(question) } }),
    say: () => desk.result(tool, named),
    find: (...found: Finding[]) => findings.add(found),
    /** By whom each is closed, by its id. */
    async closed() {
      const all = await findings.list('desk', { locators: ['ABC123'], limit: 99 });
      return Object.fromEntries(all.map(({ id, closedBy }) => [id, closedBy]));
    },
  };
}
type Fields = {
  status?: string;
  error?: { code: string; message: string; next: string };
  airline_changes?: readonly { kind: string }[];
  warnings?: readonly string[];
};
const fields = ({ structured }: { structured: object }) => structured as Fields;
const told = (text: string) => text.split('\n').filter((line) => line.includes('Changed since '));
const byOperation = expect.stringMatching(/^operation [0-9a-f-]{36}$/);

test('every act of the catalog has a scene', () => {
  expect([...Object.keys(SCENES), 'create_booking'].sort()).toEqual(ACTS.map(({ name }) => name).sort());
});

describe.each(Object.keys(SCENES))('%s', (tool) => {
  const { bound, shown, silent } = kindsOf(tool);
  const scene = SCENES[tool] as () => Scene;

  test.each(bound)('is not carried out without a word of what came after the question: %s', async (kind) => {
    const { desk, ask, yes, find, closed } = await open(scene(), tool);
    const unaware = await ask();
    expect(told(unaware.message)).toEqual([]);
    const news = finding(kind, 'a');
    await find(news);
    const stale = await yes(unaware);
    expect(fields(stale).error).toMatchObject({
      code: 'E_APPROVAL_STALE',
      next: expect.stringContaining('Tell the person what changed.'),
    });
    expect(desk.sent()).toEqual([]);
    const aware = await ask();
    const [line = 'none'] = told(aware.message);
    expect(stale.text).toMatch(/^(?:\[\w+\] )?E_APPROVAL_STALE: Changed since Sat 28 Nov: /);
    expect(fields(stale).error?.message).toContain(line);
    expect(await closed()).toEqual({ [news.id]: undefined });
    expect(fields(await yes(aware)).status).toBe('done');
    expect(await closed()).toEqual({ [news.id]: OWED.includes(kind) ? undefined : byOperation });
  });

  test.each(shown)('tells, and is carried out although it comes: %s', async (kind) => {
    const { ask, yes, find, closed } = await open(scene(), tool);
    const [known, news] = [finding(kind, 'a'), finding(kind, 'b', { since: NOW - 2 * DAY })];
    await find(known);
    const question = await ask();
    expect(told(question.message)).toHaveLength(1);
    await find(news);
    const done = await yes(question);
    expect(fields(done).status).toBe('done');
    expect(await closed()).toEqual({
      [known.id]: OWED.includes(kind) ? undefined : byOperation,
      [news.id]: undefined,
    });
    expect(fields(done).airline_changes?.length).toBe(OWED.includes(kind) ? 2 : 1);
    expect(told(done.text).length).toBe(OWED.includes(kind) ? 2 : 1);
  });

  test.each(silent)('names neither in its question nor in its result: %s', async (kind) => {
    const { ask, yes, find, closed } = await open(scene(), tool);
    await find(finding(kind, 'a'));
    const question = await ask();
    const done = await yes(question);
    expect([fields(done).status, told(question.message), told(done.text)]).toEqual(['done', [], []]);
    expect(fields(done).airline_changes).toBeUndefined();
    expect(Object.values(await closed())).toEqual([undefined]);
  });
});

describe('an order to pay that nobody made', () => {
  const order = (id: string, minor: number, status: string) => ({
    ...{ id, direction: 'PAYMENT', status, amount: sar(minor) },
  });
  const withOrders = (booking: Booking, ...more: ReturnType<typeof order>[]): Booking => {
    const status = booking.tickets.length > 0 ? 'PAID' : 'PENDING';
    return reread(booking, { orders: [order('o1', 69000, status), ...more] });
  };
  // What a split answers is another booking.
  const acts = Object.keys(SCENES).filter((tool) => tool !== 'split_booking');

  test.each(acts)('is in the result of the act whose reply shows it: %s', async (tool) => {
    const { bookings: [before] = [], after = before, ...scene } = (SCENES[tool] as () => Scene)();
    const [was, now] = [before as Booking, after as Booking];
    const results = [];
    for (const more of [[], [order('o2', 5000, 'PENDING')], [order('o2', 5000, 'PAID')]]) {
      const desk = { ...scene, bookings: [withOrders(was)], after: withOrders(now, ...more) };
      const { ask, yes } = await open(desk, tool);
      const { warnings = [] } = fields(await yes(await ask()));
      results.push(warnings.filter((text) => text.includes('an order of')));
    }
    const warning = (status: string) =>
      `The airline has an order of SAR 50.00 (${status}) that was not in the booking before. Tell the person: nobody approved it.`;
    // What a rebooking costs is not known here: one order is its own.
    const isOwn = tool === 'rebook_segment';
    expect(results).toEqual([[], ...['pending', 'paid'].map((status) => (isOwn ? [] : [warning(status)]))]);
  });
});

describe('a refund that became smaller between question and yes, because the same total is divided otherwise', () => {
  const legs = (first: number) =>
    ticketed({
      pricing: pricing(69000, {
        fares: faresOf(),
        perType: [
          row('ADT', 1, sar(first), { segmentRefs: ['1'] }),
          row('ADT', 1, sar(69000 - first), { segmentRefs: ['2'] }),
        ],
      }),
    });
  const types = (child: number) =>
    ticketed({
      travelers: [AMAL, traveler('2', 'Noor', 'Haddad', { type: 'CHD', birthDate: '2016-03-02' })],
      pricing: pricing(69000, {
        fares: faresOf(),
        perType: [row('ADT', 1, sar(69000 - child)), row('CHD', 1, sar(child))],
      }),
    });

  test.each<[string, (part: number) => Booking, object]>([
    ['cancel_segment', legs, { segment_refs: ['1'] }],
    ['cancel_passenger', types, { passenger_refs: ['2'] }],
  ])('is named with both sums, and nothing is sent: %s', async (tool, booking, args) => {
    let now = booking(34500);
    const { desk, ask, yes } = await open({ airline: { read: async () => now }, args }, tool);
    const question = await ask();
    now = booking(20000);
    const stale = await yes(question);
    expect([fields(stale).error?.code, desk.sent()]).toEqual(['E_APPROVAL_STALE', []]);
    expect(fields(stale).error?.message).toMatch(/comes? back.* is SAR [\d.]+, was SAR [\d.]+/);
  });
});

describe('create_booking', () => {
  const { shown } = kindsOf('create_booking');
  test.each(FINDING_KINDS)('tells of the hold that the same call made before: %s', async (kind) => {
    const { say, find } = await open(CREATE, 'create_booking');
    const made = await say();
    expect([fields(made).status, fields(made).airline_changes]).toEqual(['done', undefined]);
    await find(finding(kind, 'a'));
    const again = await say();
    expect(fields(again).status).toBe('already_done');
    expect(told(again.text)).toHaveLength(shown.includes(kind) ? 1 : 0);
  });
});

describe('the words', () => {
  const SECOND = { ...FLIGHT, from: 'JED', to: 'MED', number: '202', departs: '2026-12-03T09:00:00.000+03:00' };
  const many = () => [
    finding('retimed', 'a'),
    finding('class_changed', 'b'),
    finding('price_changed', 'c'),
    finding('seat_changed', 'd', { segment: SECOND }),
    finding('schedule_change', 'e', { segment: SECOND }),
    finding('refund_pending', 'f'),
  ];

  test('name three in full, what binds the act first, and the others by number and flight; the fields have all', async () => {
    const { desk, ask, yes, find, closed } = await open(renaming(), 'change_names');
    await find(...many());
    const question = await ask();
    const all = question.message.split('\n');
    const lines = all.slice(
      all.indexOf(told(question.message)[0] ?? ''),
      all.findIndex((line) => line.startsWith('And ')) + 1,
    );
    expect(lines).toEqual([
      'Changed since Sat 28 Nov: train 101 MED → JED on Tue 1 Dec departs 08:45, was 08:00; has class B, was Y',
      'Changed since Sat 28 Nov: costs SAR 2.00, was SAR 1.00',
      'And 3 more (train 202, the booking)',
    ]);
    expect(tokensIn(lines.join('\n'))).toBeLessThanOrEqual(120);
    const done = await yes(question);
    // Those that were only counted stay open, and the result names them.
    const open3 = ['seat_changed', 'schedule_change', 'refund_pending'];
    expect(
      fields(done)
        .airline_changes?.map(({ kind }) => kind)
        .sort(),
    ).toEqual(open3.toSorted());
    expect(Object.values(await closed()).filter((by) => by === undefined)).toHaveLength(3);
    expect(desk.failures).toEqual([]);
  });

  test('of a question that waits stand in its fields too', async () => {
    const { desk, find } = await open({ ...renaming(), canUseTerminal: true }, 'change_names');
    await find(...many());
    const { args } = renaming();
    const waiting = await desk.result('change_names', { locator: 'ABC123', ...args }, { canElicit: false });
    expect(fields(waiting)).toMatchObject({
      status: 'approval_required',
      airline_changes: Array.from({ length: 6 }, () => ({ locator: 'ABC123' })),
    });
  });

  test('for three changes of three flights have at most 120 tokens', async () => {
    const { ask, find } = await open(renaming(), 'change_names');
    const at = (number: string, day: string) => ({
      segment: { ...FLIGHT, number, departs: `2026-12-${day}T08:00:00.000+03:00` },
    });
    await find(
      finding('retimed', 'a', at('1201', '01')),
      finding('number_changed', 'b', at('1202', '02')),
      finding('segment_cancelled', 'c', at('1203', '03')),
    );
    expect(tokensIn(told((await ask()).message).join('\n'))).toBeLessThanOrEqual(120);
  });
});

describe('a finding that a question named stays open', () => {
  const scene = (over: Partial<Scene> = {}): Scene => ({ ...renaming(), ...over });
  const stays = async (given: Scene, status: string | undefined, setting: DeskOptions = {}) => {
    const { ask, yes, find, closed } = await open({ ...given, ...setting }, 'change_names');
    await find(finding('retimed', 'a'));
    expect(fields(await yes(await ask())).status).toBe(status);
    expect(Object.values(await closed())).toEqual([undefined]);
  };

  test('where the airline refuses the act', async () => {
    const modify = async () => {
      throw new ClerkError('E_NOT_PERMITTED', 'The airline refused.', {
        next: 'Ask.',
        airline: { status: 422, code: '1' },
      });
    };
    await stays(scene({ airline: { modify } }), undefined);
  });

  test('while the outcome of the act is not known', async () => {
    const modify = async () => {
      throw new ClerkError('E_AIRLINE_TIMEOUT', 'No answer.', { next: 'Wait.', effect: 'unknown' });
    };
    const { after: _, ...unanswered } = scene({ airline: { modify } });
    await stays(unanswered, 'pending', { answerMs: 50 });
  });

  test('where no person said yes, but the model', async () => {
    const { desk, find, closed } = await open(scene({ approval: 'echo' }), 'change_names');
    await find(finding('retimed', 'a'));
    const how = { canElicit: false };
    const args = { locator: 'ABC123', ...scene().args };
    const asked = await desk.result('change_names', args, how);
    const { approval } = asked.structured as { approval?: { id: string } };
    expect(told(asked.text)).toHaveLength(1);
    const done = await desk.result('change_names', { ...args, approval_id: approval?.id }, how);
    expect(fields(done).status).toBe('done');
    expect(Object.values(await closed())).toEqual([undefined]);
  });
});

test('a yes counts although somebody deals with a change after the question', async () => {
  const { desk, ask, yes, find } = await open(renaming(), 'change_names');
  const both = [finding('retimed', 'a'), finding('class_changed', 'b')];
  await find(...both);
  const question = await ask();
  await desk.state.findings?.close('desk', [both[0]?.id ?? ''], 'bob', NOW);
  expect(fields(await yes(question)).status).toBe('done');
});

test('a call that comes again after such a change asks anew, with the change', async () => {
  const { ask, yes, find } = await open(renaming(), 'change_names');
  const first = await ask();
  await find(finding('retimed', 'a'));
  const second = await ask();
  expect([told(first.message), told(second.message).length]).toEqual([[], 1]);
  expect(second.handle).not.toBe(first.handle);
  expect(fields(await yes(second)).status).toBe('done');
});

describe('a plan of twelve bookings', () => {
  const LOCATORS = Array.from({ length: 12 }, (_, i) => `PLAN${String(i + 1).padStart(2, '0')}`);
  const MOVED = LOCATORS.slice(2, 5);
  const moved = (locator: string, id = 'a') => finding('retimed', `${id}-${locator}`, { locator });

  /** Proposes to release twelve holds, of which three were moved. */
  async function twelve() {
    const bookings = LOCATORS.map((locator) => withLocator(locator, held()));
    const cancel = async ({ send }: { readonly send: { readonly cancellation: { readonly locator: string } } }) => ({
      ...{ locator: send.cancellation.locator, status: 'CANCELLED' },
    });
    const desk = await openDesk({ bookings, airline: { cancel: cancel as never }, canUseTerminal: true });
    const findings = desk.state.findings as unknown as { add(all: readonly Finding[]): Promise<unknown> };
    await findings.add(MOVED.map((locator) => moved(locator)));
    const steps = [{ tool: 'cancel_bookings', arguments: { locators: LOCATORS } }];
    const { view } = await desk.read('propose_plan', { steps });
    const args = { plan_id: view.plan_id as string };
    const closed = async () => {
      const all = (await desk.state.findings?.list('desk', { limit: 99 })) ?? [];
      return Object.fromEntries(all.map(({ id, closedBy }) => [id, closedBy]));
    };
    /** Asks, lets something happen, says yes on the page, and gives the plan once it rests. */
    const nothing = async (): Promise<unknown> => undefined;
    const run = async (meanwhile = nothing, afterYes = nothing) => {
      const question = await desk.result('run_plan', args);
      await meanwhile();
      const { operation_id: id } = question.structured as { operation_id?: string };
      await desk.clerk.decide(String(id), true, { assurance: 'page' });
      await desk.idle();
      await afterYes();
      return { question, rest: await desk.result('run_plan', args) };
    };
    return { desk, findings, closed, run };
  }

  test('names the three that the airline moved in their lines, and closes what it named once it is carried out', async () => {
    const { closed, run, desk } = await twelve();
    const { question, rest } = await run();
    const lines = question.text.split('\n').map((line) => line.trim());
    for (const [i, locator] of LOCATORS.entries()) {
      const at = lines.findIndex((line) => line.startsWith(`${i + 1}. `) && line.includes(locator));
      const ofLine = lines.slice(
        at + 1,
        lines.findIndex((line, n) => n > at && /^\d+\. |^Each booking is/.test(line)),
      );
      const isNamed = ofLine.some((line) => line.startsWith('Changed since Sat 28 Nov: '));
      expect([locator, isNamed]).toEqual([locator, MOVED.includes(locator)]);
    }
    expect(fields(question).airline_changes).toHaveLength(3);
    expect(fields(rest).status).toBe('done');
    expect(desk.sent()).toHaveLength(12);
    expect(await closed()).toEqual(Object.fromEntries(MOVED.map((locator) => [moved(locator).id, byOperation])));
  });

  test('names once it rests what the airline changed since the yes, and nothing that the question named', async () => {
    const { run, findings } = await twelve();
    const news = { ...moved('PLAN09', 'b'), seenAt: Number.MAX_SAFE_INTEGER };
    const { rest } = await run(undefined, () => findings.add([news]));
    expect(fields(rest)).toMatchObject({ status: 'done', airline_changes: [{ locator: 'PLAN09', kind: 'retimed' }] });
    expect(fields(rest).warnings).toEqual([expect.stringContaining('departs 08:45, was 08:00')]);
  });

  test('does not carry out without a word a line whose booking moves between question and run', async () => {
    const { closed, run, findings, desk } = await twelve();
    const news = moved('PLAN09', 'b');
    const { rest } = await run(() => findings.add([news]));
    expect(desk.sent()).toHaveLength(11);
    const line = rest.text.split('\n').find((each) => each.includes('PLAN09'));
    expect(line).toContain(
      'not done. Its terms changed after the question. Changed since Sat 28 Nov: train 101 MED → JED',
    );
    expect(line).toContain('departs 08:45, was 08:00');
    expect((await closed())[news.id]).toBeUndefined();
  });
});
