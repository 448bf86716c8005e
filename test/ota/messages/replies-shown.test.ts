/**
 * What a tool shows of replies written by hand: the airline's own words are shown, personal numbers are masked.
 */
import { describe, expect, test } from 'vitest';
import { decodeBookReply } from '../../../src/ota/messages/book.ts';
import { decodeReadReply } from '../../../src/ota/messages/read.ts';
import { openDesk } from '../../tools/support/desk.ts';
import { golden } from './golden.ts';

async function shown(name: string): Promise<string> {
  const decode = name.startsWith('hold') ? decodeBookReply : decodeReadReply;
  const booking = decode(golden('replies', name));
  const now = Date.parse('2031-04-01T09:10:00Z');
  const desk = await openDesk({ now, bookings: [booking] });
  const { view, text } = await desk.read('read_booking', { locator: booking.locator, detail: 'full' });
  return `${JSON.stringify(view)}\n${text}`;
}

describe('read_booking', () => {
  test('masks the document number of a FOID service in read_booking', async () => {
    const text = await shown('read-rail-services');
    expect(text).toContain('FOID');
    expect(text).not.toContain('000111222');
  });

  test("shows the airline's words of a fare rule in read_booking, and no template key", async () => {
    const text = await shown('hold-airline');
    expect(text).toContain('Fee EUR 30.00 per flight.');
    expect(text).not.toContain('rules.refund');
  });

  test("names the operator's references of a hold with their segments in read_booking", async () => {
    const text = await shown('hold-rail');
    expect(text).toContain('{"system":"OPR","locator":"OPR555011","segment_refs":["1"]}');
    expect(text).toContain('Also known as: OPR OPR555011 (segment 1); OPR OPR555012 (segment 2)');
  });

  test('shows no pay-by time for a paid booking in read_booking', async () => {
    expect(await shown('read-rail-paid')).not.toMatch(/"pay_by":"/);
  });
});
