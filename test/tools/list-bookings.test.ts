import { describe, expect, test } from 'vitest';
import type { Operation } from '../../src/approvals/terms.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
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
      next_deadline: { what: 'pay_by', at: '2026-11-29T05:25:00Z', in_minutes: 25 },
      seen_at: '2026-11-29T05:00:00Z',
      needs_attention: 'unpaid, and due within the hour',
    });
    expect(told).toEqual([1, 2]);
    expect(text).toContain('2 bookings, nearest deadline first. The airline has no list');
    expect(text).toContain('Times are local (UTC+3).');
    expect(text).toContain(
      'ABC123  held      MED → JED → MED  Tue 1 Dec 08:00  SAR 690.00  Amal Haddad  pay by Sun 29 Nov 08:25, in 25 min         ATTENTION',
    );
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

  test('says why a named booking is not listed', async () => {
    const { output, text } = await list({ locators: ['ABC123', 'NOSUCH', 'nosuch'] }, openDesk({ bookings: [held()] }));
    expect(output.total_found).toBe(1);
    expect(output.not_listed).toEqual([{ locator: 'NOSUCH', why: 'the airline found no booking with this locator' }]);
    expect(text).toMatch(/^1 booking\. The airline/);
    expect(text).toContain('Not listed:\n  NOSUCH: the airline found no booking with this locator');
  });

  test.each([
    [{ query: 'zzz' }, [], ['does not match the query', 'does not match the query']],
    [{ state: 'held' }, ['ABC123'], ['it is ticketed']],
    [{ deadline_within_hours: 1 }, ['ABC123'], ['nothing due within 1 hour']],
    [{ needs_attention: true }, ['ABC123'], ['needs no attention']],
    [{ max_results: 1 }, ['ABC123'], ['more bookings match than max_results']],
  ])('narrows the named bookings by %o, and answers for each one left out', async (filter, locators, whys) => {
    const desk = openDesk({ bookings: [held(), second] });
    const { output } = await list({ locators: ['ABC123', 'XYZ789'], ...filter }, desk);
    expect(output.bookings.map(({ locator }) => locator)).toEqual(locators);
    expect(output.not_listed?.map(({ why }) => why)).toEqual(whys);
  });

  test('lists the nearest deadline first, and a booking that needs attention before those without one', async () => {
    const desk = openDesk();
    const entry = { madeHere: true, seenAt: 0, state: 'held' };
    const due = (at: string) => ({ nextDeadline: { what: 'pay_by', at }, payBy: at });
    desk.ledger.set('LATER1', { ...entry, locator: 'LATER1', ...due('2026-11-30T05:00:00Z') });
    desk.ledger.set('NONE11', { ...entry, locator: 'NONE11', state: 'ticketed' });
    desk.ledger.set('SOON11', { ...entry, locator: 'SOON11', ...due('2026-11-29T06:30:00Z') });
    desk.ledger.set('PAST11', { ...entry, locator: 'PAST11', ...due('2026-11-29T04:00:00Z') });
    const { output, text } = await list({}, desk);
    expect(output.bookings.map(({ locator }) => locator)).toEqual(['PAST11', 'SOON11', 'LATER1', 'NONE11']);
    expect(text).toContain('pay by Sun 29 Nov 2026 04:00, passed');
    expect(text).toContain('in 24 hours');
  });

  test('says so if it does not count all bookings, and lists open ones that were seen long ago', async () => {
    const desk = openDesk();
    const entry = { madeHere: true, seenAt: 0, state: 'ticketed' };
    for (let i = 0; i <= 1_200; i++) desk.ledger.set(`L${i}`, { ...entry, locator: `L${i}` });
    desk.operations.push(operation({ state: 'needs_person', locator: 'L1200' }));
    const { output, text } = await list({}, desk);
    expect(output.total_found).toBe(1001);
    expect(text).toMatch(/^20 of more than 1000 bookings, nearest deadline first\./);
    expect(output.bookings[0]).toMatchObject({ locator: 'L1200', needs_attention: 'a person must check pay_booking' });
  });

  test('lists the nearest deadlines of a large ledger, however long ago they were seen', async () => {
    const desk = openDesk();
    const state = await openSqliteState(':memory:');
    const at = (minute: number) => new Date(desk.ctx.now() + minute * 60_000).toISOString();
    const entry = { madeHere: true, state: 'held' } as const;
    for (let i = 0; i <= 1_100; i++) {
      const due = { what: 'pay_by', at: at(i + 1) } as const;
      await state.ledger.record(desk.ctx.caller, { ...entry, locator: `L${i}`, seenAt: i, nextDeadline: due });
    }
    const ctx = { ...desk.ctx, state: { ...desk.ctx.state, ledger: state.ledger } };
    const { bookings } = await listBookings.run(parsed(listBookings, { max_results: 3 }), ctx);
    expect(bookings.map(({ locator }) => locator)).toEqual(['L0', 'L1', 'L2']);
    await state.close();
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
