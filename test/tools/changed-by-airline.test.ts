import { describe, expect, test } from 'vitest';
import type { Finding } from '../../src/domain/booking/finding.ts';
import type { ToolContext } from '../../src/tools/definition/define.ts';
import { recordBooking } from '../../src/tools/definition/record-booking.ts';
import { listBookings } from '../../src/tools/list-bookings.ts';
import { readBooking } from '../../src/tools/read-booking.ts';
import { held, NOW, ticketed } from '../support/bookings.ts';
import { type Desk, openDesk, parsed } from './support/tool-context.ts';

const finding = (id: string, over: Partial<Finding> = {}): Finding => ({
  ...{ id, tenant: 'desk', locator: 'ABC123', kind: 'retimed', seenAt: NOW, since: NOW - 3_600_000 },
  segment: { from: 'MED', to: 'JED', number: '101', departs: '2026-12-01T08:00:00.000+03:00' },
  before: { departs: '2026-12-01T08:00:00.000+03:00' },
  after: { departs: '2026-12-01T09:30:00.000+03:00' },
  ...over,
});
const MOVED = 'train 101 MED → JED on Tue 1 Dec departs 09:30, was 08:00';

function withFindings(desk: Desk, found: readonly Finding[]): ToolContext {
  const open: NonNullable<ToolContext['state']['findings']>['open'] = async (_tenant, _now, locators) =>
    found.filter(({ locator }) => locators === undefined || locators.includes(locator));
  return { ...desk.ctx, state: { ...desk.ctx.state, findings: { open, list: async () => found } } };
}

async function list(args: object, ctx: ToolContext) {
  return listBookings.output().parse(await listBookings.run(parsed(listBookings, args), ctx));
}

async function read(ctx: ToolContext) {
  const args = parsed(readBooking, { locator: 'ABC123' });
  const output = readBooking.output().parse(await readBooking.run(args, ctx));
  return { output, text: readBooking.text(output, args, ctx) };
}

describe('what the airline changed', () => {
  test('needs attention in the list, the newest change first', async () => {
    const desk = openDesk({ bookings: [ticketed()] });
    const ctx = withFindings(desk, [finding('b'), finding('a')]);
    await list({ locators: ['ABC123'] }, ctx);
    const { bookings } = await list({ needs_attention: true }, ctx);
    expect(bookings.map((row) => row.needs_attention)).toEqual([`the airline changed it: ${MOVED} (and 1 more)`]);
    expect((await list({ needs_attention: true }, withFindings(desk, []))).bookings).toEqual([]);
  });

  test('stands beside a hold that is due', async () => {
    const desk = openDesk({ bookings: [held()] });
    const ctx = withFindings(desk, [finding('a')]);
    const { bookings } = await list({ locators: ['ABC123'] }, ctx);
    expect(bookings[0]?.needs_attention).toBe(`unpaid, and due within the hour; the airline changed it: ${MOVED}`);
  });

  test('is listed however many bookings were read since', async () => {
    const desk = openDesk({});
    const entry = { madeHere: true, seenAt: NOW, state: 'ticketed' };
    for (let i = 0; i < 1005; i++) desk.ledger.set(`L${i}`, { ...entry, locator: `L${i}` });
    const ctx = withFindings(desk, [finding('a', { locator: 'L1003' })]);
    const { bookings } = await list({ needs_attention: true }, ctx);
    expect(bookings.map(({ locator }) => locator)).toEqual(['L1003']);
  });

  test('stands in the booking, five changes at most', async () => {
    const desk = openDesk({ bookings: [ticketed()] });
    const { output, text } = await read(withFindings(desk, [finding('a')]));
    expect(output.booking.state_basis).toBe(`tickets are issued\nChanged since Sun 29 Nov: ${MOVED}`);
    expect(text.split('\n').slice(0, 2)).toEqual([
      expect.stringContaining('ticketed (tickets are issued)'),
      `Changed since Sun 29 Nov: ${MOVED}`,
    ]);
    const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => finding(id));
    expect((await read(withFindings(desk, many))).text).toContain('\n2 more changes\n');
    expect((await read(desk.ctx)).output.booking.state_basis).toBe('tickets are issued');
  });

  test('is looked for in readings, with the time at which they began, and not in replies of operations', async () => {
    const desk = openDesk({ bookings: [ticketed()] });
    const seen: (number | undefined)[] = [];
    const ctx: ToolContext = { ...desk.ctx, see: async (_booking, begunAt) => seen.push(begunAt) === 0 };
    await read(ctx);
    await recordBooking(ctx, ticketed(), false);
    expect(seen).toEqual([NOW, undefined]);
  });

  test('is not asked for again after a reading that leaves nothing open', async () => {
    const desk = openDesk({ bookings: [ticketed()] });
    const ctx = withFindings(desk, [finding('a')]);
    const basisIf = async (isQuiet: boolean) =>
      (await read({ ...ctx, see: async () => isQuiet })).output.booking.state_basis;
    expect(await basisIf(false)).toContain(MOVED);
    expect(await basisIf(true)).toBe('tickets are issued');
  });
});
