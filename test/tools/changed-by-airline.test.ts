import { describe, expect, test } from 'vitest';
import type { Finding } from '../../src/domain/booking/finding.ts';
import { cancelBooking } from '../../src/tools/cancel-booking.ts';
import { closeFindings } from '../../src/tools/close-findings.ts';
import type { ToolContext } from '../../src/tools/definition/define.ts';
import { noteBooking } from '../../src/tools/definition/record-booking.ts';
import { listBookings } from '../../src/tools/list-bookings.ts';
import { quoteCancellation } from '../../src/tools/quote-cancellation.ts';
import { readBooking } from '../../src/tools/read-booking.ts';
import { held, NOW, ticketed } from '../support/bookings.ts';
import { type Desk, openDesk, parsed, refusedWith } from './support/tool-context.ts';

const finding = (id: string, over: Partial<Finding> = {}): Finding => ({
  ...{ id, tenant: 'desk', locator: 'ABC123', kind: 'retimed', seenAt: NOW, since: NOW - 3_600_000 },
  segment: { from: 'MED', to: 'JED', number: '101', departs: '2026-12-01T08:00:00.000+03:00' },
  before: { departs: '2026-12-01T08:00:00.000+03:00' },
  after: { departs: '2026-12-01T09:30:00.000+03:00' },
  ...over,
});
const MOVED = 'train 101 MED → JED on Tue 1 Dec departs 09:30, was 08:00';

interface Closed {
  readonly tenant: string | undefined;
  readonly ids: readonly string[];
  readonly by: string;
}

function withFindings(desk: Desk, found: readonly Finding[], closed: Closed[] = []): ToolContext {
  const open: NonNullable<ToolContext['state']['findings']>['open'] = async (_tenant, _now, locators) =>
    found.filter(({ locator }) => locators === undefined || locators.includes(locator));
  const close = async (tenant: string | undefined, ids: readonly string[], by: string) => {
    closed.push({ tenant, ids, by });
    return ids.length;
  };
  return { ...desk.ctx, state: { ...desk.ctx.state, findings: { open, list: async () => found, close } } };
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
    await noteBooking(ctx, ticketed(), false);
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

  test.each([
    ['a preview', (ctx: ToolContext) => cancelBooking.preview({ locator: 'ABC123' }, ctx)],
    ['a quote', (ctx: ToolContext) => quoteCancellation.run(parsed(quoteCancellation, { locator: 'ABC123' }), ctx)],
    ['a reading', read],
  ])('is looked for in every reading, which the list shows too: %s', async (_name, act) => {
    const desk = openDesk({ bookings: [ticketed()] });
    const seen: (number | undefined)[] = [];
    await act({ ...desk.ctx, see: async (_booking, begunAt) => seen.push(begunAt) === 0 });
    expect(seen).toEqual([NOW]);
    expect((await list({}, desk.ctx)).bookings.map(({ locator }) => locator)).toEqual(['ABC123']);
  });

  test('leaves a booking out of the list, and uncompared, that was named with another surname', async () => {
    const desk = openDesk({ bookings: [ticketed()] });
    const seen: unknown[] = [];
    const ctx: ToolContext = { ...desk.ctx, see: async (booking) => seen.push(booking) === 0 };
    const args = parsed(readBooking, { locator: 'ABC123', surname: 'Other' });
    await expect(readBooking.run(args, ctx)).rejects.toThrow('no booking ABC123 with that surname');
    expect(seen).toEqual([]);
    expect((await list({}, desk.ctx)).bookings).toEqual([]);
  });
});

const CANCELLED = {
  kind: 'segment_cancelled',
  before: { status: 'confirmed' },
  after: { status: 'cancelled' },
} as const;

/** A desk with these bookings in its ledger. */
function deskWith(...locators: string[]): Desk {
  const desk = openDesk();
  const entry = { madeHere: true, seenAt: NOW, state: 'ticketed' };
  for (const locator of locators) desk.ledger.set(locator, { ...entry, locator });
  return desk;
}

describe('what the airline changed, as data', () => {
  const found = [
    finding('aaaaaaaa1', { ...CANCELLED, locator: 'ABC001' }),
    // Boards the same train at another station.
    finding('bbbbbbbb2', {
      ...CANCELLED,
      locator: 'ABC002',
      segment: { from: 'JED', to: 'KAE', number: '101', departs: '2026-12-01T10:20:00.000+03:00' },
    }),
    finding('cccccccc3', { locator: 'ABC003' }),
    finding('dddddddd4', {
      ...CANCELLED,
      locator: 'ABC003',
      segment: { from: 'MED', to: 'JED', number: '101', departs: '2026-12-02T08:00:00.000+03:00' },
    }),
    finding('eeeeeeee5', {
      kind: 'price_changed',
      locator: 'ABC003',
      segment: undefined as never,
      before: { amount: '10.00', currency: 'SAR' },
      after: { amount: '12.00', currency: 'SAR' },
    }),
  ];

  test('is grouped by train and day, with the bookings and the ids that close it', async () => {
    const desk = deskWith('ABC001', 'ABC002', 'ABC003');
    const output = await list({}, withFindings(desk, found));
    expect(output.changes).toEqual([
      {
        what: 'train 101 on Tue 1 Dec was cancelled by the airline',
        ...{ kind: 'segment_cancelled', train: '101', date: '2026-12-01', bookings: 2 },
        locators: ['ABC001', 'ABC002'],
        finding_ids: ['aaaaaaaa', 'bbbbbbbb'],
      },
      {
        what: 'train 101 on Tue 1 Dec departs 09:30, was 08:00',
        ...{ kind: 'retimed', train: '101', date: '2026-12-01', bookings: 1 },
        locators: ['ABC003'],
        finding_ids: ['cccccccc'],
      },
      {
        what: 'train 101 on Wed 2 Dec was cancelled by the airline',
        ...{ kind: 'segment_cancelled', train: '101', date: '2026-12-02', bookings: 1 },
        locators: ['ABC003'],
        finding_ids: ['dddddddd'],
      },
      {
        what: 'ABC003: costs SAR 12.00, was SAR 10.00',
        ...{ kind: 'price_changed', bookings: 1 },
        locators: ['ABC003'],
        finding_ids: ['eeeeeeee'],
      },
    ]);
    const text = listBookings.text(output, parsed(listBookings, {}), desk.ctx);
    expect(text).toContain(
      'train 101 on Tue 1 Dec was cancelled by the airline: 2 bookings: ABC001, ABC002; finding_ids aaaaaaaa, bbbbbbbb',
    );
    expect(text).toContain('close_findings');
  });

  test('counts all bookings of a train, and names as many as one plan can have lines', async () => {
    const locators = Array.from({ length: 60 }, (_, i) => `ABC${100 + i}`);
    const desk = deskWith(...locators);
    const many = locators.map((locator) => finding(`id-${locator}x`, { ...CANCELLED, locator }));
    const { changes, bookings } = await list({ max_results: 5 }, withFindings(desk, many));
    expect(bookings).toHaveLength(5);
    expect(changes?.map((one) => [one.bookings, one.locators.length])).toEqual([[60, 50]]);
    const text = listBookings.text({ bookings: [], total_found: 60, changes: changes ?? [] }, {}, desk.ctx);
    expect(text).toContain('60 bookings, first 50: ABC100');
  });

  test('is left out where nothing is open, or the filter leaves its booking out', async () => {
    const desk = deskWith('ABC001');
    expect(await list({}, withFindings(desk, []))).not.toHaveProperty('changes');
    expect(await list({ needs_attention: false }, withFindings(desk, found))).not.toHaveProperty('changes');
  });
});

describe('close_findings', () => {
  const close = async (ids: readonly string[], ctx: ToolContext) => {
    const args = parsed(closeFindings, { finding_ids: ids });
    const output = closeFindings.output().parse(await closeFindings.run(args, ctx));
    return { output, text: closeFindings.text(output, args) };
  };
  const found = [
    finding('aaaaaaaa1', { locator: 'ABC001' }),
    finding('bbbbbbbb2', { locator: 'ABC001' }),
    finding('cccccccc3', { locator: 'XYZ999' }),
  ];

  test('closes the findings with these ids in the name of the caller, and no other', async () => {
    const closed: Closed[] = [];
    const { output, text } = await close(['aaaaaaaa'], withFindings(deskWith('ABC001'), found, closed));
    expect(closed).toEqual([{ tenant: 'desk', ids: ['aaaaaaaa1'], by: 'ann' }]);
    expect(output).toEqual({ closed: 1, not_open: [] });
    expect(text).toBe('1 finding is closed. Nothing changed at the airline.');
  });

  test('says which ids are not open, and takes none that is too short to mean one finding', async () => {
    const closed: Closed[] = [];
    const ctx = withFindings(deskWith('ABC001'), found, closed);
    const { output, text } = await close(['aaaaaaaa1', 'bbbbbbbb', 'aaaa', 'zzzzzzzz'], ctx);
    expect(output).toEqual({ closed: 2, not_open: ['aaaa', 'zzzzzzzz'] });
    expect(text).toContain('No open finding of yours has these ids: aaaa, zzzzzzzz.');
    expect(closed[0]?.ids).toEqual(['aaaaaaaa1', 'bbbbbbbb2']);
  });

  test('closes nothing on a booking that is not in the caller’s list', async () => {
    const closed: Closed[] = [];
    const error = await refusedWith(
      close(['cccccccc'], withFindings(deskWith('ABC001'), found, closed)),
      'E_NOT_FOUND',
    );
    expect(error.message).toContain('Nothing was closed.');
    expect(closed).toEqual([]);
    await refusedWith(close(['cccccccc'], openDesk().ctx), 'E_NOT_FOUND');
  });
});
