import { describe, expect, test } from 'vitest';
import type { ResourceLink } from '../../src/approvals/answer.ts';
import type { Booking } from '../../src/domain/booking/booking.ts';
import type { TicketDocumentQuery } from '../../src/domain/booking/ticket-documents.ts';
import { ClerkError, type ErrorCode } from '../../src/errors.ts';
import type { TicketDelivery } from '../../src/tools/definition/define.ts';
import { readTicket, ticketDocuments } from '../../src/tools/definition/ticket-documents.ts';
import { getTickets } from '../../src/tools/get-tickets.ts';
import { fiveAdults, held, partlyCancelled, ticketed } from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { openDesk, parsed, refusedWith } from './support/tool-context.ts';

type Fetch = (query: TicketDocumentQuery) => Promise<Uint8Array>;
const pdf: Fetch = async ({ number, coupon }) => Buffer.from(`%PDF-1.4 ${number}/${coupon}`);

function counter(booking: Booking, ticketDocument: Fetch = pdf, tickets?: TicketDelivery) {
  const placeName = (code: string) => ({ MED: 'Madinah', JED: 'Jeddah' })[code];
  const desk = openDesk({ bookings: [booking], airline: { ticketDocument, placeName } });
  const links: ResourceLink[] = [];
  const ctx = { ...desk.ctx, attach: (link: ResourceLink) => links.push(link), ...(tickets && { tickets }) };
  const run = (over: object = {}) => getTickets.run(parsed(getTickets, { locator: 'abc123', ...over }), ctx);
  return {
    ctx,
    links,
    run,
    fetched: () => desk.asked.filter(([method]) => method === 'ticketDocument'),
    async told(over: object = {}) {
      const output = getTickets.output().parse(await run(over));
      return { output, text: getTickets.text(output, parsed(getTickets, { locator: 'abc123', ...over })) };
    },
  };
}

const failing = (code: ErrorCode, message: string, airline = {}): Fetch => {
  return async () => {
    throw new ClerkError(code, message, { next: 'Call again.', airline });
  };
};

describe('get_tickets', () => {
  test('gives each coupon of each passenger as a resource, with the name and the trip', async () => {
    const { told, links } = counter(ticketed());
    const { output, text } = await told();
    expect(output).toEqual({
      tickets: [
        {
          number: '1234567890101',
          coupon: '1',
          passenger_ref: '1',
          passenger_name: 'Amal Haddad',
          segment_ref: '1',
          trip: 'HHR101 Madinah → Jeddah',
          uri: 'fareclerk://tickets/ABC123/1234567890101/1',
          bytes: 24,
        },
        {
          number: '1234567890101',
          coupon: '2',
          passenger_ref: '1',
          passenger_name: 'Amal Haddad',
          segment_ref: '2',
          trip: 'HHR202 Jeddah → Madinah',
          uri: 'fareclerk://tickets/ABC123/1234567890101/2',
          bytes: 24,
        },
      ],
    });
    expect(links).toEqual([
      {
        uri: 'fareclerk://tickets/ABC123/1234567890101/1',
        name: 'Ticket Amal Haddad, Madinah → Jeddah',
        mimeType: 'application/pdf',
        size: 24,
      },
      expect.objectContaining({ name: 'Ticket Amal Haddad, Jeddah → Madinah' }),
    ]);
    expect(text.split('\n')).toEqual([
      '2 tickets as PDF:',
      '  1234567890101/1  Amal Haddad  HHR101 Madinah → Jeddah  fareclerk://tickets/ABC123/1234567890101/1',
      '  1234567890101/2  Amal Haddad  HHR202 Jeddah → Madinah  fareclerk://tickets/ABC123/1234567890101/2',
    ]);
  });

  test('says how a customer gets the tickets by e-mail, only where send_tickets is offered', async () => {
    const line = "To e-mail them to the booking's contact: send_tickets.";
    const { ctx, run } = counter(ticketed());
    const output = await run();
    const args = parsed(getTickets, { locator: 'abc123' });
    const offering = { ...ctx, settings: { ...ctx.settings, sendsTickets: true } };
    expect(getTickets.text(output, args, offering).split('\n').at(-1)).toBe(line);
    expect(getTickets.text({ tickets: [] }, args, offering)).not.toContain(line);
    expect(getTickets.text(output, args, ctx)).not.toContain(line);
  });

  test('fetches only the tickets of the passengers and segments that are asked for', async () => {
    const { run, fetched } = counter(fiveAdults());
    const { tickets } = await run({ passenger_refs: ['2', '4'], segment_refs: ['2'] });
    expect(tickets.map(({ passenger_ref, segment_ref }) => [passenger_ref, segment_ref])).toEqual([
      ['2', '2'],
      ['4', '2'],
    ]);
    expect(fetched()).toHaveLength(2);
    expect((await refusedWith(run({ passenger_refs: ['9'] }), 'E_INPUT')).message).toContain('1, 2, 3, 4, 5');
    expect((await refusedWith(run({ segment_refs: ['9'] }), 'E_INPUT')).message).toContain('segment_refs');
  });

  test('says which tickets are no longer good, and does not ask for them', async () => {
    const { told, fetched } = counter(partlyCancelled());
    const { output, text } = await told();
    expect(output.tickets).toHaveLength(1);
    expect(output.missing).toEqual([{ number: '1234567890101', why: 'Amal Haddad, segment 2: it is refunded' }]);
    expect(text).toContain('No PDF of 1234567890101: Amal Haddad, segment 2: it is refunded.');
    expect(fetched()).toHaveLength(1);
  });

  test.each<[string, Fetch, string]>([
    [
      'the airline has none',
      failing('E_NOT_FOUND', 'No such booking.', { status: 404 }),
      'the airline has no PDF of it',
    ],
    [
      'it is no PDF',
      failing('E_AIRLINE_REPLY', "The airline's reply is not a PDF."),
      "the airline's reply is not a PDF",
    ],
    [
      'the airline is silent',
      failing('E_AIRLINE_TIMEOUT', 'The airline did not answer in time.'),
      'the airline did not answer in time',
    ],
  ])('goes on with the other tickets if one cannot be had: %s', async (_, fails, why) => {
    const { told } = counter(ticketed(), (query) => (query.coupon === '1' ? fails(query) : pdf(query)));
    const { output } = await told();
    expect(output.tickets.map(({ coupon }) => coupon)).toEqual(['2']);
    expect(output.missing).toEqual([{ number: '1234567890101', why: `Amal Haddad, segment 1: ${why}` }]);
  });

  test('ends the call where a setting or the sign-in is wrong, and where the program is', async () => {
    await refusedWith(counter(ticketed(), failing('E_CONFIG', 'No address.')).run(), 'E_CONFIG');
    await refusedWith(counter(ticketed(), failing('E_AUTH', 'Refused.')).run(), 'E_AUTH');
    const mistake = counter(ticketed(), async () => {
      throw new TypeError('oops');
    });
    await expect(mistake.run()).rejects.toThrow('oops');
  });

  test('refuses a booking that is not paid, is cancelled, or has no ticket yet', async () => {
    const { message } = await refusedWith(counter(held()).run(), 'E_NOT_PAID');
    expect(message).toBe('Booking ABC123: it is not paid, so it has no tickets. Nothing was sent.');
    await refusedWith(counter(held({ cancelled: true })).run(), 'E_NOT_PERMITTED');
    const bare = { ...ticketed(), tickets: [] };
    expect((await refusedWith(counter(bare).run(), 'E_NOT_PERMITTED')).next).toContain('in a minute');
  });

  test('saves into the folder only if there is one, and says so before it reads', async () => {
    const unset = counter(ticketed());
    const { message } = await refusedWith(unset.run({ save: true }), 'E_CONFIG');
    expect(message).toContain('FARECLERK_TICKETS_DIR');
    const overHttp = counter(ticketed(), pdf, { link: async () => 'https://air.example/tickets/key' });
    expect((await refusedWith(overHttp.run({ save: true }), 'E_INPUT')).next).toContain('each ticket has a url');
    expect(overHttp.fetched()).toEqual([]);
    const saved: string[] = [];
    const { told } = counter(ticketed(), pdf, {
      save: async ({ number, coupon }, bytes) => {
        saved.push(Buffer.from(bytes).toString());
        return `/tickets/${number}-${coupon}.pdf`;
      },
    });
    expect((await told()).output.tickets[0]).not.toHaveProperty('file');
    const { output, text } = await told({ save: true });
    expect(output.tickets[0]?.file).toBe('/tickets/1234567890101-1.pdf');
    expect(text).toContain('/tickets/1234567890101-2.pdf');
    expect(saved).toEqual(['%PDF-1.4 1234567890101/1', '%PDF-1.4 1234567890101/2']);
  });

  test('gives a short-lived address over HTTP, for the caller', async () => {
    const asked: unknown[] = [];
    const { told } = counter(ticketed(), pdf, {
      link: async (...about) => `https://air.example/tickets/${asked.push(about)}`,
    });
    const { output, text } = await told({ segment_refs: ['1'] });
    expect(output.tickets[0]?.url).toBe('https://air.example/tickets/1');
    expect(text).toContain('Each https link works once, for five minutes.');
    const name = { locator: 'ABC123', number: '1234567890101', coupon: '1' };
    expect(asked).toEqual([[{ tenant: 'desk', id: 'ann' }, name]]);
  });

  test('passes on no text of a reply as a part of an address', async () => {
    const [ticket] = ticketed().tickets;
    const odd = { ...ticketed(), tickets: [{ ...ticket, number: '220/../x?y#z', coupons: [{ number: '..\u202e' }] }] };
    const { told } = counter(odd as Booking);
    const { output } = await told();
    expect(output.tickets[0]?.uri).toMatch(/^fareclerk:\/\/tickets\/ABC123\/[\w%.-]+\/[\w%.-]+$/);
    expect(output.tickets[0]?.uri).not.toContain('/../');
  });
});

describe('tickets without coupons', () => {
  const links = [
    { href: 'https://rest.example/a?firstName=Amal', segmentRef: '1' },
    { href: 'https://rest.example/b?firstName=Amal', segmentRef: '2' },
  ];
  const bare = (over: Partial<Booking> = {}): Booking => {
    const booking = ticketed(over);
    return { ...booking, tickets: booking.tickets.map((ticket) => ({ ...ticket, coupons: [], links })) };
  };

  test('are fetched by the link of each segment', async () => {
    const { run, fetched } = counter(bare());
    const { tickets } = await run();
    expect(tickets.map(({ uri }) => uri)).toEqual([
      'fareclerk://tickets/ABC123/1234567890101/s1',
      'fareclerk://tickets/ABC123/1234567890101/s2',
    ]);
    expect(fetched().map(([, query]) => (query as TicketDocumentQuery).links)).toEqual(links.map(({ href }) => [href]));
  });

  test('are not fetched by name if two travellers have that name', () => {
    const twins = bare({ travelers: [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Amal', 'Haddad')] });
    expect(ticketDocuments(twins).flatMap(({ query }) => query.links)).toEqual([]);
  });
});

describe('a ticket by its name', () => {
  const name = { locator: 'ABC123', number: '1234567890101', coupon: '2' };

  test('is fetched after the booking was read', async () => {
    const { ctx, fetched } = counter(ticketed());
    expect(Buffer.from(await readTicket(name, ctx)).toString()).toBe('%PDF-1.4 1234567890101/2');
    expect(fetched()).toHaveLength(1);
  });

  test.each([
    { ...name, number: '999' },
    { ...name, coupon: '3' },
    { ...name, locator: '../../x' },
    { ...name, locator: 'NOSUCH' },
    { ...name, number: '..' },
  ])('is not found as $locator/$number/$coupon', async (other) => {
    const { ctx, fetched } = counter(ticketed());
    await refusedWith(readTicket(other, ctx), 'E_NOT_FOUND');
    expect(fetched()).toEqual([]);
  });

  test('is not found once its coupon is refunded', async () => {
    await refusedWith(readTicket(name, counter(partlyCancelled()).ctx), 'E_NOT_FOUND');
  });
});
