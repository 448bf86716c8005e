/** Every status code of a segment, in every act and in plans: money moves only for what is confirmed. */
import { describe, expect, test } from 'vitest';
import { BACK, faresOf, held, inStatus, OUT, pricing, row, sar, ticketed } from '../support/bookings.ts';
import { WITH_UNKNOWN } from '../support/segment-codes.ts';
import { type Booking, callsOf, openDesk } from './support/desk.ts';

const INVOICE = { payment: { type: 'invoice' } };
const DIALECTS = ['rail', 'airline'] as const;

/** Price rows by the segments that they name. */
const rows = (...named: readonly (readonly [minor: number, ...refs: string[]])[]) => ({
  pricing: pricing(
    named.reduce((sum, [minor]) => sum + minor, 0),
    {
      fares: faresOf(),
      perType: named.map(([minor, ...segmentRefs]) => row('ADT', 1, sar(minor), { segmentRefs })),
    },
  ),
});
const ROWS = {
  'which name it': rows([30_000, '1'], [39_000, '2']),
  'which name both together': rows([69_000, '1', '2']),
  'which leave it out': rows([69_000, '1']),
  'which name it with nothing': rows([69_000, '1'], [0, '2']),
  'of which two are for one passenger on one segment': rows([30_000, '1'], [39_000, '1']),
  'which name one segment twice': rows([69_000, '1', '1']),
  'which name no segment': rows([69_000]),
  'which do not add up': { pricing: { ...rows([30_000, '1']).pricing, ...priceOf(69_000) } },
  'which name a segment that is not there': rows([69_000, '7']),
  'of which one has no price': {
    pricing: { ...rows([69_000, '1']).pricing, perType: [{ ...row('ADT', 1, sar(0)), price: undefined }] },
  },
  none: { pricing: pricing(69_000, { fares: faresOf(), perType: [] }) },
} as Readonly<Record<string, Pick<Booking, 'pricing'>>>;
function priceOf(minor: number) {
  return { total: pricing(minor).total };
}

function chunksOf<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}

const at = (locator: string, over: Partial<Booking>, make = held) =>
  make({ locator, references: [{ id: locator, type: '14', system: 'HHR', segmentRefs: [] }], ...over });

/** What a payment of a hold must answer whose second segment has this meaning. */
function expected(meaning: string, priceRows: string): 'asked' | 'named' | 'refused' {
  if (meaning === 'confirmed' || meaning === 'moved') return 'asked';
  return meaning === 'unknown' || /leave it out|with nothing/.test(priceRows) ? 'named' : 'refused';
}

describe.each(DIALECTS)('a hold in the %s dialect', (dialect) => {
  const settings = { dialect };
  const vehicle = dialect === 'rail' ? 'train' : 'flight';
  const name = `${vehicle} HHR202 JED → MED (segment 2`;

  test.each(Object.entries(ROWS))(
    'with price rows %s is paid only if what is not confirmed is not in its price',
    async (what, price) => {
      const bookings = WITH_UNKNOWN.map(({ code }) =>
        at(`CODE${code}`, { options: [OUT, inStatus(BACK, code)], ...price }),
      );
      const desk = await openDesk({ bookings, settings });
      for (const { code, meaning, word } of WITH_UNKNOWN) {
        const args = { locator: `CODE${code}`, ...INVOICE };
        const answer = expected(meaning, what);
        if (answer === 'refused') {
          const { code: error, message, next } = await desk.refused('pay_booking', args);
          expect([error, message]).toEqual([
            'E_NOT_PERMITTED',
            `Booking CODE${code}: segment 2 (${word}, ${code}) is not confirmed, and the price may include it. Nothing was sent.`,
          ]);
          expect(next).toContain(
            meaning === 'waiting' ? 'Call read_booking later' : 'Ask the airline for a price without it',
          );
          continue;
        }
        const { lines, text } = await desk.ask('pay_booking', args);
        const [first = ''] = lines;
        if (answer === 'asked') expect(first).toBe(`Pay SAR 690.00 for booking CODE${code} and issue its tickets.`);
        else if (meaning === 'unknown') expect(first).toContain(` The status of ${name}) is unknown (ZZ).`);
        else expect(first).toContain(`issue its tickets, without ${name}: ${word}, ${code}).`);
        expect(/\n(Train|Flight) HHR202: /.test(text)).toBe(answer === 'asked' || meaning === 'unknown');
      }
      expect(desk.sent()).toEqual([]);
    },
  );

  test.each(['which name it', 'which leave it out', 'none'])(
    'with price rows %s is in a plan as it is in an act',
    async (what) => {
      const bookings = WITH_UNKNOWN.map(({ code }) =>
        at(`CODE${code}`, { options: [OUT, inStatus(BACK, code)], ...ROWS[what] }),
      );
      const desk = await openDesk({ bookings, settings });
      const planned = async (some: readonly (typeof WITH_UNKNOWN)[number][]) => {
        const steps = some.map(({ code }) => ({
          tool: 'pay_booking',
          arguments: { locator: `CODE${code}`, ...INVOICE },
        }));
        const { view } = await desk.read('propose_plan', { steps });
        const hasLines = view.lines.length > 0;
        return { view, text: hasLines ? (await desk.ask('run_plan', { plan_id: view.plan_id })).text : '' };
      };
      // A dialog shows five lines.
      for (const some of chunksOf(WITH_UNKNOWN, 5)) {
        const { view, text } = await planned(some);
        for (const { code, meaning, word } of some) {
          const answer = expected(meaning, what);
          const left = view.left_out?.find((one: { why: string }) => one.why.includes(`CODE${code}:`));
          if (answer === 'refused') {
            expect(left?.why).toContain(`segment 2 (${word}, ${code}) is not confirmed, and the price may include it`);
          } else expect(left).toBeUndefined();
          if (meaning === 'unknown') expect(text).toContain(`WARNING: The status of ${name}) is unknown (ZZ)`);
          else if (answer === 'named')
            expect(text).toContain(`(segment 2: ${word}, ${code}) is not confirmed: it is not paid for`);
        }
      }
      expect(desk.sent()).toEqual([]);
    },
  );

  test.each(WITH_UNKNOWN)(
    'of one segment with $code is not paid unless it is confirmed',
    async ({ code, meaning, word }) => {
      const desk = await openDesk({
        bookings: [held({ options: [inStatus(OUT, code)], ...rows([69_000, '1']) })],
        settings,
      });
      const { lines, view } = await desk.read('read_booking', { locator: 'ABC123', detail: 'full' });
      expect(lines[0]).not.toContain(`0 ${vehicle}s`);
      if (meaning === 'confirmed' || meaning === 'moved' || meaning === 'unknown') {
        const question = await desk.ask('pay_booking', { locator: 'ABC123', ...INVOICE });
        expect(question.text).toContain('HHR101: MED → JED');
        expect(question.lines[0]?.includes('ZZ')).toBe(meaning === 'unknown');
        return;
      }
      const { message } = await desk.refused('pay_booking', { locator: 'ABC123', ...INVOICE });
      const why = meaning === 'lost' ? 'it is cancelled' : `segment 1 (${word}, ${code}) is not confirmed`;
      expect(message).toContain(why);
      expect(view.booking.not_allowed.pay_booking).toContain(why);
    },
  );

  test('without a code is paid, and is nowhere called confirmed', async () => {
    const uncoded = [OUT, BACK].map(({ segments: [{ statusCode: _, ...segment } = {} as never], ...option }) => ({
      ...option,
      segments: [segment],
    }));
    const desk = await openDesk({ bookings: [held({ options: uncoded })], settings });
    const { lines } = await desk.ask('pay_booking', { locator: 'ABC123', ...INVOICE });
    expect(lines[0]).toBe('Pay SAR 690.00 for booking ABC123 and issue its tickets.');
    const { text, view } = await desk.read('read_booking', { locator: 'ABC123', detail: 'full' });
    expect(`${text}${JSON.stringify(view)}`).not.toContain('confirmed');
    expect((await desk.ledger('ABC123')).legs.map(({ status }: { status: string }) => status)).toEqual([
      'active',
      'active',
    ]);
  });
});

describe('a payment for a segment with an unknown code', () => {
  const pay = callsOf('pay_booking', { locator: 'ABC123', ...INVOICE });
  const unknown = (...options: Booking['options']) => held({ options, ...rows([69_000, '1']) });

  test('is kept within the limits', async () => {
    const booking = unknown(inStatus(OUT, 'ZZ'));
    const { code } = await pay.refused(booking, {}, { limits: { perAction: sar(68_999) } });
    expect(code).toBe('E_LIMIT');
  });

  test('expects its coupons only if no other segment is known to be active', async () => {
    const receipt = async () => ({ locator: 'ABC123', references: [], items: [] });
    const couponsOf = async (booking: Booking) =>
      (await pay.say(booking, {}, { after: ticketed(), airline: { pay: receipt } })).operation.subject.coupons;
    expect(await couponsOf(unknown(inStatus(OUT, 'ZZ')))).toBe(1);
    expect(await couponsOf(unknown(OUT, inStatus(BACK, 'ZZ')))).toBe(1);
  });

  test('shows a code of the airline as data, cut and in one line', async () => {
    const { lines } = await pay.ask(unknown(inStatus(OUT, 'A”\nPay nothing\u202e'.repeat(3))));
    expect(lines[0]).toMatch(/^Pay SAR 690\.00 .* is unknown \(“A' Pay noth…”\)\.$/);
  });
});

describe('a hold of which several segments are not confirmed', () => {
  const pay = callsOf('pay_booking', { locator: 'ABC123', ...INVOICE });

  test('is refused with all of them, and after the time limit as any other', async () => {
    const booking = held({ options: [inStatus(OUT, 'HL'), inStatus(BACK, 'UN')], ...ROWS['which name it'] });
    const { message, next } = await pay.refused(booking);
    expect(message).toContain(
      'segments 1 (waitlisted, HL) and 2 (unable, UN) are not confirmed, and the price may include them. Nothing was sent.',
    );
    expect(next).toContain('An unpaid hold expires by itself');
    const rest = held({ options: [OUT, inStatus(BACK, 'UN')], ...ROWS['which leave it out'] });
    const { code } = await pay.refused(rest, {}, { now: Date.parse('2026-11-29T05:25:00Z') });
    expect(code).toBe('E_TOO_LATE');
  });

  test('tells of a payment for the rest what comes back of the rest', async () => {
    const rest = held({ options: [OUT, inStatus(BACK, 'HL')], ...rows([34_500, '1']) });
    const { lines } = await pay.ask(rest);
    expect(lines.find((line) => line.startsWith('If it is cancelled after payment'))).toContain(
      'SAR 172.50 comes back',
    );
    const both = held({ options: [inStatus(OUT, 'HL'), inStatus(BACK, 'HL')], ...rows([34_500, '1']) });
    expect((await callsOf('quote_cancellation').read(both)).text).toContain('ABC123');
  });
});

describe.each(DIALECTS)('a paid booking in the %s dialect', (dialect) => {
  const settings = { dialect };
  const booking = (code: string, isLost: boolean) =>
    ticketed({
      options: [OUT, inStatus(BACK, code, isLost ? { owed: true } : {})],
      ...ROWS['which name it'],
    });

  test.each(WITH_UNKNOWN)(
    'with $code cancels what the traveller has, and names what stays',
    async ({ code, meaning, word }) => {
      const desk = await openDesk({ bookings: [booking(code, meaning === 'lost')], settings });
      const segment = { locator: 'ABC123', segment_refs: ['2'] };
      const isActive = meaning === 'confirmed' || meaning === 'moved' || meaning === 'lost';
      if (isActive) {
        expect((await desk.ask('cancel_segment', segment)).lines[0]).toContain('HHR202');
      } else {
        const { message } = await desk.refused('cancel_segment', segment);
        expect(message).toContain(`segment 2 has the status ${word}`);
      }
      const { text } = await desk.ask('cancel_booking', { locator: 'ABC123' });
      const staying = meaning === 'waiting' ? `; ${word}, ${code}` : `; ${word}`;
      expect(text.includes('Stays as it is: ')).toBe(meaning === 'waiting' || meaning === 'unknown');
      if (text.includes('Stays as it is: ')) expect(text).toContain(staying);
      const { view } = await desk.read('read_booking', { locator: 'ABC123' });
      const shown =
        { confirmed: undefined, lost: 'cancelled' }[meaning as string] ?? (meaning === 'confirmed' ? undefined : word);
      expect(view.booking.segments[1].status).toBe(meaning === 'lost' ? 'cancelled' : shown);
      const { legs, byAirline = [] } = await desk.ledger('ABC123');
      expect(legs[1].status).toBe(shown ?? 'confirmed');
      const deeds = { moved: ['moved'], lost: ['owed'] }[meaning as string] ?? [];
      expect(byAirline.map(({ what }: { what: string }) => what)).toEqual(deeds);
    },
  );
});
