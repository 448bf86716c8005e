/** Which acts are ruled out by what was done here and the airline does not show yet, and from when on a person can want one all the same. */

import { describe, expect, test } from 'vitest';
import { ClerkError } from '../../../src/core/errors.ts';
import { asKnown } from '../../../src/domain/booking/as-known.ts';
import type { Booking, Deed, UnshownDeed } from '../../../src/domain/booking/booking.ts';
import { isPaid } from '../../../src/domain/booking/paid-and-refunded.ts';
import { mayBeDoneAgain, type NextAct, refuseDone, whyNotReadYet } from '../../../src/tools/rules/done-here.ts';
import { asRead, faresOf, held, NOW, pricing, rule, sar, ticketed } from '../../support/bookings.ts';
import { traveler } from '../../support/people.ts';

const MINUTE = 60_000;
const PAIR = [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Noor', 'Haddad')];
const refundRules = [rule({ base: sar(4000), until: '2026-12-05T15:00:00Z' })];
const couple = asRead(ticketed({ travelers: PAIR, pricing: pricing(69000, { fares: faresOf({ refundRules }) }) }));
const hold = asRead(held({ travelers: PAIR }));

/** `segments/people`, such as `1/` or `/2`. */
function deed(kind: Deed['kind'], part = '/', what?: string): Deed {
  const [segmentRefs = [], travelerRefs = []] = part.split('/').map((refs) => (refs === '' ? [] : refs.split('+')));
  return { kind, segmentRefs, travelerRefs, ...(what !== undefined && { what }) };
}

/** Done at NOW, and not shown. */
function unshown(done: Deed): UnshownDeed {
  return { ...done, operationId: 'op', tool: 'a_tool', at: NOW, sum: sar(69000), tickets: 3 };
}

const knownAfter = (booking: Booking, ...deeds: readonly Deed[]) => asKnown(booking, deeds.map(unshown));

/** One act: what it does by its arguments. */
const NEXT: readonly (readonly [name: string, deed: Deed])[] = [
  ['pay', deed('payment')],
  ['cancel all', deed('cancellation')],
  ['cancel segment 1', deed('cancellation', '1/')],
  ['cancel segment 2', deed('cancellation', '2/')],
  ['cancel passenger 1', deed('cancellation', '/1')],
  ['cancel passenger 2', deed('cancellation', '/2')],
  ['split passenger 1', deed('split', '/1')],
  ['split passenger 2', deed('split', '/2')],
  ['rebook segment 1', deed('rebooking', '1/')],
  ['rebook segment 2', deed('rebooking', '2/')],
  ['seat of 1 on 1', deed('seat', '1/1')],
  ['seat of 1 on 2', deed('seat', '2/1')],
  ['seat of 2 on 1', deed('seat', '1/2')],
  ['names of 1', deed('details', '/1')],
  ['names of 2', deed('details', '/2')],
  ['contact', { ...deed('details'), isContact: true }],
  ['WCHS of 1 on 1', deed('service', '1/1', 'WCHS')],
  ['WCHS of 1 on all', deed('service', '/1', 'WCHS')],
  ['WCHS of 1 on 2', deed('service', '2/1', 'WCHS')],
  ['VGML of 1 on 1', deed('service', '1/1', 'VGML')],
  ['WCHS of 2 on 1', deed('service', '1/2', 'WCHS')],
];

const doing = ([, next]: (typeof NEXT)[number]): NextAct => ({ deed: next.kind, doing: [next] });

function codeOf(run: () => unknown): string {
  try {
    run();
    return 'on';
  } catch (error) {
    if (!(error instanceof ClerkError)) throw error;
    return error.code;
  }
}

type Refused = { readonly again?: readonly string[]; readonly ruledOut?: readonly string[] };

const CANCELS = ['cancel all', 'cancel segment 1', 'cancel segment 2', 'cancel passenger 1', 'cancel passenger 2'];
const SEATS = ['seat of 1 on 1', 'seat of 1 on 2', 'seat of 2 on 1'];
const all = NEXT.map(([name]) => name);
const without = (names: readonly string[], ...some: readonly string[]) => names.filter((name) => !some.includes(name));

describe('a payment that a reading showed once, an hour after it', () => {
  const undone = asKnown(hold, [{ ...unshown(deed('payment')), isUndone: true }]);

  test('rules out that it is paid once more, but for a person who wants it', () => {
    const now = NOW + 60 * MINUTE;
    const refused = NEXT.filter((next) => codeOf(() => refuseDone(undone, doing(next), { now })) !== 'on');
    expect(refused.map(([name]) => name)).toEqual(['pay']);
    const pay = { deed: 'payment' } as const;
    expect(refuseDone(undone, pay, { now, althoughDone: true }).again).toHaveLength(1);
    expect(isPaid(undone)).toBe(false);
  });
});

describe('what was done here and is not shown', () => {
  test.each<[string, Booking, Deed, Refused]>([
    [
      'a payment',
      hold,
      deed('payment'),
      { again: ['pay'], ruledOut: ['rebook segment 1', 'rebook segment 2', ...SEATS] },
    ],
    [
      'a release, or all segments cancelled',
      couple,
      deed('cancellation', '1+2/'),
      { again: CANCELS, ruledOut: without(all, ...CANCELS) },
    ],
    [
      'a segment cancelled',
      couple,
      deed('cancellation', '1/'),
      {
        again: ['cancel segment 1'],
        ruledOut: [
          'pay',
          ...without(CANCELS, 'cancel segment 1'),
          'rebook segment 1',
          'seat of 1 on 1',
          'seat of 2 on 1',
          'WCHS of 1 on 1',
          'VGML of 1 on 1',
          'WCHS of 2 on 1',
        ],
      },
    ],
    [
      'a passenger removed',
      couple,
      deed('cancellation', '/2'),
      {
        again: ['cancel passenger 2'],
        ruledOut: [
          'pay',
          ...without(CANCELS, 'cancel passenger 2'),
          'split passenger 2',
          'seat of 2 on 1',
          'names of 2',
          'WCHS of 2 on 1',
        ],
      },
    ],
    [
      'a passenger moved to another booking',
      couple,
      deed('split', '/2'),
      { again: ['split passenger 2'], ruledOut: ['pay', ...CANCELS, 'seat of 2 on 1', 'names of 2', 'WCHS of 2 on 1'] },
    ],
    [
      'a segment rebooked',
      couple,
      deed('rebooking', '1/'),
      {
        again: ['rebook segment 1'],
        ruledOut: [
          'cancel all',
          'cancel segment 1',
          'cancel passenger 1',
          'cancel passenger 2',
          'seat of 1 on 1',
          'seat of 2 on 1',
          'WCHS of 1 on 1',
          'WCHS of 1 on all',
          'VGML of 1 on 1',
          'WCHS of 2 on 1',
        ],
      },
    ],
    [
      'names changed',
      couple,
      deed('details', '/1', 'name'),
      { again: ['names of 1'], ruledOut: ['names of 2', 'contact'] },
    ],
    [
      'the contact changed',
      couple,
      { ...deed('details', '/', 'e-mail'), isContact: true },
      { again: ['contact'], ruledOut: ['names of 1', 'names of 2'] },
    ],
    ['a seat assigned', couple, deed('seat', '1/1'), { again: ['seat of 1 on 1'] }],
    ['a service requested', couple, deed('service', '1/1', 'WCHS'), { again: ['WCHS of 1 on 1', 'WCHS of 1 on all'] }],
  ])('rules out what its outcome does: %s', (_, booking, done, { again = [], ruledOut = [] }) => {
    const known = knownAfter(booking, done);
    const codes = NEXT.map((next) => [next[0], codeOf(() => refuseDone(known, doing(next), { now: NOW + MINUTE }))]);

    const expected = all.map((name) => {
      if (again.includes(name)) return [name, 'E_ALREADY_DONE'];
      return [name, ruledOut.includes(name) ? 'E_NOT_PERMITTED' : 'on'];
    });
    expect(codes).toEqual(expected);
  });

  test('rules out nothing once it is shown', () => {
    for (const next of NEXT) expect(refuseDone(knownAfter(couple), doing(next), { now: NOW }).again).toEqual([]);
  });
});

const PAID =
  "Booking ABC123: it was paid here on Sun 29 Nov 08:00 (UTC+3), SAR 690.00, 3 tickets; the airline's reading does not show it yet. Nothing was sent.";

/** What the refusal says. */
function said(known: ReturnType<typeof knownAfter>, next: NextAct, options: Parameters<typeof refuseDone>[2]) {
  try {
    refuseDone(known, next, options);
  } catch (error) {
    if (error instanceof ClerkError) return { what: error.message, next: error.next };
    throw error;
  }
  throw new Error('it is not refused');
}

describe('the refusal', () => {
  const pay: NextAct = { deed: 'payment' };

  test('says within the hour when to read again, and until when', () => {
    expect(said(knownAfter(hold, deed('payment')), pay, { now: NOW + 59 * MINUTE })).toEqual({
      what: PAID,
      next: 'Call read_booking in a few minutes. If it says the same after 09:00, tell the person to ask the airline.',
    });
  });

  test('says from an hour on what a person can do', () => {
    expect(said(knownAfter(hold, deed('payment')), pay, { now: NOW + 60 * MINUTE })).toEqual({
      what: PAID,
      next: 'Tell the person to ask the airline first. If it says that nothing was done, call again with although_done: true; the approval page or the terminal asks.',
    });
  });

  test('says what has to be paid again first', () => {
    const seats: NextAct = { deed: 'seat', doing: [deed('seat', '1/1')] };
    const refused = said(knownAfter(hold, deed('payment')), seats, { now: NOW + 60 * MINUTE, althoughDone: true });
    expect(refused.next).toBe(
      'Tell the person to ask the airline first. If it says that nothing was paid, call pay_booking with although_done: true; the approval page or the terminal asks.',
    );
  });
});

describe('although_done', () => {
  const pay: NextAct = { deed: 'payment' };

  test('does nothing within the hour, and nothing where nothing is ruled out', () => {
    const known = knownAfter(hold, deed('payment'));
    expect(said(known, pay, { now: NOW + 59 * MINUTE, althoughDone: true }).what).toBe(PAID);
    const names: NextAct = { deed: 'details', doing: [deed('details', '/1')] };
    expect(refuseDone(known, names, { now: NOW + 61 * MINUTE, althoughDone: true })).toEqual({
      booking: known,
      again: [],
    });
  });

  test('gives the booking from an hour on as the airline shows it', () => {
    const known = knownAfter(hold, deed('payment'));
    expect(isPaid(known)).toBe(true);
    const { booking, again } = refuseDone(known, pay, { now: NOW + 60 * MINUTE, althoughDone: true });
    expect(isPaid(booking)).toBe(false);
    expect(again).toEqual(known.notShown);
  });

  test('counts from the last of what was done', () => {
    const [first, second] = [unshown(deed('payment')), { ...unshown(deed('payment')), at: NOW + 30 * MINUTE }];
    const known = asKnown(hold, [first, second]);
    expect(codeOf(() => refuseDone(known, pay, { now: NOW + 80 * MINUTE, althoughDone: true }))).toBe('E_ALREADY_DONE');
    expect(codeOf(() => refuseDone(known, pay, { now: NOW + 90 * MINUTE, althoughDone: true }))).toBe('on');
  });
});

describe('before an hour is over it may be done again only if waiting would lose something', () => {
  const until = (minutes: number) => new Date(NOW + minutes * MINUTE).toISOString();
  const due = (minutes: number) =>
    asRead(held({ pricing: pricing(69000, { fares: faresOf({ payBy: until(minutes) }) }) }));
  const limited = (minutes: number) =>
    asRead(ticketed({ pricing: pricing(69000, { fares: faresOf({ cancelUntil: until(minutes) }) }) }));
  const stepped = (minutes: number) => {
    const steps = [
      rule({ base: sar(4000), until: until(minutes) }),
      rule({ base: sar(9000), from: until(minutes), until: '2026-12-05T15:00:00Z' }),
    ];
    return asRead(ticketed({ pricing: pricing(69000, { fares: faresOf({ refundRules: steps }) }) }));
  };
  const departing = (minutes: number) => {
    const { options } = ticketed();
    const [out, ...others] = options;
    const segments = out?.segments.map((one) => ({ ...one, departs: until(minutes) })) ?? [];
    return asRead(ticketed({ options: [{ ref: '1', segments }, ...others] }));
  };

  test.each<[string, (minutes: number) => Booking]>([
    ['the hold lapses', due],
    ['cancelling ends', limited],
    ['less comes back', stepped],
    ['it departs', departing],
  ])('%s', (_, booking) => {
    const may = (minutes: number, limit: number) =>
      mayBeDoneAgain(knownAfter(booking(limit), deed('payment')), { at: NOW }, NOW + minutes * MINUTE);
    expect(may(9, 15)).toBe(false);
    expect(may(10, 20)).toBe(true);
    expect(may(10, 21)).toBe(false);
    expect(may(25, 30)).toBe(true);
    expect(may(25, 24)).toBe(false);
  });

  test('and never only because it is ten minutes old', () => {
    expect(mayBeDoneAgain(couple, { at: NOW }, NOW + 59 * MINUTE)).toBe(false);
    expect(mayBeDoneAgain(couple, { at: NOW }, NOW + 60 * MINUTE)).toBe(true);
  });
});

describe('what is read of seats and tickets', () => {
  const why = (booking: Booking, refs: readonly string[] | undefined, minutes = 1) =>
    whyNotReadYet(booking, refs, NOW + minutes * MINUTE);

  test('is refused while a payment is not shown, unless tickets are', () => {
    const late = 'Tell the person to ask the airline what was done.';
    expect(why(knownAfter(hold, deed('payment')), undefined)?.why).toContain('it was paid here on Sun 29 Nov 08:00');
    expect(why(knownAfter(hold, deed('payment')), ['1'], 60)?.next).toBe(late);
    expect(why(knownAfter(couple, deed('payment')), undefined)).toBeUndefined();
  });

  test('is refused of a segment that was rebooked, and of a booking that was cancelled', () => {
    const rebooked = knownAfter(couple, deed('rebooking', '1/'));
    expect(why(rebooked, ['1'])?.why).toContain('segment 1 was rebooked here');
    expect(why(rebooked, undefined)?.code).toBe('E_NOT_PERMITTED');
    expect(why(rebooked, ['2'])).toBeUndefined();
    expect(why(knownAfter(couple, deed('cancellation', '1+2/')), ['1'])?.why).toContain('it was cancelled here');
    expect(why(knownAfter(couple, deed('cancellation', '1/')), undefined)).toBeUndefined();
  });
});
