import { expect, it } from 'vitest';
import { pageTickets, pdfReply } from '../../../src/server/tickets/page-tickets.ts';
import { partlyCancelled, ticketed } from '../../support/bookings.ts';

const placeName = (code: string) => ({ MED: 'Madinah' })[code];

it('lists the valid tickets of a booking with words for people', () => {
  expect(pageTickets(ticketed(), placeName)).toEqual([
    {
      ticket: { locator: 'ABC123', number: '1234567890101', coupon: '1' },
      label: 'Ticket Amal Haddad, Madinah → JED',
    },
    {
      ticket: { locator: 'ABC123', number: '1234567890101', coupon: '2' },
      label: 'Ticket Amal Haddad, JED → Madinah',
    },
  ]);
  expect(pageTickets(partlyCancelled())).toHaveLength(1);
});

it('sends a ticket as a file whose name holds letters and digits only', async () => {
  const reply = pdfReply({ locator: 'ABC123', number: '../"\r\n1', coupon: 's1' }, Buffer.from('%PDF-1.4'));
  expect(reply.headers.get('content-disposition')).toBe('attachment; filename="ABC123-1-s1.pdf"');
  expect(reply.headers.get('content-security-policy')).toContain('sandbox');
  expect(await reply.text()).toBe('%PDF-1.4');
});
