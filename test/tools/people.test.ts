/** change_names, update_contact and update_passenger: what a person sees of the old and the new, and what is sent. */
import { describe, expect, test } from 'vitest';
import { addedOrders } from '../../src/domain/facts/tickets-and-orders.ts';
import { yesTo } from '../campaigns/support/office.ts';
import { held, permitting, reread, ticketed } from '../support/bookings.ts';
import { contactNamed, personName, traveler } from '../support/people.ts';
import { type Booking, callsOf, expectRefusals, expectTexts, openDesk } from './support/desk.ts';

const names = callsOf('change_names');
const contact = callsOf('update_contact');
const details = callsOf('update_passenger');

const at = (time: string) => ({ now: Date.parse(time) });
const changes = (...all: object[]) => ({ changes: all });
const one = (change: object) => changes({ passenger_ref: '1', ...change });
type Traveler = Booking['travelers'][number];
const people = (...travelers: Traveler[]) => ticketed({ travelers });
const AMAL = traveler('1', 'Amal', 'Haddad');
const NOOR = traveler('2', 'Noor', 'Haddad');
const named = (over: Parameters<typeof personName>[2]) => people({ ...AMAL, name: personName('Amal', 'Haddad', over) });
const { name: _name, ...unnamed } = traveler('1', 'x', 'y');
const ID = { type: 'national_id', number: 'P1234567', nationality: 'PK', expires: '2031-01-01' };
const PASSPORT = { type: 'passport', number: 'x9999999', nationality: 'SA', expires: '2032-02-02' };
const NEW_PHONE = { country_code: '+966', number: '55 999 0000' };
const phone = (number: string) => ({ countryCode: '966', number });
const RAIL = { settings: { dialect: 'rail' } } as const;
const AIRLINE = { settings: { dialect: 'airline' } } as const;

describe('change_names', () => {
  test('sends no other name than the question says, where the airline divides the given names otherwise meanwhile', async () => {
    const shown = { ...named({ given: ['Amal'], middle: ['Noor'] }) };
    const bookings = [shown];
    const desk = await openDesk({ bookings });
    const args = { locator: 'ABC123', ...one({ given_name: 'Laila' }) };
    const asked = await desk.ask('change_names', args);
    expect(asked.text).toContain('now “Laila Noor Haddad”');
    bookings[0] = named({ given: ['Amal Noor'] });
    const answer = { dialog: { handle: asked.handle, raw: yesTo(asked) } };
    const { code, message } = await desk.refused('change_names', args, answer);
    expect([code, message]).toEqual(['E_APPROVAL_STALE', expect.stringContaining('now “Laila Haddad”')]);
  });

  test('changes whom the person approved, where the airline exchanges the pointers of two passengers meanwhile', async () => {
    const bookings = [people(AMAL, NOOR)];
    const desk = await openDesk({ bookings });
    const args = { locator: 'ABC123', ...one({ given_name: 'Laila' }) };
    const asked = await desk.ask('change_names', args);
    const refs = new Map([
      ['1', '2'],
      ['2', '1'],
    ]);
    const anew = (ref: string) => refs.get(ref) ?? ref;
    const [was] = bookings;
    if (was === undefined) throw new Error('no booking');
    const { travelers, tickets } = was.reading;
    bookings[0] = reread(was, {
      travelers: travelers.map((each) => ({ ...each, ref: anew(each.ref) })),
      tickets: tickets.map((each) => ({ ...each, travelerRefs: each.travelerRefs.map(anew) })),
    });
    await desk.result('change_names', args, { dialog: { handle: asked.handle, raw: yesTo(asked) } });
    const [{ travelers: sent }] = desk.sent();
    expect(sent).toEqual([
      expect.objectContaining({
        ref: '2',
        birthDate: AMAL.birthDate,
        name: expect.objectContaining({ given: ['Laila'] }),
      }),
    ]);
  });

  const order = (over: object = {}) => ({ action: 'CREATE_BOOKING', direction: 'PAYMENT', status: 'PENDING', ...over });
  const { status: _status, ...silent } = order();
  const SURNAME = one({ surname: 'Al-Haddad' });

  test.each<[string, { id: string; minor: number; action?: string }[], number]>([
    ['none that the airline numbers anew', [{ id: 'n7', minor: 34_500 }], 0],
    [
      'none with a number that was another’s',
      [
        { id: 'o1', minor: 0, action: 'CHANGE_NAME' },
        { id: 'o2', minor: 34_500 },
      ],
      0,
    ],
    [
      'one more of the same sum',
      [
        { id: 'o1', minor: 34_500 },
        { id: 'o2', minor: 34_500 },
      ],
      1,
    ],
    ['one of another act', [{ id: 'n7', minor: 34_500, action: 'CHANGE_NAME' }], 1],
    [
      'one of another sum',
      [
        { id: 'n7', minor: 34_500 },
        { id: 'n8', minor: 5_000 },
      ],
      1,
    ],
  ])('finds new orders of money: %s', (_title, rows, count) => {
    const paid = ({ minor, ...over }: { id: string; minor: number }) =>
      order({ status: 'PAID', amount: { minor, currency: 'SAR' }, ...over });
    const before = ticketed({ orders: [paid({ id: 'o1', minor: 34_500 })] });
    expect(addedOrders(before, ticketed({ orders: rows.map(paid) }))).toHaveLength(count);
  });

  test('shows a person what changes and until when', async () => {
    const unissued = { ...ticketed(), tickets: [] };
    const titled = named({ prefix: ['Prof.', 'Dr'], title: ['MS'] });
    await expectTexts('questions/change_names', {
      'A name on issued tickets': names.ask(ticketed(), SURNAME),
      'Paid, and no ticket is issued yet': names.ask(unissued, one({ given_name: 'Jörg' })),
      'Title and document, and the name stays': names.ask(ticketed(), one({ title: 'Dr', document: ID })),
      'A title in place of several': names.ask(titled, one({ title: 'MRS' })),
    });
  });

  test.each<[string, Partial<Booking>]>([
    ['no order at all', {}],
    ['an order that is PAID, before tickets appear', { orders: [order({ status: 'PAID' })] }],
    ['an order in a word that is not known', { orders: [order({ status: 'CONFIRMED' })] }],
    ['an order without a status', { orders: [silent] }],
    ['a paid order beside a pending one', { orders: [order(), order({ status: 'PAID' })] }],
    ['a refund', { orders: [order(), { direction: 'REFUND', status: 'PENDING' }] }],
    ['a ticket number', { orders: [order()], tickets: ticketed().tickets }],
  ])('asks a person unless the booking is provably unpaid: %s', async (_title, over) => {
    expect((await names.ask(held(over), SURNAME)).act).toBe('Change the name on ABC123');
  });

  test('changes a name on an unpaid booking without a question, and reports it in the airline’s spelling', async () => {
    const after = held({ orders: [order()], travelers: [traveler('1', 'Sara Lina', 'Haddad')] });
    const change = one({ given_name: 'Sara', middle_name: 'Lina' });
    const { view, operation, desk } = await names.done(held({ orders: [order()] }), change, { after });
    expect(view.changes).toEqual([{ passenger_ref: '1', was: 'Amal Haddad', now: 'Sara Lina Haddad' }]);
    expect(view.changes).toMatchObject([{ passenger_ref: '1', now: 'Sara Lina Haddad' }]);
    expect(operation.subject).toMatchObject({ kind: 'change_names', changes: [{ ref: '1', details: ['name'] }] });
    expect(JSON.stringify(operation)).not.toMatch(/Amal|Sara|Haddad/i);
    expect(desk.sent()).toHaveLength(1);
  });

  test.each<[string, Booking, object, object[]]>([
    [
      'the given details, and all others as the airline has them',
      named({ middle: ['Noor'], title: ['Ms'] }),
      one({ surname: 'Weiß', gender: 'Unknown' }),
      [{ ...AMAL, gender: 'Unknown', name: personName('Amal', 'Weiss', { middle: ['Noor'], title: ['Ms'] }) }],
    ],
    [
      'a title as a prefix, in place of any before',
      named({ prefix: ['MR'], title: ['MR'] }),
      one({ given_name: 'Sara', middle_name: 'Lina', title: 'MRS' }),
      [{ name: personName('Sara', 'Haddad', { middle: ['Lina'], prefix: ['MRS'] }) }],
    ],
    [
      'a document',
      ticketed(),
      one({ document: { ...ID, number: 'k99', nationality: 'sa' } }),
      [{ document: { number: 'K99', docType: '5', nationality: 'SA', expires: '2031-01-01' } }],
    ],
    [
      'the first name of an unnamed passenger',
      people(unnamed, { ...unnamed, ref: '2' }),
      changes({ passenger_ref: '2', given_name: 'Jörg', surname: 'Weiss' }),
      [{ ref: '2', name: { given: ['Joerg'], surname: 'Weiss' } }],
    ],
    [
      'only passengers whose names differ, whatever accents and case',
      people(AMAL, NOOR),
      changes({ passenger_ref: '1', given_name: 'AMÁL' }, { passenger_ref: '2', given_name: 'Nour' }),
      [{ ref: '2' }],
    ],
  ])('sends %s', async (_title, booking, args, travelers) => {
    const { sent } = await names.say(booking, args);
    expect(sent).toMatchObject({ kind: 'change_names', travelers });
    expect(sent.travelers).toHaveLength(travelers.length);
  });

  test('reports old and new names, other details as such, and the wish alone where no booking is read', async () => {
    const after = people(traveler('1', 'Sara', 'Haddad'));
    const renamed = names.done(ticketed(), one({ given_name: 'Sara' }), { after });
    const male = people({ ...AMAL, gender: 'Male' });
    await expectTexts('results/change_names', {
      'A name': renamed,
      'Another gender': names.done(ticketed(), one({ gender: 'Male' }), { after: male }),
    });
    const { desk, again } = await renamed;
    expect((await desk.read('change_names', again)).view).toMatchObject({ status: 'already_done' });
  });

  test('refuses what cannot be changed', async () => {
    const given = one({ given_name: 'Sara' });
    const numbered = (number: string) => one({ document: { ...ID, number } });
    await expectRefusals('change_names', {
      'after the time limit for names': names.refused(ticketed(), given, at('2026-11-30T00:00:00Z')),
      'a hold that has lapsed': names.refused(held(), given, at('2026-11-29T06:00:00Z')),
      'a cancelled booking': names.refused(held({ cancelled: true }), given),
      'what the airline does not permit': names.refused(permitting(ticketed(), ['10']), given),
      'an unknown passenger': names.refused(ticketed(), changes({ passenger_ref: '7', given_name: 'Sara' })),
      'a passenger twice': names.refused(ticketed(), changes(...given.changes, ...given.changes)),
      'an adult who is a child': names.refused(ticketed(), one({ birth_date: '2020-01-01' })),
      'no change at all': names.refused(ticketed(), changes()),
      'half a name for an unnamed passenger': names.refused(people(unnamed), one({ surname: 'Weiss' })),
      'no document number': names.refused(ticketed(), numbered('*')),
      'a document number with separators': names.refused(ticketed(), numbered('x 99-88/77')),
      'the same name': names.refused(ticketed(), one({ given_name: 'Amál' })),
      'a title in the name': names.refused(named({}), one({ given_name: 'Mrs Amal' })),
      'the same title': names.refused(named({ prefix: ['MRS'] }), one({ title: 'MRS' })),
    });
  });
});

describe('update_contact', () => {
  const { contact: KNOWN = contactNamed('Amal', 'Haddad') } = held();
  const withContact = (over: Partial<typeof KNOWN>) => held({ contact: { ...KNOWN, ...over } });
  const MANY = withContact({
    emails: ['amal@example.com', 'boss@example.com'],
    phones: [phone('551111111'), phone('552222222'), phone('553333333')],
    addresses: [{ city: 'Riyadh', countryName: 'KSA' }, { city: 'Mecca' }],
  });
  const own = { emails: ['amal@example.com'], phones: [phone('551234567')] };
  const { contact: _contact, ...alone } = held();
  const shared: Booking = {
    ...alone,
    travelers: [{ ...AMAL, ...own }, { ...NOOR, emails: ['noor@example.com'] }, traveler('3', 'Lina', 'Haddad', own)],
  };
  const EVERYTHING = {
    ...{ given_name: 'Noor', email: 'noor.haddad@example.com', phone: NEW_PHONE },
    ...{ city: 'Jeddah', country: 'sa' },
  };
  const ADDRESS = { city: 'Riyadh', countryCode: 'SA', countryName: 'Saudi Arabia' };
  const IN_AE = { city: 'Riyadh', countryCode: 'AE' };
  const NEW_EMAIL = { email: 'new@example.com' };
  const inRiyadh = withContact({ addresses: [ADDRESS] });

  test('shows a person the old contact masked, the new one as it is sent, and what stays', async () => {
    await expectTexts('questions/update_contact', {
      'Everything is new': contact.ask(ticketed(), EVERYTHING),
      'The first of several': contact.ask(MANY, { email: 'new@example.com', phone: NEW_PHONE, city: 'Jeddah' }),
      'A name in other letters': contact.ask(held(), { surname: 'Müller' }),
      'No contact before': contact.ask(alone, { given_name: 'Amal', surname: 'Haddad', email: 'a@example.com' }),
      'On every passenger who shares it': contact.ask(shared, { email: 'new@example.com', phone: NEW_PHONE }, AIRLINE),
    });
  });

  test.each<[string, Booking, object, object]>([
    [
      'the new details',
      ticketed(),
      EVERYTHING,
      {
        ...{ name: { given: ['Noor'], surname: 'Haddad' }, emails: ['noor.haddad@example.com'] },
        ...{ phones: [phone('559990000')], addresses: [{ city: 'Jeddah', countryCode: 'SA' }] },
      },
    ],
    ['the old details that are not given', held(), NEW_EMAIL, { ...KNOWN, emails: ['new@example.com'] }],
    ['the country of a new city', inRiyadh, { city: 'Jeddah' }, { addresses: [{ ...ADDRESS, city: 'Jeddah' }] }],
    ['the city without its old country', inRiyadh, { country: 'AE' }, { addresses: [IN_AE] }],
    [
      'the others after the new ones',
      MANY,
      { email: 'new@example.com', phone: NEW_PHONE, city: 'Jeddah' },
      {
        emails: ['new@example.com', 'boss@example.com'],
        phones: [phone('559990000'), phone('552222222'), phone('553333333')],
        addresses: [{ city: 'Jeddah' }, { city: 'Mecca' }],
      },
    ],
    ['one address once', MANY, { email: 'Boss@example.com' }, { emails: ['Boss@example.com'] }],
  ])('sends %s', async (_title, booking, args, wanted) => {
    expect((await contact.say(booking, args)).sent).toMatchObject({ kind: 'update_contact', contact: wanted });
  });

  test.each([
    ['in addition to the old one', [phone('551234567'), phone('559990000')], 'done'],
    ['in its place', [phone('559990000')], 'done'],
    ['never', [phone('551234567')], 'pending'],
    ['as none at all', [], 'pending'],
  ])(
    'changes the passengers who share a contact, where the new number appears %s: %s',
    async (_title, phones, status) => {
      const changed = { ...own, emails: ['new@example.com'], phones };
      const travelers = shared.travelers.map((each) => (each.ref === '2' ? each : { ...each, ...changed }));
      const args = { ...NEW_EMAIL, phone: NEW_PHONE };
      const { view, sent } = await contact.say(shared, args, { ...AIRLINE, after: { ...shared, travelers } });
      const both = { emails: ['new@example.com'], phones: [phone('551234567'), phone('559990000')] };
      expect(sent.kind).toBe('update_passengers');
      expect(sent.travelers).toMatchObject(['1', '3'].map((ref) => ({ ref, ...both })));
      expect(view.status).toBe(status);
    },
  );

  test('reports which details changed', async () => {
    const after = withContact({ emails: ['new@example.com'], addresses: [{ city: 'Jeddah' }] });
    const done = contact.done(held(), { ...NEW_EMAIL, city: 'Jeddah' }, { after });
    await expectTexts('results/update_contact', { 'E-mail and city': done });
    expect((await done).view.changed_details).toEqual(['email', 'address']);
  });

  test('refuses what cannot be changed', async () => {
    const same = { email: 'AMAL@example.com', phone: { country_code: '966', number: '551234567' } };
    await expectRefusals('update_contact', {
      'no detail': contact.refused(held(), {}),
      'invisible characters': contact.refused(held(), { email: 'amal\u202e@example.com' }),
      'no given name where there is no contact': contact.refused(alone, NEW_EMAIL),
      'no surname where there is no contact': contact.refused(alone, { given_name: 'Amal' }),
      'the same details': contact.refused(held(), same),
      'the same address in other letters': contact.refused(MANY, { email: 'AMAL@example.com' }),
      'a cancelled booking': contact.refused(ticketed({ cancelled: true }), NEW_EMAIL),
      'what the airline does not permit': contact.refused(permitting(ticketed(), ['10']), NEW_EMAIL, AIRLINE),
      'the name of a contact that only passengers have': contact.refused(shared, { given_name: 'Amal' }, AIRLINE),
      'a contact that only passengers have, in the rail dialect': contact.refused(shared, NEW_EMAIL, RAIL),
      'a hold that has lapsed': contact.refused(held(), NEW_EMAIL, at('2026-11-29T06:00:00Z')),
    });
  });
});

describe('update_passenger', () => {
  const other = { number: 'N7654321', docType: '2', nationality: 'SA', expires: '2031-01-01' };
  const TWO = [AMAL, { ...NOOR, document: other }];
  const both = people(...TWO);
  const EVERYTHING = {
    ...{ passenger_ref: '1', gender: 'Male', birth_date: '1991-05-05', document: PASSPORT },
    ...{ email: 'new@example.com', phone: NEW_PHONE },
  };
  const ONE_OF_TWO = changes(EVERYTHING, { passenger_ref: '2', gender: 'Female' });
  const known = {
    emails: ['old@example.com', 'boss@example.com'],
    phones: [phone('551234567'), { number: '5522222' }],
  };
  const { document: _document, ...undocumented } = AMAL;

  test('shows a person each changed detail, the old ones masked, and what stays', async () => {
    const odd = people({ ...AMAL, document: { docType: '9' } });
    const document = { ...PASSPORT, number: 'P1234567' };
    const swapped = TWO.map(({ document: own }) => ({ ...PASSPORT, number: own?.number ?? '', expires: '2031-01-01' }));
    const [first, second] = swapped;
    await expectTexts('questions/update_passenger', {
      'Everything of one, nothing of the other': details.ask(both, ONE_OF_TWO),
      'The first of several': details.ask(people({ ...AMAL, ...known }), changes(EVERYTHING)),
      'A document of which little is known': details.ask(odd, one({ document })),
    });
    expect((await details.ask(people(undocumented), one({ document }))).text).toContain(
      'document: was none, now passport',
    );
    const exchange = changes({ passenger_ref: '1', document: second }, { passenger_ref: '2', document: first });
    expect((await details.ask(both, exchange)).lines[0]).toContain('2 passengers');
  });

  test.each([
    [{ nationality: 'PK' }, 'now passport •••••567 (PK, expires 2031-01-01)'],
    [{ type: 'national_id' }, 'now national_id •••••567 (SA, expires 2031-01-01)'],
    [{ expires: '2033-03-03' }, 'now passport •••••567 (SA, expires 2033-03-03)'],
    [{ number: 'P7654567' }, 'now passport •••••567 (SA, expires 2031-01-01) (another number)'],
  ])('shows each changed part of a document: %o', async (part, now) => {
    const document = { ...PASSPORT, number: 'P1234567', expires: '2031-01-01', ...part };
    expect((await details.ask(ticketed(), one({ document }))).text).toContain(now);
  });

  test('sends the changed passengers with their names as they are, and keeps other addresses and numbers', async () => {
    const { sent } = await details.say(people({ ...AMAL, ...known }, NOOR), ONE_OF_TWO);
    expect(sent.kind).toBe('update_passengers');
    expect(sent.travelers).toMatchObject([
      {
        ...{ ref: '1', name: AMAL.name, gender: 'Male', birthDate: '1991-05-05' },
        document: { number: 'X9999999', docType: '2' },
        ...{ emails: ['new@example.com', 'boss@example.com'], phones: [phone('559990000'), { number: '5522222' }] },
      },
    ]);
  });

  test('reports the changed details, and that the request is assumed', async () => {
    const after = people({ ...AMAL, gender: 'Male', birthDate: '1991-05-05' });
    const done = details.done(ticketed(), one({ gender: 'Male', birth_date: '1991-05-05' }), { after });
    await expectTexts('results/update_passenger', { 'Gender and birth date': done });
    expect((await done).view.changes).toEqual([{ passenger_ref: '1', details: ['gender', 'birth_date'] }]);
  });

  test('refuses what cannot be changed, and takes what the airline permits', async () => {
    const male = one({ gender: 'Male' });
    const document = (over: object) => one({ document: { ...PASSPORT, ...over } });
    await expectRefusals('update_passenger', {
      'what the airline does not permit': details.refused(permitting(ticketed(), ['10']), male, AIRLINE),
      'a cancelled booking': details.refused(held({ cancelled: true }), male),
      'the document of another passenger': details.refused(both, document({ number: 'n-7654321' })),
      'one document for two': details.refused(
        both,
        changes(...document({}).changes, { passenger_ref: '2', document: PASSPORT }),
      ),
      'a document number with separators': details.refused(both, document({ number: 'X 999-9999' })),
      'a document that ends too early': details.refused(both, document({ expires: '2026-12-05' })),
      'an age that does not fit': details.refused(both, one({ birth_date: '2020-01-01' })),
      'an unknown passenger': details.refused(both, changes({ passenger_ref: '9', gender: 'Male' })),
      'a passenger twice': details.refused(both, changes(...male.changes, ...one({ gender: 'Female' }).changes)),
      'an unnamed passenger': details.refused(people(unnamed), male),
      'no difference': details.refused(held(), one({ gender: 'Female' })),
    });
    const asked = async (types: string[], options: object) => {
      const booking = permitting(ticketed(), types);
      await details.ask(booking, male, options);
      await contact.ask(booking, { email: 'new@example.com' }, options);
    };
    await asked(['3', '10'], AIRLINE);
    await asked(['10'], RAIL);
  });
});
