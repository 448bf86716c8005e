/** propose_plan and the question of run_plan: lines, sums, what is left out, and parties that move to another train. */
import { describe, expect, test } from 'vitest';
import { ClerkError } from '../../src/core/errors.ts';
import { BACK, held, option, pricing, sar, segment, ticketed, UNPRICED } from '../support/bookings.ts';
import { bareTraveler, CONTACT, contactNamed, personName, traveler } from '../support/people.ts';
import {
  type Booking,
  type DeskOptions,
  expectRefusals,
  expectTexts,
  type Finding,
  offer,
  openDesk,
  type ShelvedOffer,
  shelved,
} from './support/desk.ts';

const step = (tool: string, args: object) => ({ tool, arguments: args });
const named = (locator: string, over: Partial<Booking> = {}, make = ticketed) =>
  make({ locator, references: [{ id: locator, type: '14', system: 'HHR', segmentRefs: [] }], ...over });
const LATER = segment('1', {
  ...{ flightNumber: '105', operating: { carrier: 'HHR', number: '105' } },
  ...{ departs: '2026-12-01T12:00:00.000+03:00', arrives: '2026-12-01T14:10:00.000+03:00' },
});
const TO_LATER = shelved({ offer: offer({ options: [option(LATER)] }) });
const THIS_TRAIN = { from: 'MED', to: 'JED', number: '101', departs: '2026-12-01T08:00:00.000+03:00' };
const INVOICE = { type: 'invoice' };
const MOVE = { locator: 'ABC123', offer_ids: ['o000001'], payment: INVOICE };
type Proposed = Awaited<ReturnType<typeof openDesk>>;
const propose = (desk: Proposed, ...steps: object[]) => desk.read('propose_plan', { steps });
const refused = async (steps: readonly object[], options: DeskOptions = {}) =>
  (await openDesk(options)).refused('propose_plan', { steps });
const withoutId = ({ text }: { text: string }) => ({ text: text.replace(/pl_[\w-]+/g, 'pl_1') });

describe('propose_plan', () => {
  const bookings = [named('ABC123', {}, held), ...['ABC124', 'ABC125', 'ABC126'].map((one) => named(one))];
  const pay = step('pay_booking', { locator: 'abc123', payment: INVOICE });
  const FOUND: Finding = {
    ...{ id: 'f1', tenant: 'desk', locator: 'ABC124', kind: 'segment_cancelled', seenAt: 0, since: 0 },
    segment: THIS_TRAIN,
    after: { status: 'cancelled' },
  };

  test('lists each line with its money, the sums, what is final, why, and what was left out', async () => {
    const desk = await openDesk({ bookings, findings: [FOUND] });
    const others = [
      step('cancel_segment', { locator: 'ABC124', all: true }),
      step('cancel_bookings', { locators: ['ABC125', 'ABC124'] }),
      step('change_names', { locator: 'ABC126', changes: [{ passenger_ref: '1', given_name: 'Sara' }] }),
    ];
    const all = propose(desk, pay, ...others);
    const one = propose(await openDesk({ bookings }), pay);
    await expectTexts('results/propose_plan', {
      'Four lines': all.then(withoutId),
      'A payment alone': one.then(withoutId),
    });
    expect((await all).view).toMatchObject({
      ...{
        sums: ['costs SAR 690.00; about SAR 690.00 comes back'],
        reasons: [{ lines: [2] }],
      },
      ...{ cannot_be_undone: [2, 3], expires_at: '2026-11-29T09:00+03:00' },
    });
    for (const field of ['cannot_be_undone', 'reasons', 'left_out']) expect((await one).view).not.toHaveProperty(field);
    expect(desk.sent()).toEqual([]);
  });

  test('says once what the payments of an account come to, what it has and what is missing', async () => {
    const account = { type: 'debit_credit_account' };
    const desk = await openDesk({
      bookings: ['ABC123', 'ABC124', 'ABC125'].map((one) => named(one, {}, held)),
      settings: { account: 'desk-account' },
      airline: { accounts: async () => [{ name: 'desk-account', available: sar(200000), isActive: true }] },
    });
    const pays = ['ABC123', 'ABC124', 'ABC125'].map((locator) => step('pay_booking', { locator, payment: account }));
    const { view, text } = await propose(desk, ...pays);
    const line = 'WARNING: Account “desk-account” pays SAR 2,070.00: SAR 2,000.00 available, SAR 70.00 missing.';
    expect(view.accounts).toEqual([line]);
    expect(text.match(/available/g)).toHaveLength(1);
    expect(text).toContain(`${line}\n  1  Pay booking: ABC123`);

    const { message } = await desk.ask('run_plan', { plan_id: view.plan_id });
    expect(message).toContain(`Costs SAR 2,070.00.\n${line}`);
    expect(message.match(/available/g)).toHaveLength(1);
  });

  test('names the only account that can be charged, or each, and first what warns', async () => {
    let listed: object[] = [{ name: 'North', available: sar(100000), isActive: true }];
    const desk = await openDesk({
      bookings: ['ABC123', 'ABC124'].map((one) => named(one, {}, held)),
      airline: { accounts: async () => listed as never },
    });

    const payment = { type: 'debit_credit_account' };
    const by = (locator: string, more: object = {}) =>
      step('pay_booking', { locator, payment: { ...payment, ...more } });
    const accounts = async (...steps: object[]) => (await propose(desk, ...steps)).view.accounts;

    expect(await accounts(by('ABC123'), by('ABC124'))).toEqual([
      'WARNING: Account “North” pays SAR 1,380.00: SAR 1,000.00 available, SAR 380.00 missing.',
    ]);
    listed = [...listed, { name: 'South', available: sar(1000), isActive: true }];
    expect(await accounts(by('ABC123'), by('ABC124', { holder_name: 'South' }))).toEqual([
      'WARNING: Account “South” pays SAR 690.00: SAR 10.00 available, SAR 680.00 missing.',
      'An account of the agency pays SAR 690.00, and the airline chooses which: “North”: SAR 1,000.00 available; “South”: SAR 10.00 available, SAR 680.00 missing.',
    ]);
    expect(await accounts(step('pay_booking', { locator: 'ABC123', payment: INVOICE }))).toBeUndefined();
  });

  test('gives the most that can come back where the least is nothing', async () => {
    const desk = await openDesk({ bookings: [named('ABC124'), named('ABC125')] });
    const one = (locator: string) => step('cancel_segment', { locator, segment_refs: ['2'] });
    const { view, text } = await propose(desk, one('ABC124'), one('ABC125'));
    const words = 'costs nothing; between SAR 0.00 and SAR 1,035.00 comes back';
    expect(view.sums).toEqual([words]);
    expect(text).toContain(words);
  });

  test('takes up to 50 lines, however many steps they come from', async () => {
    const locators = Array.from({ length: 50 }, (_, i) => `ABC${100 + i}`);
    const many = step('cancel_bookings', { locators });
    const desk = await openDesk({ bookings: locators.map((one) => named(one)) });
    expect((await propose(desk, many)).view.lines).toHaveLength(50);
    const steps = [many, step('cancel_booking', { locator: 'XYZ999' })];
    const { message } = await desk.refused('propose_plan', { steps });
    expect(message).toContain('steps: expected at most 50 lines, found 51.');
  });

  test('names the step and the field of a mistake, and keeps no plan', async () => {
    const wrong = (tool: string, args: object) =>
      refused([step('cancel_booking', { locator: 'ABC124' }), step(tool, args)], { bookings });
    const down = () =>
      Promise.reject(new ClerkError('E_AIRLINE_DOWN', 'The airline does not answer.', { next: 'Wait.' }));
    const card = { type: 'cash', holder_name: '4111 1111 1111 1111' };
    const steps = [step('move_party', { ...MOVE, offer_ids: 'o000001' })];
    await expectRefusals('propose_plan', {
      'no booking reference': wrong('cancel_booking', { locator: '?' }),
      'a field that is not known': wrong('cancel_booking', { locater: 'ABC123' }),
      'no booking': wrong('cancel_bookings', { locators: [] }),
      'no booking reference in a list': wrong('cancel_bookings', { locators: ['?'] }),
      'a tool that is nearly right': wrong('cancel_bookng', {}),
      'no such tool': wrong('xyz', {}),
      'a tool that reads': wrong('read_booking', { locator: 'ABC123' }),
      'a plan': wrong('propose_plan', { steps: [] }),
      'a hold': wrong('create_booking', { offer_ids: ['o1'], contact: CONTACT }),
      'an approval of its own': wrong('cancel_booking', { locator: 'ABC123', approval_id: 'ap_1' }),
      'what only a call of its own may do': wrong('cancel_booking', { locator: 'ABC123', although_done: true }),
      'a card number': wrong('move_party', { ...MOVE, payment: card }),
      'mistakes in three steps': refused([
        step('cancel_booking', { locator: '?' }),
        step('cancel_bookng', {}),
        step('move_party', { ...MOVE, locator: undefined, train: 'HHR101' }),
      ]),
      'no field of move_party': refused([step('move_party', { ...MOVE, locator: undefined, train: 'HHR101' })]),
      'an unknown segment': refused([step('move_party', { ...MOVE, segment_refs: ['7'] })], {
        bookings: [ticketed()],
        offers: [TO_LATER],
      }),
      'nothing that is left': refused([step('move_party', { ...MOVE, locator: 'NONE99' })], { bookings }),
      'an airline that cannot be read': refused(steps, { airline: { read: down }, offers: [shelved()] }),
    });
  });
});

async function moving(booking: Booking, over: object = {}, shelf: ShelvedOffer = TO_LATER, options: DeskOptions = {}) {
  const desk = await openDesk({ bookings: [booking], offers: [shelf], ...options });
  const { structured } = await desk.result('propose_plan', { steps: [step('move_party', { ...MOVE, ...over })] });
  return { desk, view: structured as Record<string, unknown> & { plan_id: string } };
}
async function movingAsked(...given: Parameters<typeof moving>) {
  const { desk, view } = await moving(...given);
  return desk.ask('run_plan', { plan_id: view.plan_id });
}
/** What was sent after the yes. */
async function moved(...given: Parameters<typeof moving>) {
  const { desk, view } = await moving(...given);
  await desk.say('run_plan', { plan_id: view.plan_id });
  await desk.idle();
  return desk.sent();
}
/** Why no plan was made. */
async function whyNot(...given: Parameters<typeof moving>): Promise<string> {
  const { view } = await moving(...given);
  return (view.error as { message: string }).message;
}
const gone = (ref: string) => segment(ref, { statusCode: '16' });
/** That of everybody, unless another is given. */
const PASSPORT = { docType: '2', number: 'P1234567', nationality: 'SA', expires: '2031-01-01' };
const people = (...travelers: Booking['travelers']) => ticketed({ travelers });
const no = async () => {
  throw new ClerkError('E_NOT_PERMITTED', 'No.', { next: 'Ask.', effect: 'none', airline: {} });
};
const PRICED = pricing(34500, { fares: held().pricing?.fares ?? [], perType: [] });
const NEW = named('NEW456', { options: [option(LATER)], pricing: PRICED }, held);
/** Holds the new trip, and takes no payment for it. */
const HOLDS: DeskOptions = {
  airline: {
    create: async ({ options, travelers }) => ({ ...NEW, options, travelers }),
    ...{ pay: no, cancel: async () => ({ locator: 'NEW456', status: 'CANCELLED' }) },
    read: async (locator) => (locator === 'NEW456' ? NEW : ticketed()),
  },
};

test('warns where the receipt of a payment in a plan states another way to pay than the approved one', async () => {
  const item = {
    ...{ name: personName('Amal', 'Haddad'), ticketNumber: '1234567890101', ticketType: 'E_TICKET' },
    ...{ total: '690.00', conjunctive: [], links: [] },
  };
  const paidBy = async (paymentType: string) => {
    let isPaid = false;
    const desk = await openDesk({
      airline: {
        read: async () => named('ABC123', {}, isPaid ? ticketed : held),
        async pay() {
          isPaid = true;
          return { locator: 'ABC123', references: [], items: [{ ...item, paymentType }] };
        },
      },
    });
    const external = step('pay_booking', { locator: 'ABC123', payment: { type: 'external' } });
    const run = { plan_id: (await propose(desk, external)).view.plan_id };
    await desk.say('run_plan', run);
    await desk.idle();
    return (await desk.read('run_plan', run)).view;
  };
  expect((await paidBy('4')).warnings).toEqual([
    'Booking ABC123: The airline charged another way: approved external, the receipt says account. Ask the airline who pays.',
  ]);
  expect(await paidBy('32')).not.toHaveProperty('warnings');
});

describe('move_party', () => {
  test('takes a title out of a name that the airline wrote it into', async () => {
    const contact = contactNamed('Amal MRS', 'Haddad', { emails: ['amal@example.com'] });
    const titled = ticketed({ contact, travelers: [traveler('1', 'Amal Noor MRS', 'MRS Haddad')] });
    const [sent] = await moved(titled, {}, TO_LATER, { airline: { create: no } });
    expect(sent).toMatchObject({
      contact: { name: { given: ['Amal'] } },
      travelers: [{ name: { given: ['Amal Noor'], surname: 'Haddad', prefix: ['MRS'] } }],
    });
  });

  test.each([
    ['Mr.Jan', 'Haddad', 'Jan'],
    ['J.R.Mr', 'Haddad', 'J R'],
  ])('takes a title with dots out of a name: %s', async (given, surname, alone) => {
    const titled = ticketed({ travelers: [traveler('1', given, surname)] });
    const [sent] = await moved(titled, {}, TO_LATER, { airline: { create: no } });
    expect(sent).toMatchObject({ travelers: [{ name: { given: [alone], surname, prefix: ['MR'] } }] });
  });

  test('leaves out a middle name that is only a title, and says a given name or surname that is', async () => {
    const amal = traveler('1', 'Amal', 'Haddad');
    const middle = ticketed({ travelers: [{ ...amal, name: personName('Amal', 'Haddad', { middle: ['MRS'] }) }] });
    const [sent] = await moved(middle, {}, TO_LATER, { airline: { create: no } });
    expect(sent).toMatchObject({ travelers: [{ name: { middle: [], prefix: ['MRS'] } }] });
    for (const [given, surname, missing] of [
      ['MR', 'Haddad', 'given name'],
      ['Jan', 'MR', 'surname'],
    ] as const) {
      const why = await whyNot(ticketed({ travelers: [traveler('1', given, surname)] }));
      expect(why).toContain(`does not give or masks: passenger 1 ${missing}`);
    }
  });

  test('keeps the new booking as one of the same customer', async () => {
    const desk = await openDesk({ bookings: [ticketed()], offers: [TO_LATER], ...HOLDS });
    await desk.read('update_contact', { locator: 'ABC123', customer: 'CRM-7' });
    const { view } = await desk.read('propose_plan', { steps: [step('move_party', MOVE)] });
    await desk.say('run_plan', { plan_id: view.plan_id });
    await desk.idle();
    // As the page of the plan shows its acts: another train, and no repeat.
    const acts = (await desk.clerk.plan(String(view.plan_id)))?.lines[0]?.steps.map(({ act }) => act);
    expect(acts?.[0]).toEqual({ verb: 'Book', object: 'the new trip' });
    expect((await desk.ledger('NEW456')).customer).toBe('CRM-7');
    expect(JSON.stringify(desk.sent())).not.toContain('CRM-7');
  });

  test.each([
    ['PENDING', 2],
    ['CONFIRMED', 1],
    ['CANCELLED', 1],
  ])('sends no payment for a hold whose order may be paid already: %s', async (status, messages) => {
    const hold: Booking = { ...NEW, orders: [{ direction: 'PAYMENT', status }] };
    const read = async (locator: string) => (locator === 'NEW456' ? hold : ticketed());
    const sent = await moved(ticketed(), {}, TO_LATER, { airline: { ...HOLDS.airline, read } });
    expect(sent).toHaveLength(messages);
  });

  test('asks for the new trip, its payment and the old one’s end', async () => {
    const refundNote = 'refundable until departure';
    const half = ticketed({ options: [option(gone('1')), BACK] });
    await expectTexts('questions/move_party', {
      'One of two trains': movingAsked(ticketed(), { segment_refs: ['1'] }),
    });
    const named = (await movingAsked(half, { segment_refs: ['1'] })).text;
    expect(named).toContain('has cancelled the old trip already');
    expect(named).not.toContain('Cancel train');
    const whole = await movingAsked(ticketed(), {}, shelved({ refundNote }));
    expect(whole.text).toContain('New fare: refundable until departure.');
    expect(whole.text).toContain('The new trip is between other stations than the old one.');
    expect(whole.text).toContain('Cancel every train of booking ABC123');
    expect((await movingAsked(held())).text).toContain('Release the unpaid hold ABC123.');
    expect((await movingAsked(half)).text).toContain('Cancel train HHR202 of booking ABC123');
    const all = (await movingAsked(ticketed({ options: [option(gone('1'))] }))).text;
    expect(all).toContain('has cancelled the old trip already');
    expect(all).not.toMatch(/Cancel (?:every )?train/);
  });

  test('says what the account has that pays for the new trip, before that is booked', async () => {
    const airline = { accounts: async () => [{ name: 'North', available: sar(10000), isActive: true }] };
    const payment = { type: 'debit_credit_account' };
    const { desk, view } = await moving(ticketed(), { payment }, TO_LATER, { airline });

    const line = 'WARNING: Account “North” pays SAR 345.00: SAR 100.00 available, SAR 245.00 missing.';
    expect(view.accounts).toEqual([line]);
    expect((await desk.ask('run_plan', { plan_id: view.plan_id })).text).toContain(line);
  });

  test('does not take the refund note of one leg for the whole trip', async () => {
    const legs = [
      { from: 'MED', to: 'JED', date: '2026-12-01' },
      { from: 'JED', to: 'MED', date: '2026-12-05' },
    ];
    const back = option(segment('1', BACK.segments[0]));
    const offers = [
      shelved({ legs, refundNote: 'refundable until departure', offer: offer({ leg: 0, options: [option(LATER)] }) }),
      shelved({ legs, refundNote: 'not refundable', offer: offer({ leg: 1, options: [back] }) }),
    ];
    const { text } = await movingAsked(ticketed(), { offer_ids: ['o000001', 'o000002'] }, TO_LATER, { offers });
    expect(text).toContain('New fare: refund rules not known here.');
    expect(text).not.toContain('refundable until departure');
  });

  test('sends the passengers as the airline gives them, as create_booking takes them, and leaves a hold that is not paid', async () => {
    const [created, order, ...others] = await moved(ticketed(), { segment_refs: ['1'] }, TO_LATER, HOLDS);
    const name = personName('Amal', 'Haddad');
    expect(created).toMatchObject({
      options: [{ segments: [{ flightNumber: '105' }] }],
      travelers: [{ type: 'ADT', name, gender: 'Female', birthDate: '1990-04-12', document: PASSPORT }],
      contact: { emails: ['amal@example.com'], phones: [{ countryCode: '966', number: '551234567' }] },
    });
    expect(order).toMatchObject({ locator: 'NEW456', paymentType: 'invoice' });
    expect(others).toEqual([]);
    const adult = traveler('4', 'Amal', 'Haddad', {
      ...{ name: personName('Amal', 'Haddad', { middle: ['Bint'], title: ['MS'], suffix: ['JR'] }), gender: 'Female' },
      document: { number: 'P1234567', docType: '5', nationality: 'SAU', expires: '2031-01-01' },
      ...{ emails: ['own@example.com'], phones: [{ countryCode: '+966', number: '55 123-4567' }] },
    });
    const infant = traveler('5', 'Badr', 'Haddad', {
      ...{ type: 'INF', gender: 'Unknown', birthDate: '2026-01-01', attendantRef: '4' },
      ...{ phones: [{ countryCode: '966' }], document: { ...PASSPORT, number: 'P7654321' } },
    });
    const contact = contactNamed('Amal', 'Haddad', { addresses: [{ city: 'Jeddah', countryCode: 'SA' }] });
    const forBoth = shelved({ passengers: { adults: 1, children: 0, infants: 1 } });
    const [both] = await moved(ticketed({ travelers: [adult, infant], contact }), {}, forBoth, {
      airline: { create: no },
    });
    expect(both).toMatchObject({
      contact: { addresses: [{ city: 'Jeddah', countryCode: 'SA' }] },
      travelers: [
        {
          ...{ ref: '1', gender: 'Female', emails: ['own@example.com'] },
          phones: [{ countryCode: '966', number: '551234567' }],
          name: { given: ['Amal'], middle: ['Bint'], surname: 'Haddad', prefix: ['MS'], suffix: ['JR'] },
          document: { docType: '5', nationality: 'SA', expires: '2031-01-01' },
        },
        { ref: '2', type: 'INF', gender: 'Unknown', attendantRef: '1', phones: [] },
      ],
    });
  });

  test('makes no plan of what cannot be moved, and says why', async () => {
    const document = { number: 'XXXXX567', docType: '9', nationality: 'QQQ' };
    const masked = traveler('1', 'Amal', 'H****d', { birthDate: '****-04-12', gender: '', document });
    const { contact: _, ...silent } = people(bareTraveler('1'));
    const alone = traveler('2', 'Badr', 'Haddad', { type: 'INF', attendantRef: '9' });
    const amal = traveler('1', 'Amal', 'Haddad');
    const unpriced = shelved({ offer: offer({ pricing: UNPRICED }) });
    const forBoth = shelved({ passengers: { adults: 1, children: 0, infants: 1 } });
    const instead = ticketed({
      options: [option(gone('1')), option({ ...LATER, ref: '3', optionRef: '3' }), BACK],
      travelers: [traveler('1', 'Amal', 'Haddad', { segmentRefs: [] })],
    });
    const why: [string, Promise<string>][] = [
      [
        'does not give or masks: passenger 1 surname, passenger 1 gender, passenger 1 birth date, passenger 1 document type, ' +
          'passenger 1 document number, passenger 1 document nationality and passenger 1 document expires',
        whyNot(people(masked)),
      ],
      ['contact given name, contact surname, contact email', whyNot(silent)],
      ['passenger 2 with adult', whyNot(people(amal, alone), {}, forBoth)],
      ['is not paid: a part of it cannot be cancelled', whyNot(held(), { segment_refs: ['1'] })],
      [
        'Passenger 2 does not travel on every segment that is replaced',
        whyNot(people(amal, traveler('2', 'Badr', 'Haddad', { segmentRefs: ['2'] })), { segment_refs: ['1'] }),
      ],
      ['The price of the offer is not known', whyNot(ticketed(), {}, unpriced)],
      [
        'does not give or masks: passenger 1 email',
        whyNot(people(traveler('1', 'Amal', 'Haddad', { emails: ['no address'] }))),
      ],
      ['Offer o000009 is not known here', whyNot(ticketed(), { offer_ids: ['o000009'] })],
      [
        'Booking ABC123 has train HHR105, Tue 1 Dec 12:00-14:10 (UTC+3), in place of HHR101',
        whyNot(instead, { segment_refs: ['1'] }),
      ],
    ];
    for (const [words, message] of why) expect(await message).toContain(words);
    expect((await moving(people(traveler('1', 'Amal', 'Haddad', { segmentRefs: [] })))).view.error).toBeUndefined();
    expect((await movingAsked(instead, { segment_refs: ['1', '3'] })).text).toContain(
      'Cancel train HHR105 of booking ABC123',
    );
  });
});

describe('move_party of a train', () => {
  const TRAIN = { train: 'HHR101', date: '2026-12-01', offer_ids: ['o000001'], payment: INVOICE };
  const document = { ...PASSPORT, number: 'P7654321' };
  const couple = { travelers: [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Badr', 'Haddad', { document })] };
  const times = { departs: '2026-12-02T08:00:00.000+03:00', arrives: '2026-12-02T10:10:00.000+03:00' };
  /** On this train the day after. */
  const elsewhere = { options: [option(segment('1', times)), BACK] };
  const forTwo = shelved({
    passengers: { adults: 2, children: 0, infants: 0 },
    offer: offer({ options: [option(LATER)], pricing: pricing(69000) }),
  });
  const open = (bookings: readonly Booking[], offers = [TO_LATER, forTwo]) => openDesk({ bookings, offers });
  type Shown = {
    lines: { locator: string; title: string; money: string }[];
    left_out?: { title: string; why: string }[];
    plan_id: string;
  };
  async function run(desk: Proposed, args: object = {}): Promise<Shown> {
    return (await propose(desk, step('move_party', { ...TRAIN, ...args }))).view;
  }
  const locatorsOf = ({ lines }: Shown) => lines.map(({ locator }) => locator);

  test('moves every named party, with the offers for its size', async () => {
    const locators = ['ABC001', 'ABC002', 'ABC003'];
    const desk = await open([named('ABC001'), named('ABC002', couple), named('ABC003', couple)]);
    const view = await run(desk, { locators, offer_ids: ['o000001', 'o000002'] });
    expect(view).not.toHaveProperty('left_out');
    expect(view.lines.map(({ title }) => title)).toEqual(
      locators.map((one) => `Move booking ${one} to HHR105, Tue 1 Dec 12:00-14:10 (UTC+3)`),
    );
    const sums = view.lines.map(({ money }) => money.slice(0, 15));
    expect(sums).toEqual(['pays SAR 345.00', 'pays SAR 690.00', 'pays SAR 690.00']);
    const { text } = await desk.ask('run_plan', { plan_id: view.plan_id });
    expect(text).toContain('Stays as it is: Train HHR202');
  });

  test.each(['101', '0101', 'hhr 101', '6E101'])(
    'finds the train by its number, as a person writes it: %s',
    async (train) => {
      const desk = await open([named('ABC001')]);
      expect(locatorsOf(await run(desk, { train, locators: ['ABC001'] }))).toEqual(['ABC001']);
    },
  );

  test('leaves out those that are not on the train or got another number', async () => {
    const now = option({ ...LATER, ref: '3', optionRef: '3' });
    const bookings = [
      ...[named('ABC001'), named('ABC002', elsewhere), named('ABC003')],
      named('ABC004', { options: [option(gone('1')), now] }),
      named('ABC005', { options: [now] }),
      named('ABC006', { options: [option({ ...LATER, statusCode: '16' })] }),
    ];
    const desk = await open(bookings);
    const locators = ['ABC001', 'ABC002', 'NONE99', 'ABC004', 'ABC005', 'ABC006'];
    const view = await run(desk, { locators });
    expect(locatorsOf(view)).toEqual(['ABC001']);
    expect(view.left_out?.map(({ title, why }) => `${title}: ${why}`)).toEqual([
      'Move booking ABC002: Booking ABC002 has no segment of train HHR101 on Tue 1 Dec. It has HHR101, Wed 2 Dec 08:00-10:10 (UTC+3); HHR202, Sat 5 Dec 18:00-20:10 (UTC+3)',
      'Move booking NONE99: There is no such booking',
      'Move booking ABC004: Booking ABC004 has train HHR105, Tue 1 Dec 12:00-14:10 (UTC+3), in place of HHR101',
      'Move booking ABC005: Booking ABC005 has no segment of train HHR101 on Tue 1 Dec. It has HHR105, Tue 1 Dec 12:00-14:10 (UTC+3)',
      'Move booking ABC006: Booking ABC006 has no segment of train HHR101 on Tue 1 Dec. It has no active segment',
    ]);
    expect(desk.methods()).not.toContain('searchFares');
  });

  test('leaves out a party for whose size there is no offer', async () => {
    const desk = await open([named('ABC001'), named('ABC002', couple)]);
    const view = await run(desk, { locators: ['ABC001', 'ABC002'] });
    expect(locatorsOf(view)).toEqual(['ABC001']);
    expect(view.left_out?.[0]?.why).toBe('No offer is for 2 adults');
  });

  test('reads no booking where it is not clear which is meant', async () => {
    const desk = await open([named('ABC001')]);
    const refusing = (over: object = {}) =>
      desk.refused('propose_plan', { steps: [step('move_party', { ...TRAIN, ...over })] });
    await expectRefusals('move_party', {
      'a booking and a train': refusing({ locator: 'ABC001' }),
      neither: refusing({ train: undefined, date: undefined }),
      'a train without its day': refusing({ date: undefined, locators: ['ABC001'] }),
      'a train without its bookings': refusing(),
    });
    expect(desk.methods()).toEqual([]);
  });
});
