import { describe, expect, test } from 'vitest';
import type { Operation } from '../../src/approvals/terms.ts';
import { listBookings } from '../../src/tools/list-bookings.ts';
import { held, ticketed } from '../support/bookings.ts';
import { type Desk, openDesk, operationOf, parsed } from './support/tool-context.ts';

const TERMS = {
  locator: 'ABC123',
  sections: [],
  act: '',
  nature: 'change',
  ask: true,
  subject: { kind: 'create' },
  send: 0,
} as const;
const operation = (over: Partial<Operation>) => operationOf(over.tool ?? 'pay_booking', TERMS, over);

async function list(args: object, desk: Desk) {
  const given = parsed(listBookings, args);
  const output = listBookings.output().parse(await listBookings.run(given, desk.ctx));
  return { output, text: listBookings.text(output, given) };
}

const second = ticketed({ locator: 'XYZ789', references: [{ id: 'XYZ789', segmentRefs: [] }] });

describe('list_bookings', () => {
  test('reads the named bookings into the ledger, and says that the airline has no list call', async () => {
    const told: number[] = [];
    const desk = openDesk({ bookings: [held(), second], progress: (done) => told.push(done) });
    const { output, text } = await list({ locators: ['abc123', 'XYZ789'] }, desk);
    expect(output.total_found).toBe(2);
    expect(output.bookings[0]).toEqual({
      locator: 'ABC123',
      state: 'held',
      contact_name: 'Amal Haddad',
      route: 'MED-JED-MED',
      departs: '2026-12-01T08:00:00.000+03:00',
      total: '690.00',
      currency: 'SAR',
      next_deadline: { what: 'pay_by', at: '2026-11-29T05:25:00Z' },
      seen_at: '2026-11-29T05:00:00Z',
      needs_attention: 'unpaid, and pay_by is within the hour',
    });
    expect(told).toEqual([1, 2]);
    expect(text).toContain('The airline has no list call');
    expect(text).toContain('ABC123  held');
  });

  test('filters bookings by state, words, deadline and attention', async () => {
    const desk = openDesk({ bookings: [held(), second] });
    await list({ locators: ['ABC123', 'XYZ789'] }, desk);
    const found = async (args: object) => (await list(args, desk)).output.bookings.map((row) => row.locator);
    expect(await found({ state: 'ticketed' })).toEqual(['XYZ789']);
    expect(await found({ query: 'XYZ' })).toEqual(['XYZ789']);
    expect(await found({ deadline_within_hours: 1 })).toEqual(['ABC123']);
    expect(await found({ needs_attention: true })).toEqual(['ABC123']);
    expect(await found({ needs_attention: false })).toEqual(['XYZ789']);
    desk.operations.push(operation({ state: 'needs_person', locator: 'XYZ789' }));
    expect((await list({ query: 'XYZ' }, desk)).output.bookings[0]?.needs_attention).toBe(
      'a person must check pay_booking',
    );
  });

  test('lists a named booking that cannot be read and was never seen', async () => {
    const { output, text } = await list({ locators: ['ABC123', 'NOSUCH', 'nosuch'] }, openDesk({ bookings: [held()] }));
    expect(output.total_found).toBe(2);
    expect(output.bookings[1]).toMatchObject({
      locator: 'NOSUCH',
      state: 'unknown',
      needs_attention: 'could not be read now (E_NOT_FOUND)',
    });
    expect(text).toContain('2 of 2 bookings');
  });

  test('reads bookings again with refresh, and marks one that cannot be read', async () => {
    const desk = openDesk({ bookings: [held(), second] });
    await list({ locators: ['ABC123', 'XYZ789'] }, desk);
    const later = openDesk({ bookings: [ticketed()] });
    for (const [locator, entry] of desk.ledger) later.ledger.set(locator, entry);
    const { output } = await list({ refresh: true }, later);
    expect(output.bookings.map((row) => [row.locator, row.state, row.needs_attention])).toEqual([
      ['ABC123', 'ticketed', undefined],
      ['XYZ789', 'ticketed', 'could not be read now (E_NOT_FOUND)'],
    ]);
    expect(later.asked.map(([, locator]) => locator).sort()).toEqual(['ABC123', 'XYZ789']);
  });
});
