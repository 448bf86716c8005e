/** `although_done`: what was done here stands first in the question, no plan has it, and it changes nothing where nothing was done. */
import { describe, expect, test } from 'vitest';
import { mayBeTwiceText } from '../../src/domain/booking/as-known.ts';
import type { UnshownDeed } from '../../src/domain/booking/booking.ts';
import { withDoneAgain } from '../../src/tools/rules/done-again.ts';
import { asRead, faresOf, gone, held, NOW, pricing, sar, ticketed } from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { openDesk } from './support/desk.ts';

const ABC123 = { locator: 'ABC123', although_done: true };
const step = (tool: string, args: object) => ({ tool, arguments: args });

const STEPS = [
  step('pay_booking', { ...ABC123, although_done: true, payment: { type: 'invoice' } }),
  step('cancel_booking', { ...ABC123, although_done: true }),
  step('cancel_segment', { ...ABC123, although_done: true, segment_refs: ['1'] }),
  step('cancel_passenger', { ...ABC123, although_done: true, passenger_refs: ['1'] }),
  step('change_names', { ...ABC123, although_done: true, changes: [{ passenger_ref: '1', given_name: 'Sara' }] }),
  step('assign_seats', {
    ...ABC123,
    although_done: true,
    seats: [{ segment_ref: '1', passenger_ref: '1', seat: '4-52' }],
  }),
  step('update_contact', { ...ABC123, although_done: true, email: 'desk@example.com' }),
  step('update_passenger', { ...ABC123, although_done: true, changes: [{ passenger_ref: '1', gender: 'Female' }] }),
  step('rebook_segment', { ...ABC123, although_done: true, segment_ref: '1', offer_id: 'o000001' }),
  step('split_booking', { ...ABC123, although_done: true, passenger_refs: ['1'] }),
  step('request_service', { ...ABC123, although_done: true, passenger_ref: '1', service: { code: 'WCHR' } }),
];

describe('although_done', () => {
  test.each(STEPS)('is refused in a plan: $tool', async ({ tool, arguments: args }) => {
    const desk = await openDesk({ bookings: [ticketed()] });
    const { code, message, next, effect } = await desk.refused('propose_plan', { steps: [step(tool, args)] });
    expect([code, effect]).toEqual(['E_INPUT', 'none']);
    expect(message).toBe('steps[0].arguments.although_done: expected in a call of its own. Nothing was sent.');
    expect(next).toBe(`Call ${tool} by itself, outside of a plan.`);
  });

  test('may be false in a plan', async () => {
    const desk = await openDesk({ bookings: [ticketed()] });
    const steps = [step('cancel_booking', { locator: 'ABC123', although_done: false })];
    expect((await desk.read('propose_plan', { steps })).view.lines).toHaveLength(1);
  });

  test.each([
    ['pay_booking', held(), { ...ABC123, payment: { type: 'invoice' } }],
    ['cancel_booking', ticketed(), ABC123],
    ['update_contact', ticketed(), { ...ABC123, email: 'desk@example.com' }],
  ] as const)('changes nothing where nothing is to be done again: %s', async (tool, booking, args) => {
    const { although_done: _, ...without } = args;
    const [desk, plain] = [await openDesk({ bookings: [booking] }), await openDesk({ bookings: [booking] })];
    const [asked, usual] = [await desk.ask(tool, args), await plain.ask(tool, without)];
    expect(asked.lines.slice(0, 4)).toEqual(usual.lines.slice(0, 4));
  });
});

describe('the first line of the question', () => {
  const booking = ticketed();
  const at = NOW - 3_700_000;
  const refs = { segmentRefs: ['1'], travelerRefs: ['1'] };
  const deed = (kind: UnshownDeed['kind'], over: Partial<UnshownDeed> = {}): UnshownDeed => ({
    ...{ kind, operationId: 'op1', tool: 'same', at, ...refs },
    ...over,
  });
  const only = { segmentRefs: [], travelerRefs: [] };
  const paid = deed('payment', { ...only, sum: sar(55706), tickets: 3 });

  test.each<[string, UnshownDeed, string]>([
    ['a payment', paid, 'Paid here on WHEN: SAR 557.06, 3 tickets. IT this may pay it twice.'],
    [
      'a payment of one ticket',
      { ...paid, tickets: 1 },
      'Paid here on WHEN: SAR 557.06, 1 ticket. IT this may pay it twice.',
    ],
    ['a payment of which nothing is known', deed('payment', only), 'Paid here on WHEN. IT this may pay it twice.'],
    [
      'a cancelled segment',
      deed('cancellation', { travelerRefs: [] }),
      'Segment 1 was cancelled here on WHEN. IT this may cancel it twice.',
    ],
    [
      'a split',
      deed('split', { segmentRefs: [] }),
      '1 passenger was moved to another booking here on WHEN. IT this may move them twice.',
    ],
    ['a rebooking', deed('rebooking'), 'Segment 1 was rebooked here on WHEN. IT this may rebook it twice.'],
    [
      'new names',
      deed('details', { what: 'name' }),
      'Details of 1 passenger (name) were changed here on WHEN. IT this may make the change twice.',
    ],
    [
      'a seat',
      deed('seat'),
      'A seat of 1 passenger on segment 1 was assigned here on WHEN. IT this may assign it twice.',
    ],
    [
      'a service',
      deed('service', { what: 'WCHR' }),
      'A service (WCHR) was requested here on WHEN. IT this may request it twice.',
    ],
  ])('says what was done, when, that it may be done twice, and whom to ask: %s', (_what, done, expected) => {
    const words = expected.replace('WHEN', SHOWN).replace('IT', 'The airline does not show it;');
    expect(mayBeTwiceText(booking, [done], 'same')).toBe(`${words} Ask the airline first.`);
  });

  const SHOWN =
    /on (\w{3} \d+ \w{3} [\d:]+ \(UTC\+3\))/.exec(mayBeTwiceText(booking, [paid], 'same'))?.[1] ?? 'no time';

  test('says of another act that it comes on top', () => {
    expect(mayBeTwiceText(booking, [paid, deed('seat')], 'other')).toBe(
      `Paid here on ${SHOWN}: SAR 557.06, 3 tickets. A seat of 1 passenger on segment 1 was assigned here on ${SHOWN}. The airline does not show it; this comes on top of it, and something may be done twice. Ask the airline first.`,
    );
  });

  const terms: Parameters<typeof withDoneAgain<number>>[0] = {
    sections: [{ kind: 'act', lines: ['Pay SAR 690.00'], below: [] }],
    ...{ act: { verb: 'Pay' }, nature: 'payment', ask: false, subject: { kind: 'pay' }, send: 1 },
  };

  test('stands before the act, and the other deeds in a caution that binds nothing', () => {
    const seat = deed('seat');
    const known = { ...booking, notShown: [paid, seat] };
    expect(withDoneAgain(terms, known, 'same', [])).toBe(terms);

    const asked = withDoneAgain(terms, known, 'same', [paid]);
    const line = mayBeTwiceText(booking, [paid], 'same');
    expect(asked).toMatchObject({ ask: true, pageOnly: true });
    expect(asked.sections).toEqual([
      { kind: 'act', lines: [line, 'Pay SAR 690.00'], below: [line] },
      {
        kind: 'caution',
        lines: [],
        named: [expect.stringMatching(/^Caution: a seat of 1 passenger .* show it yet\.$/)],
      },
    ]);
    expect(withDoneAgain(terms, known, 'same').sections).toHaveLength(1);
  });
});

type Act = readonly [tool: string, args: object, before: ReturnType<typeof held>, first: RegExp, risk: string];
const ON = /here on Sun 29 Nov 08:00 \(UTC\+3\)/;
/** A hold that can be paid for some hours. */
const hold = () => held({ pricing: pricing(69000, { fares: faresOf({ payBy: '2026-11-29T09:00:00Z' }) }) });
/** What the airline answers, by the tool. */
const RECEIPT = {
  locator: 'ABC123',
  references: [],
  items: [{ ticketNumber: '1234567890101', conjunctive: [], links: [] }],
};
const CHANGED = {
  cancel_segment: () => gone(ticketed(), ['1']),
  change_names: () => ticketed({ travelers: [traveler('1', 'Sara', 'Haddad')] }),
};
const ACTS: readonly Act[] = [
  ['pay_booking', { payment: { type: 'invoice' } }, hold(), /^Paid HERE: SAR 690\.00, 1 ticket\. /, 'pay it twice'],
  ['cancel_booking', {}, hold(), /^Booking ABC123 was cancelled HERE\. /, 'cancel it twice'],
  ['cancel_segment', { segment_refs: ['1'] }, ticketed(), /^Segment 1 was cancelled HERE\. /, 'cancel it twice'],
  [
    'change_names',
    { changes: [{ passenger_ref: '1', given_name: 'Sara' }] },
    ticketed(),
    /^Details of 1 passenger \(name\) were changed HERE\. /,
    'make the change twice',
  ],
];

describe.each(ACTS)('%s, done here and not shown an hour later', (tool, given, before, first, risk) => {
  const args = { locator: 'ABC123', ...given };
  const again = { ...args, although_done: true };

  /** A desk after the act: the airline confirmed it, and its readings are as before. */
  async function deskAfter() {
    const desk = await openDesk({
      bookings: [before],
      canUseTerminal: true,
      waitMs: 0,
      airline: { pay: async () => RECEIPT, modify: async () => asRead(CHANGED[tool as keyof typeof CHANGED]()) },
    });
    expect((await desk.say(tool, args)).view.status).toBe('done');
    return desk;
  }

  test('is refused before that, with and without the argument', async () => {
    const desk = await deskAfter();
    for (const time of ['2026-11-29T05:00:00Z', '2026-11-29T05:09:59Z', '2026-11-29T05:59:59Z']) {
      desk.moveTo(time);
      for (const call of [args, again]) {
        const { structured } = await desk.result(tool, call);
        expect(structured.error).toMatchObject({ code: 'E_ALREADY_DONE', effect: 'none' });
      }
    }
    expect(desk.sent()).toHaveLength(1);
  });

  test('is asked on the page or in the terminal alone, says it first, and is sent exactly once more', async () => {
    const desk = await deskAfter();
    desk.moveTo('2026-11-29T06:00:00Z');
    const { structured } = await desk.result(tool, again);
    expect(structured).toMatchObject({ status: 'approval_required' });
    const { id, terms } = structured.approval as { id: string; terms: readonly string[] };
    expect(terms[0]).toMatch(new RegExp(first.source.replace('HERE', ON.source)));
    expect(terms[0]).toContain(`The airline does not show it; this may ${risk}. Ask the airline first.`);
    expect(terms.filter((line) => ON.test(line))).toHaveLength(1);

    // Neither the model's word nor a dialog is a yes.
    const yes = { action: 'accept', content: { decision: 'yes' } };
    const answers = [
      await desk.result(tool, { ...again, approval_id: id }),
      await desk.result(tool, again, { dialog: { handle: id, raw: yes } }),
    ];
    expect(answers.map((answer) => answer.structured.status)).toEqual(Array(2).fill('approval_required'));
    expect(desk.sent()).toHaveLength(1);

    const operationId = String(structured.operation_id);
    expect((await desk.clerk.decide(operationId, true, { assurance: 'page' })).kind).toBe('done');
    await desk.clerk.decide(operationId, true, { assurance: 'page' });
    expect((await desk.result(tool, { ...again, approval_id: id })).structured.status).toMatch(/done$/);
    expect(desk.sent()).toHaveLength(2);

    // What was done again is done here, too.
    expect((await desk.result(tool, again)).structured.error).toMatchObject({ code: 'E_ALREADY_DONE' });
    expect(desk.sent()).toHaveLength(2);
    expect(desk.failures).toEqual([]);
  });
});
