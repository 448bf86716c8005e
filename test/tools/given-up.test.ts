/**
 * What a cancellation gives up, and a move: the question says it, the page and a second person count it, and no limit does. A paid
 * booking that is cancelled for nothing moves no money, and is a loss all the same.
 */
import { describe, expect, test } from 'vitest';
import { moneyAtStake } from '../../src/approvals/request.ts';
import { answeringRole } from '../../src/approvals/who-may-answer.ts';
import { faresOf, held, NOW, option, price, row, rule, segment, ticketed, withLocator } from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { type Booking, CALLER, type DeskOptions, offer, openDesk, shelved } from './support/desk.ts';

const EUR = (minor: number) => ({ minor, currency: 'EUR' });
const DEAR = EUR(691_700);
const LIMIT = EUR(20_000);
const WHOLE = { locator: 'ABC123' };
const DIALECTS = ['rail', 'airline'] as const;

const keeps = (over: Parameters<typeof rule>[0]) => ({ refundRules: [rule({ base: EUR(0), ...over })] });
const NO_REFUND = keeps({ refundable: false });

/** A booking at EUR 6,917.00 for one adult out and back, of which nothing comes back unless the fares say otherwise. */
function dear(fares = faresOf(NO_REFUND), make: typeof ticketed | typeof held = ticketed): Booking {
  const half = EUR(DEAR.minor / 2);
  const perType = ['1', '2'].map((ref) => row('ADT', 1, half, { segmentRefs: [ref] }));
  return make({ pricing: { total: price(DEAR), refunds: [], fares, perType } });
}

/** Asks with the page above the limit, in a dialog if that is allowed, and gives the open question. */
async function asked(tool: string, args: object, options: DeskOptions) {
  const desk = await openDesk({
    ...options,
    settings: { currency: 'EUR', ...options.settings },
    pageAbove: LIMIT,
    canUseTerminal: true,
    limits: { perAction: LIMIT, perDay: LIMIT },
  });
  const answer = await desk.clerk.call(tool, args, { caller: CALLER, canElicit: true, canOpenUrls: false });
  const [question] = await desk.state.approvals.waiting(options.now ?? NOW);
  if (question === undefined) throw new Error(`nobody was asked: ${JSON.stringify(answer)}`);
  return { answer, question, lines: question.sections.flatMap(({ lines }) => lines) };
}

type Question = Awaited<ReturnType<typeof asked>>['question'];

/** Whether the person who asked may say yes alone, above EUR 200. */
function isAlone(question: Question): boolean {
  const person = { tenant: CALLER.tenant, id: CALLER.id, name: 'Ann', approver: true, supervisor: false };
  const login = { isSame: (a: { id: string }, b: { id: string }) => a.id === b.id };
  return answeringRole(person, question, { login, fourEyesAbove: LIMIT }) === 'asker';
}

describe.each(DIALECTS)('in the %s dialect', (dialect) => {
  const on = (booking: Booking, more: DeskOptions = {}): DeskOptions => ({
    bookings: [booking],
    settings: { dialect },
    ...more,
  });

  test.each([
    ['cancel_booking', WHOLE],
    ['cancel_segment', { ...WHOLE, all: true }],
  ])(
    '%s of a paid booking for nothing needs the page and another person, and no limit refuses it',
    async (tool, args) => {
      const { answer, question, lines } = await asked(tool, args, on(dear()));
      expect(lines).toContain(
        'Nothing comes back, EUR 6,917.00 is given up, tax included. This holds until Mon 30 Nov 08:00 (UTC+3).',
      );
      expect(lines.join('\n').match(/is given up/g)).toHaveLength(1);
      expect(answer.kind).toBe('result');
      expect(question).toMatchObject({ askedBy: 'page', carried: { operation: { amount: EUR(0), givenUp: DEAR } } });
      expect(isAlone(question)).toBe(false);
    },
  );

  test('one person alone may cancel what gives up no more than the amount', async () => {
    const small = ticketed({
      pricing: { total: price(LIMIT), refunds: [], fares: faresOf(NO_REFUND), perType: [row('ADT', 1, LIMIT)] },
    });
    const { answer, question, lines } = await asked('cancel_booking', WHOLE, on(small));
    expect(lines.join('\n')).toContain('Nothing comes back, EUR 200.00 is given up, tax included.');
    expect([answer.kind, isAlone(question)]).toEqual(['ask', true]);
  });

  test('one of several passengers gives up what was paid for that one', async () => {
    const two = ticketed({
      travelers: [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Noor', 'Haddad')],
      pricing: { total: price(DEAR), refunds: [], fares: faresOf(NO_REFUND), perType: [row('ADT', 2, DEAR)] },
    });
    const { question, lines } = await asked('cancel_passenger', { ...WHOLE, passenger_refs: ['2'] }, on(two));
    expect(lines.join('\n')).toContain('Nothing comes back, EUR 3,458.50 is given up, tax included.');
    expect(isAlone(question)).toBe(false);
  });

  test('the release of an unpaid hold gives up nothing', async () => {
    const { answer, question, lines } = await asked('cancel_booking', WHOLE, on(dear(faresOf(NO_REFUND), held)));
    expect([answer.kind, moneyAtStake(question), isAlone(question)]).toEqual(['ask', undefined, true]);
    expect(lines.join('\n')).not.toContain('is given up');
  });

  test('a flown flight gives up nothing', async () => {
    const now = Date.parse('2026-12-02T00:00:00Z');
    const until = '2026-12-05T15:00:00Z';
    const booking = dear(faresOf({ ...keeps({ refundable: false, until }), cancelUntil: until }));
    const { answer, question, lines } = await asked(
      'cancel_segment',
      { ...WHOLE, segment_refs: ['1'] },
      on(booking, { now }),
    );
    expect(lines.join('\n')).not.toContain('is given up');
    expect(lines.join('\n')).toContain('Nothing comes back, EUR 3,458.50 is kept');
    expect([answer.kind, isAlone(question)]).toEqual(['ask', true]);
  });

  test('what comes back on a condition is not sure, and what is given up is said as the most', async () => {
    const condition = { texts: [{ locale: 'en', text: 'For health reasons only' }] };
    const { lines, question } = await asked(
      'cancel_segment',
      { ...WHOLE, segment_refs: ['1'] },
      {
        ...on(dear(faresOf(keeps({ base: EUR(290_000), ...condition })))),
      },
    );
    expect(lines.join('\n')).toMatch(
      /comes back, on a condition, EUR 3,335\.00 is kept.* At most EUR 3,458\.50 is given up\./,
    );
    expect(isAlone(question)).toBe(false);
  });

  test('a plan of cancellations counts the sum of what they give up', async () => {
    const third = EUR(15_000);
    const small = ticketed({
      pricing: { total: price(third), refunds: [], fares: faresOf(NO_REFUND), perType: [row('ADT', 1, third)] },
    });
    const bookings = ['ABC123', 'ABC124'].map((locator) => withLocator(locator, small));
    const desk = await openDesk({
      bookings,
      settings: { dialect, currency: 'EUR' },
      pageAbove: LIMIT,
      canUseTerminal: true,
    });
    const steps = bookings.map(({ locator }) => ({ tool: 'cancel_booking', arguments: { locator } }));
    const { view } = await desk.read('propose_plan', { steps });
    const { plan_id } = view;
    const answer = await desk.clerk.call(
      'run_plan',
      { plan_id },
      { caller: CALLER, canElicit: true, canOpenUrls: false },
    );
    const questions = await desk.state.approvals.waiting(NOW);
    const question = questions.find(({ part }) => part?.line === 0);
    expect(answer.kind).toBe('result');
    expect(question).toMatchObject({ carried: { operation: { amount: EUR(0), givenUp: EUR(30_000) } } });
    expect(question && isAlone(question)).toBe(false);
    expect(question?.sections.flatMap(({ lines }) => lines)).toContain('EUR 300.00 is given up.');
  });
});

describe('a move', () => {
  const LATER = segment('7', {
    ...{ flightNumber: '105', operating: { carrier: 'HHR', number: '105' }, statusCode: '34' },
    ...{ departs: '2026-12-02T12:00:00.000+03:00', arrives: '2026-12-02T14:10:00.000+03:00' },
  });
  const REBOOK = { ...WHOLE, segment_ref: '1', offer_id: 'o000001' };
  const free = { changeRules: [rule({ base: EUR(0) })] };

  /** Moves the first train, which cost EUR 3,458.50, to one at this price, for free. */
  const moved = (minor: number, dialect: (typeof DIALECTS)[number]) => {
    const total = EUR(minor);
    const found = offer({
      options: [option(LATER)],
      pricing: { total: price(total), refunds: [], fares: [], perType: [row('ADT', 1, total)] },
    });
    return asked('rebook_segment', REBOOK, {
      bookings: [dear(faresOf({ ...NO_REFUND, ...free }))],
      offers: [shelved({ offer: found })],
      airline: { searchFares: async () => ({ form: 'itineraries' as const, offers: [found] }) },
      settings: { dialect },
    });
  };

  test.each(DIALECTS)('to a cheaper flight counts what the airline may keep: %s', async (dialect) => {
    const { answer, question, lines } = await moved(45_850, dialect);
    expect(lines).toContain(
      'At most EUR 3,000.00 is given up: the new fare can be cheaper, and the airline may keep the difference.',
    );
    expect(question).toMatchObject({ carried: { operation: { amount: EUR(0), givenUp: EUR(300_000) } } });
    expect([answer.kind, isAlone(question)]).toEqual(['result', false]);
  });

  test.each(DIALECTS)('for free gives up nothing where the new flight takes the value over: %s', async (dialect) => {
    const { answer, question, lines } = await moved(DEAR.minor / 2, dialect);
    expect(lines.join('\n')).not.toContain('is given up:');
    expect(moneyAtStake(question)).toEqual({ direction: 'payment', amount: EUR(0) });
    expect([answer.kind, isAlone(question)]).toEqual(['ask', true]);
  });
});
