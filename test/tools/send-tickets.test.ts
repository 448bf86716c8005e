import { describe, expect, test } from 'vitest';
import type { BookingMail } from '../../src/domain/booking/airline-requests.ts';
import type { Booking } from '../../src/domain/booking/booking.ts';
import { sendTickets } from '../../src/tools/send-tickets.ts';
import { held, partlyCancelled, ticketed } from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { openDesk, parsed, refusedWith } from './support/tool-context.ts';

async function send(booking: Booking, what: 'tickets' | 'cancellation') {
  const sent: BookingMail[] = [];
  const desk = openDesk({ bookings: [booking], airline: { sendMail: async (mail) => void sent.push(mail) } });
  const args = parsed(sendTickets, { locator: 'ABC123', what });
  const output = sendTickets.output().parse(await sendTickets.run(args, desk.ctx));
  return { sent, output, desk, text: sendTickets.text(output, args) };
}

const unnamed = (ref: string) => {
  const { name: _, ...rest } = traveler(ref, 'x', 'y');
  return rest;
};

describe('send_tickets', () => {
  test('e-mails tickets of named passengers to the contact', async () => {
    const booking = ticketed({ travelers: [traveler('1', 'Amal', 'Haddad'), unnamed('2')] });
    const { sent, output, desk, text } = await send(booking, 'tickets');
    expect(sent).toEqual([
      { kind: 'tickets', locator: 'ABC123', emails: ['amal@example.com'], names: [booking.travelers[0]?.name] },
    ]);
    expect(output).toEqual({ locator: 'ABC123', what: 'tickets', sent_to: ['a***@example.com'], about: 1 });
    expect(text).toBe(
      'The airline was asked to e-mail the tickets of booking ABC123 to a***@example.com (1 passenger).',
    );
    expect(desk.ledger.has('ABC123')).toBe(true);
  });

  test('e-mails a cancellation with the cancelled segments', async () => {
    const { sent, output, text } = await send(partlyCancelled(), 'cancellation');
    expect(sent).toMatchObject([{ kind: 'cancellation', emails: ['amal@example.com'], segments: [{ ref: '2' }] }]);
    expect(output.about).toBe(1);
    expect(text).toContain('the cancellation of booking ABC123 to a***@example.com (1 cancelled segment).');
  });

  test('e-mails each passenger address once if the booking has no contact', async () => {
    const { contact: _, ...alone } = ticketed({
      travelers: [
        traveler('1', 'Amal', 'Haddad', { emails: ['amal@example.com'] }),
        traveler('2', 'Noor', 'Haddad', { emails: ['noor@example.com', 'Amal@example.com'] }),
      ],
    });
    const { sent } = await send(alone, 'tickets');
    expect(sent[0]?.emails).toEqual(['amal@example.com', 'noor@example.com']);
  });

  test('e-mails the cancellation of a whole booking without listing segments', async () => {
    const bare = ticketed({ cancelled: true, options: [], travelers: [], tickets: [] });
    const { sent, output, text } = await send(bare, 'cancellation');
    expect(sent).toEqual([{ kind: 'cancellation', locator: 'ABC123', emails: ['amal@example.com'], segments: [] }]);
    expect(output.about).toBe(0);
    expect(text).toContain('(everything cancelled)');
    const { cancelled: _, ...unclear } = bare;
    await refusedWith(send({ ...unclear, orders: [] }, 'cancellation'), 'E_NOT_PERMITTED');
  });

  test('accepts no other e-mail address', () => {
    const schema = sendTickets.input();
    expect(Object.keys(schema.shape)).toEqual(['locator', 'what']);
    expect(schema.safeParse({ locator: 'ABC123', what: 'tickets', email: 'x@example.com' }).success).toBe(false);
  });

  test('refuses a booking without tickets, names, cancelled segments or an e-mail address', async () => {
    expect((await refusedWith(send(held(), 'tickets'), 'E_NOT_PAID')).next).toContain('pay_booking');
    const nobody = await refusedWith(send(ticketed({ travelers: [unnamed('1')] }), 'tickets'), 'E_NOT_PERMITTED');
    expect(nobody.next).toContain('change_names');
    const whole = await refusedWith(send(ticketed(), 'cancellation'), 'E_NOT_PERMITTED');
    expect(whole.next).toContain('read_booking');
    const { contact, ...alone } = ticketed();
    for (const booking of [
      alone,
      { ...alone, contact: { ...contact, phones: [], addresses: [], comments: [], emails: [] } },
    ]) {
      const error = await refusedWith(send(booking, 'tickets'), 'E_NOT_PERMITTED');
      expect(error.message).toContain('neither its contact nor a passenger has an e-mail address. Nothing was sent.');
    }
  });
});
