/** The desk's own key of a customer: how a booking gets it, where it is found and shown, and what is refused as a key. */
import { describe, expect, test } from 'vitest';
import { held, NOW, ticketed, withLocator } from '../../support/bookings.ts';
import { CONTACT, contactNamed, passenger, traveler } from '../../support/people.ts';
import { type DeskOptions, openDesk, shelved } from '../../tools/support/desk.ts';

const KEY = 'CRM-88213';
const PASSPORT = 'P1000001';
const AMAL = passenger(PASSPORT, { given_name: 'Amal' });
const CREATE = { offer_ids: ['o000001'], contact: CONTACT, passengers: [AMAL] };
const BOOKING = { locator: 'ABC123' };
const making: Pick<DeskOptions, 'airline' | 'offers' | 'bookings'> = {
  bookings: [held()],
  offers: [shelved()],
  airline: { create: async ({ options, travelers }) => held({ options, travelers }) },
};

test('create_booking keeps it for the booking that it makes, sends none of it, and lists find it exactly', async () => {
  const desk = await openDesk(making);
  const done = await desk.say('create_booking', { ...CREATE, customer: ` ${KEY} ` });
  expect(done.view.booking.locator).toBe('ABC123');
  expect(JSON.stringify([done.sent, done.operation, done.view])).not.toContain(KEY);
  const list = await desk.read('list_bookings', { customer: KEY });
  expect(list.view.bookings).toMatchObject([{ ...BOOKING, customer: KEY }]);
  expect(list.text).toContain(`  customer ${KEY}  `);
  expect((await desk.read('list_bookings', { customer: 'CRM-8821' })).text).toContain(
    'No match for customer “CRM-8821” among 1 booking, as last read.',
  );
  const { not_listed: notListed } = (await desk.read('list_bookings', { locators: ['ABC123'], customer: 'CRM-1' }))
    .view;
  expect(notListed).toEqual([{ ...BOOKING, why: 'does not pass the filters; it is held' }]);
  const { view, text } = await desk.read('read_booking', BOOKING);
  expect([view.customer, text.includes(`Of customer ${KEY}.`)]).toEqual([KEY, true]);
  await desk.forget('ABC123');
  expect((await desk.read('read_booking', BOOKING)).view).not.toHaveProperty('customer');
});

test('update_contact with it alone keeps it at once: nothing is sent, asked or entered in the journal', async () => {
  const desk = await openDesk({ bookings: [ticketed()] });
  for (const key of ['CRM-1', 'Größe & Co. 7']) {
    const { view, text } = await desk.read('update_contact', { ...BOOKING, customer: key });
    expect(view).toMatchObject({ status: 'done', changed_details: ['customer'] });
    expect(text).toMatch(/^Booking ABC123 is kept as one of customer .*\. Nothing was sent to the airline\.$/);
    expect((await desk.read('list_bookings', { customer: key.normalize('NFD') })).view.bookings).toHaveLength(1);
  }
  expect((await desk.read('list_bookings', {})).text).toContain('customer “Größe & Co. 7”');
  expect([desk.sent(), await desk.operations(), await desk.state.approvals.waiting(NOW)]).toEqual([[], [], []]);
  // A blank one is none.
  expect((await desk.refused('update_contact', { ...BOOKING, customer: ' ' })).code).toBe('E_INPUT');
});

test.each([
  ['an e-mail address', 'amal@example.com'],
  ['a card number', '4929 3813 3266 4295'],
  ['a line of a passport', 'P<UTOHADDAD<<AMAL'],
  ['a line of a passport', 'L898902C36UTO7408122F1204159ZE184226B1234510'],
])('%s is no key, and nothing of it is kept or said again', async (what, customer) => {
  const desk = await openDesk({
    ...making,
    bookings: [ticketed({ travelers: [traveler('1', 'Amal', 'Haddad', { document: { number: PASSPORT } })] })],
  });
  for (const [tool, args] of [
    ['create_booking', CREATE],
    ['update_contact', BOOKING],
  ] as const) {
    const { words } = await desk.refused(tool, { ...args, customer });
    expect(words).toMatch(/^E_INPUT customer: this looks like/);
    expect(words).toContain(what);
    expect(words).not.toContain(customer);
  }
  expect((await desk.read('read_booking', BOOKING)).view).not.toHaveProperty('customer');
});

test('the number of a document that the same call has is no key; one of the booking is compared with none', async () => {
  const desk = await openDesk({
    ...making,
    bookings: [ticketed({ travelers: [traveler('1', 'Amal', 'Haddad', { document: { number: PASSPORT } })] })],
  });
  const { words } = await desk.refused('create_booking', { ...CREATE, customer: 'p 100-0001' });
  expect(words).toMatch(/^E_INPUT customer: this looks like the number of a document/);
  expect(words).not.toContain('100-0001');
  const answers = [];
  for (const customer of [PASSPORT, 'P1000002'])
    answers.push((await desk.read('update_contact', { ...BOOKING, customer })).text.replace(customer, 'KEY'));
  expect(answers[0]).toBe(answers[1]);
});

test('a key has 1 to 64 visible characters', async () => {
  const desk = await openDesk({ bookings: [ticketed()] });
  const refused = async (customer: string) => (await desk.refused('update_contact', { ...BOOKING, customer })).words;
  expect(await refused('x'.repeat(65))).toContain('customer: expected 1 to 64 characters');
  for (const hidden of ['CRM\u202E1', 'CRM\u200B1', 'CRM\n1', 'CRM\u00071'])
    expect(await refused(hidden)).toContain('customer: expected visible characters only');
  for (const customer of ['x'.repeat(64), '7', 'P1000001X'])
    expect((await desk.read('update_contact', { ...BOOKING, customer })).view.status).toBe('done');
});

test('it stands alone: with a detail for the airline, or in a plan, it is refused', async () => {
  const desk = await openDesk({ bookings: [ticketed()] });
  const both = await desk.refused('update_contact', { ...BOOKING, customer: KEY, email: 'new@example.com' });
  expect(both.words).toContain('customer: expected alone');
  const steps = [{ tool: 'update_contact', arguments: { ...BOOKING, customer: KEY } }];
  expect((await desk.read('propose_plan', { steps })).text).toContain('customer: expected in a call of its own');
  expect((await desk.read('list_bookings', {})).text).not.toContain(KEY);
});

describe('customers of one name', () => {
  const of = (locator: string, key?: string, email = 'a@example.com') => ({
    ...{ locator, key },
    booking: withLocator(
      locator,
      ticketed({
        contact: contactNamed('Amelia', 'Davis', { emails: [email], phones: [] }),
        travelers: [traveler('1', 'Amelia', 'Davis')],
      }),
    ),
  });
  const listed = async (bookings: readonly ReturnType<typeof of>[], args: object) => {
    const desk = await openDesk({ bookings: bookings.map(({ booking }) => booking) });
    for (const { locator, key } of bookings) {
      await desk.read('read_booking', { locator });
      if (key !== undefined) await desk.read('update_contact', { locator, customer: key });
    }
    const { view, text } = await desk.read('list_bookings', args);
    return [
      view.bookings.map(({ locator }: { locator: string }) => locator).toSorted(),
      text.includes('several customers'),
    ];
  };
  const query = { query: 'Davis' };

  test.each([
    [
      'two keys are two customers, although they share an address',
      [of('AAA111', 'CRM-1'), of('BBB222', 'CRM-2')],
      [[], true],
    ],
    [
      'one key is one customer, although the addresses differ',
      [of('AAA111', KEY), of('BBB222', KEY, 'b@example.com')],
      [['AAA111', 'BBB222'], false],
    ],
    [
      'a booking without a key may be either’s',
      [of('AAA111', 'CRM-1'), of('BBB222', 'CRM-2'), of('CCC333')],
      [[], true],
    ],
    [
      'a booking without a key may be the one customer’s',
      [of('AAA111', 'CRM-1'), of('CCC333')],
      [['AAA111', 'CCC333'], false],
    ],
    [
      'a booking without a key and with another address is another’s',
      [of('AAA111', 'CRM-1'), of('CCC333', undefined, 'b@example.com')],
      [[], true],
    ],
  ])('%s', async (_, bookings, expected) => {
    expect(await listed(bookings, query)).toEqual(expected);
  });

  test('the key tells which customer is meant', async () => {
    const bookings = [of('AAA111', 'CRM-1'), of('BBB222', 'CRM-2')];
    expect(await listed(bookings, { ...query, customer: 'CRM-2' })).toEqual([['BBB222'], false]);
  });
});

test('a booking that has the locator later has none', async () => {
  const bookings = [ticketed({ createdAt: '2026-11-01T10:00:00Z' })];
  const desk = await openDesk({ bookings });
  await desk.read('update_contact', { ...BOOKING, customer: KEY });
  bookings[0] = ticketed({ createdAt: '2027-06-01T10:00:00Z', travelers: [traveler('1', 'Boris', 'Berg')] });
  expect((await desk.read('read_booking', BOOKING)).view).not.toHaveProperty('customer');
  expect((await desk.read('list_bookings', { customer: KEY })).view.bookings).toEqual([]);
});
