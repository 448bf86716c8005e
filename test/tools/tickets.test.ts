/** get_tickets, its documents by name, and send_tickets. */
import { describe, expect, test } from 'vitest';
import { ClerkError } from '../../src/core/errors.ts';
import { BACK, fiveAdults, held, inStatus, OUT, partlyCancelled, ticketed } from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import {
  type Airline,
  type Booking,
  CALLER,
  callsOf,
  type DeskOptions,
  expectRefusals,
  expectTexts,
  type Finding,
  openDesk,
  placeName,
} from './support/desk.ts';

type Fetch = Airline['ticketDocument'];
const pdf: Fetch = async ({ number, coupon }) => Buffer.from(`%PDF-1.4 ${number}/${coupon}`);
const failing =
  (code: ClerkError['code'], message: string, airline = {}): Fetch =>
  async () => {
    throw new ClerkError(code, message, { next: 'Call again.', airline });
  };
const tickets = callsOf('get_tickets', { locator: 'abc123' });
const fetching = (ticketDocument: Fetch = pdf, options: DeskOptions = {}): DeskOptions => ({
  airline: { ticketDocument, placeName },
  ...options,
});
const read = (booking: Booking, args: object = {}, options = fetching()) => tickets.read(booking, args, options);
const fetched = ({ asked }: { asked: readonly (readonly [string, unknown])[] }) =>
  asked.flatMap(([method, query]) => (method === 'ticketDocument' ? [query as Parameters<Fetch>[0]] : []));
const uri = (coupon: string) => `fareclerk://tickets/ABC123/1234567890101/${coupon}`;

const segment = { from: 'MED', to: 'JED', number: '101', departs: '2026-12-01T08:00:00.000+03:00' };
const found = (kind: Finding['kind'], over: Partial<Finding>): Finding => ({
  ...{
    id: `id-${kind}-00000`,
    tenant: 'desk',
    locator: 'ABC123',
    kind,
    seenAt: 2,
    since: Date.parse('2026-11-28T05:00:00Z'),
    segment,
  },
  ...over,
});

describe('get_tickets of a flight that is gone', () => {
  const lost = (statusCode: string) => ticketed({ options: [inStatus(OUT, statusCode), BACK] });

  test.each(['16', 'UN', 'HX', 'UC'])('says so first, and gives no PDF that looks valid: %s', async (code) => {
    const { view, text, links, desk } = await read(lost(code));
    expect(text).toMatch(
      /^NOT FOR TRAVEL: train HHR101 MED → JED on Tue 1 Dec is cancelled\. 1 ticket of booking ABC123 as PDF/,
    );
    expect(view.tickets).toMatchObject([{ coupon: '2' }]);
    expect(view.missing).toMatchObject([
      { why: expect.stringContaining('not for travel, because its flight or train is cancelled') },
    ]);
    expect(links).toHaveLength(1);
    expect(fetched(desk)).toHaveLength(1);
  });

  test('says so first of a whole booking that is cancelled while its coupons are open', async () => {
    const { view, text } = await read(ticketed({ cancelled: true }));
    expect(text).toMatch(/^NOT FOR TRAVEL: train HHR101 .* is cancelled; train HHR202 .* is cancelled\. 0 tickets/);
    expect(view.tickets).toEqual([]);
  });

  test('says so first where only a finding tells it, and names what else the airline changed', async () => {
    const cancelled = found('segment_cancelled', { after: { status: 'cancelled' } });
    const later = { departs: '2026-12-01T08:45:00.000+03:00' };
    const retimed = found('retimed', { before: { departs: segment.departs }, after: later });
    const gone = await read(ticketed({ options: [BACK] }), {}, { ...fetching(), findings: [cancelled] });
    expect(gone.text).toMatch(/^NOT FOR TRAVEL: train 101 MED → JED on Tue 1 Dec was cancelled by the airline\. /);
    const moved = await read(ticketed(), {}, { ...fetching(), findings: [retimed] });
    expect(moved.text).toMatch(/^2 tickets of booking ABC123 as PDF\./);
    expect(moved.view).toMatchObject({
      warnings: ['Changed since Sat 28 Nov: train 101 MED → JED on Tue 1 Dec departs 08:45, was 08:00'],
      airline_changes: [{ locator: 'ABC123', kind: 'retimed', finding_id: 'id-retim' }],
    });
    // A reading that has just shown that nothing is open saves the look.
    const quiet = await read(ticketed(), {}, { ...fetching(), findings: [retimed], see: async () => true });
    expect([quiet.view.warnings, quiet.view.airline_changes]).toEqual([undefined, undefined]);
  });
});

describe('get_tickets', () => {
  test('gives each coupon of each passenger as a resource, with the name and the trip', async () => {
    const both = read(ticketed());
    const part = read(partlyCancelled());
    const link = async () => 'https://air.example/tickets/1';
    await expectTexts('results/get_tickets', {
      'Two tickets, and an airline that mails them': read(
        ticketed(),
        {},
        fetching(pdf, { settings: { sendsTickets: true } }),
      ),
      'One is refunded': part,
      'Over HTTP': read(ticketed(), { segment_refs: ['1'] }, fetching(pdf, { settings: { tickets: { link } } })),
    });
    const { view, links, text } = await both;
    const one = { number: '1234567890101', passenger_ref: '1', passenger_name: 'Amal Haddad', bytes: 24 };
    expect(view.tickets).toEqual([
      { ...one, coupon: '1', segment_ref: '1', uri: uri('1') },
      { ...one, coupon: '2', segment_ref: '2', uri: uri('2') },
    ]);
    expect(view.trips).toEqual({ 1: 'HHR101 Madinah → Jeddah', 2: 'HHR202 Jeddah → Madinah' });
    const name = 'Ticket Amal Haddad, Madinah → Jeddah';
    expect(links).toEqual([
      { uri: uri('1'), name, mimeType: 'application/pdf', size: 24 },
      expect.objectContaining({ name: 'Ticket Amal Haddad, Jeddah → Madinah' }),
    ]);
    expect(text).not.toContain('send_tickets');
    expect(fetched((await part).desk)).toHaveLength(1);
  });

  test('fetches only the tickets of the passengers and segments that are asked for', async () => {
    const { view, desk } = await read(fiveAdults(), { passenger_refs: ['2', '4'], segment_refs: ['2'] });
    type Ticket = { passenger_ref: string; segment_ref: string };
    expect(view.tickets.map(({ passenger_ref, segment_ref }: Ticket) => [passenger_ref, segment_ref])).toEqual([
      ['2', '2'],
      ['4', '2'],
    ]);
    expect(fetched(desk)).toHaveLength(2);
  });

  test('goes on with the other tickets if the airline has none, or does not answer', async () => {
    for (const [fails, why] of [
      [failing('E_NOT_FOUND', 'No such booking.', { status: 404 }), 'the airline has no PDF of it'],
      [failing('E_AIRLINE_TIMEOUT', 'The airline did not answer in time.'), 'the airline did not answer in time'],
    ] as const) {
      const some = fetching((query) => (query.coupon === '1' ? fails(query) : pdf(query)));
      const { view } = await read(ticketed(), {}, some);
      expect(view).toMatchObject({ tickets: [{ coupon: '2' }], missing: [{ why: `Amal Haddad, segment 1: ${why}` }] });
    }
  });

  test('refuses a booking without tickets, and ends where a setting, the sign-in or the program is wrong', async () => {
    const refused = (booking: Booking, args: object = {}, fetch?: Fetch) =>
      tickets.refused(booking, args, fetching(fetch));
    const mistake = async () => {
      throw new TypeError('oops');
    };
    const nobody = { passenger_refs: ['9'], segment_refs: ['9'] };
    await expectRefusals('get_tickets', {
      'an unpaid hold': refused(held()),
      'a cancelled hold': refused(held({ cancelled: true })),
      'no ticket yet': refused({ ...ticketed(), tickets: [] }),
      'an unknown passenger': refused(fiveAdults(), { passenger_refs: ['9'] }),
      'an unknown segment': refused(fiveAdults(), { segment_refs: ['9'] }),
      'an unknown passenger and an unknown segment': refused(fiveAdults(), nobody),
      'no address': refused(ticketed(), {}, failing('E_CONFIG', 'No address.')),
      'a refused sign-in': refused(ticketed(), {}, failing('E_AUTH', 'Refused.')),
    });
    const { code, desk } = await refused(ticketed(), {}, mistake);
    expect([code, desk.failures]).toEqual(['E_INTERNAL', [new TypeError('oops')]]);
  });

  test('gives a short-lived address over HTTP, for the caller', async () => {
    const asked: unknown[] = [];
    const delivery: NonNullable<NonNullable<DeskOptions['settings']>['tickets']> = {
      link: async (...about) => `https://air.example/tickets/${asked.push(about)}`,
    };
    const options = fetching(pdf, { settings: { tickets: delivery } });
    const { view, text } = await read(ticketed(), { segment_refs: ['1'] }, options);
    expect(view.tickets[0].url).toBe('https://air.example/tickets/1');
    expect(text).toContain('https://air.example/tickets/1');
    expect(asked).toEqual([[CALLER, { locator: 'ABC123', number: '1234567890101', coupon: '1' }]]);
  });

  test('passes on no text of a reply as a part of an address', async () => {
    const [ticket] = ticketed().tickets;
    const odd = { ...ticketed(), tickets: [{ ...ticket, number: '220/../x?y#z', coupons: [{ number: '..\u202e' }] }] };
    const [{ uri: address }] = (await read(odd as Booking)).view.tickets;
    expect(address).toMatch(/^fareclerk:\/\/tickets\/ABC123\/[\w%.-]+\/[\w%.-]+$/);
    expect(address).not.toContain('/../');
  });

  test('fetches tickets without coupons by the link of each segment, and by no name that two travellers have', async () => {
    const links = ['a', 'b'].map((one, i) => ({
      href: `https://rest.example/${one}?firstName=Amal`,
      segmentRef: String(i + 1),
    }));
    const bare = (booking: Booking): Booking => ({
      ...booking,
      tickets: booking.tickets.map((ticket) => ({ ...ticket, coupons: [], links })),
    });
    const { view, desk } = await read(bare(ticketed()));
    expect(view.tickets.map((one: { uri: string }) => one.uri)).toEqual([uri('s1'), uri('s2')]);
    expect(fetched(desk).map((query) => query.links)).toEqual(links.map(({ href }) => [href]));
    const twins = ticketed({ travelers: [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Amal', 'Haddad')] });
    expect(fetched((await read(bare(twins))).desk).flatMap((query) => query.links)).toEqual([]);
  });
});

describe('a ticket by its name', () => {
  const NAME = { locator: 'ABC123', number: '1234567890101', coupon: '2' };
  const open = (booking = ticketed()) => openDesk({ bookings: [booking], ...fetching() });

  test.each([{ number: '999' }, { coupon: '3' }, { locator: '../../x' }, { locator: 'NOSUCH' }, { number: '..' }])(
    'is not found as %o',
    async (other) => {
      const desk = await open();
      await expect(desk.clerk.ticket({ ...NAME, ...other }, { caller: CALLER })).rejects.toMatchObject({
        code: 'E_NOT_FOUND',
      });
      expect(fetched(desk)).toEqual([]);
    },
  );

  test('is found however the airline writes its number by now', async () => {
    const [ticket] = ticketed().tickets;
    const desk = await open({ ...ticketed(), tickets: [{ ...ticket, number: '123-4567890101' }] } as Booking);
    expect(String(await desk.clerk.ticket(NAME, { caller: CALLER }))).toBe('%PDF-1.4 123-4567890101/2');
  });

  test('is not found once its coupon is refunded', async () => {
    const desk = await open(partlyCancelled());
    await expect(desk.clerk.ticket(NAME, { caller: CALLER })).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });
});

describe('send_tickets', () => {
  const mail = callsOf('send_tickets');
  const { name: _, ...unnamed } = traveler('2', 'x', 'y');
  const { contact, ...alone } = ticketed();

  test('sends tickets of a flight that does not run only to a caller who knows it, and names what the airline changed', async () => {
    const gone = found('segment_cancelled', { after: { status: 'cancelled' } });
    const moved = found('retimed', {
      before: { departs: gone.segment?.departs },
      after: { departs: '2026-12-01T08:45:00.000+03:00' },
    });
    const refused = await mail.refused(ticketed({ options: [BACK] }), { what: 'tickets' }, { findings: [gone] });
    expect(refused.message).toBe(
      'Booking ABC123: NOT FOR TRAVEL: train 101 MED → JED on Tue 1 Dec was cancelled by the airline. Nothing was sent.',
    );
    expect(refused.next).toContain('although_gone: true');
    const known = { what: 'tickets', although_gone: true };
    const sent = await mail.read(ticketed({ options: [BACK] }), known, { findings: [gone] });
    expect(sent.text).toMatch(
      /^NOT FOR TRAVEL: train 101 MED → JED on Tue 1 Dec was cancelled by the airline\. The airline was asked/,
    );
    const { view, text } = await mail.read(ticketed(), { what: 'tickets' }, { findings: [moved] });
    expect(text).toMatch(/^The airline was asked/);
    expect(view).toMatchObject({
      warnings: [expect.stringContaining('departs 08:45')],
      airline_changes: [{ kind: 'retimed' }],
    });
    const cancelled = await mail.read(partlyCancelled(), { what: 'cancellation' }, { findings: [gone] });
    expect(cancelled.text).toMatch(/^The airline was asked/);
  });

  test('sends to the address inside `Ann <ann@one.example>` and behind `mailto:`, and shows that one', async () => {
    for (const written of ['Ann <ann@one.example>', 'mailto:ann@one.example', ' <mailto:ann@one.example> ']) {
      const booking = ticketed({ ...(contact && { contact: { ...contact, emails: [written] } }) });
      const sent = await mail.read(booking, { what: 'tickets' });
      expect(sent.view.sent_to).toEqual(['a***@one.example']);
      expect(sent.desk.sent()).toMatchObject([{ emails: ['ann@one.example'] }]);
    }
  });

  test('sends nothing to changed addresses before a person has seen them, and names them', async () => {
    const strange = { ...contact, emails: ['amal@example.com', 'eve@stranger.example'] } as Booking['contact'];
    const booking = ticketed({ ...(strange && { contact: strange }) });
    const changed = found('contact_changed', {
      segment: undefined,
      before: {},
      after: { detail: 'e-mail', person: 'contact' },
    });
    for (const what of ['tickets', 'cancellation']) {
      const about = what === 'tickets' ? booking : { ...partlyCancelled(), contact: booking.contact };
      const refused = await mail.refused(about as Booking, { what }, { findings: [changed] });
      expect(refused.message).toMatch(
        /e-mail.*; the mail would go to a\*\*\*@example\.com and e\*\*\*@stranger\.example\. Nothing was sent\.$/,
      );
      expect(refused.next).toContain('although_changed: true');
    }
    const known = { what: 'tickets', although_changed: true };
    const { desk } = await mail.read(booking, known, { findings: [changed] });
    expect(desk.sent()[0].emails).toEqual(['amal@example.com', 'eve@stranger.example']);
  });

  test('e-mails tickets of named passengers, or what is cancelled, to the contact', async () => {
    const two = ticketed({ travelers: [traveler('1', 'Amal', 'Haddad'), unnamed] });
    const whole = ticketed({ cancelled: true, options: [], travelers: [], tickets: [] });
    const [sent, part, all] = [
      mail.read(two, { what: 'tickets' }),
      mail.read(partlyCancelled(), { what: 'cancellation' }),
      mail.read(whole, { what: 'cancellation' }),
    ];
    await expectTexts('results/send_tickets', {
      'One of two is named': sent,
      'A segment is cancelled': part,
      'All is cancelled': all,
    });
    const { view, desk } = await sent;
    const to = { locator: 'ABC123', emails: ['amal@example.com'] };
    expect(desk.sent()).toEqual([{ kind: 'tickets', ...to, names: [two.travelers[0]?.name] }]);
    expect(view).toMatchObject({ locator: 'ABC123', what: 'tickets', sent_to: ['a***@example.com'], about: 1 });
    expect(await desk.ledger('ABC123')).toBeDefined();
    expect((await part).desk.sent()).toMatchObject([{ kind: 'cancellation', ...to, segments: [{ ref: '2' }] }]);
    expect((await all).desk.sent()).toEqual([{ kind: 'cancellation', ...to, segments: [] }]);
    expect([(await part).view.about, (await all).view.about]).toEqual([1, 0]);
  });

  test('e-mails each passenger address once if the booking has no contact', async () => {
    const travelers = [
      traveler('1', 'Amal', 'Haddad', { emails: ['amal@example.com'] }),
      traveler('2', 'Noor', 'Haddad', { emails: ['noor@example.com', 'Amal@example.com'] }),
    ];
    const { desk } = await mail.read({ ...alone, travelers }, { what: 'tickets' });
    expect(desk.sent()[0].emails).toEqual(['amal@example.com', 'noor@example.com']);
  });

  test('refuses another address, and a booking without tickets, names, cancelled segments or an address', async () => {
    const refused = (booking: Booking, what: string, more: object = {}) => mail.refused(booking, { what, ...more });
    const bare: Booking = { ...ticketed({ options: [], travelers: [], tickets: [] }), orders: [] };
    const gone = partlyCancelled();
    const nowhere = gone.options.map((one) => ({ ...one, segments: one.segments.map((it) => ({ ...it, to: '' })) }));
    const silent = { ...alone, contact: { ...contact, phones: [], addresses: [], comments: [], emails: [] } };
    await expectRefusals('send_tickets', {
      'an address of the caller': refused(ticketed(), 'tickets', { email: 'x@example.com' }),
      'an unpaid hold': refused(held(), 'tickets'),
      'nobody with a name': refused(ticketed({ travelers: [{ ...unnamed, ref: '1' }] }), 'tickets'),
      'nobody with a given name': refused(ticketed({ travelers: [traveler('1', '', 'Haddad')] }), 'tickets'),
      'a cancelled segment to nowhere': refused({ ...gone, options: nowhere }, 'cancellation'),
      'nothing that is cancelled': refused(ticketed(), 'cancellation'),
      'a booking that nobody calls cancelled': refused(bare, 'cancellation'),
      'no contact': refused(alone, 'tickets'),
      'a contact without an address': refused(silent, 'tickets'),
    });
  });
});
