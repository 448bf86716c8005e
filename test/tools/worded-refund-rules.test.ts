/**
 * Refund rules that say only in words what comes back: without `refundable`, or without what is kept. Unknown is not no:
 * the words are quoted wherever rules are shown or used, and the bounds that are sure are named.
 */
import { describe, expect, test } from 'vitest';
import { lineMoney } from '../../src/approvals/plans/line-words.ts';
import { wordsOfYes } from '../../src/approvals/plans/question.ts';
import { sumsOf } from '../../src/approvals/plans/sums.ts';
import { linesOf, type TermsSection } from '../../src/approvals/terms.ts';
import { questionText } from '../../src/cli/terminal/question-text.ts';
import type { Booking } from '../../src/domain/booking/booking.ts';
import { changeCharge } from '../../src/domain/pricing/estimate-change-charge.ts';
import { estimateRefund } from '../../src/domain/pricing/estimate-refund.ts';
import { laterRefunds } from '../../src/domain/pricing/later-refunds.ts';
import { isRefundable } from '../../src/domain/pricing/penalty-rules.ts';
import { readFare } from '../../src/ota/messages/parts/rules.ts';
import { planQuestionPage } from '../../src/server/approval-page/plan-question-view.ts';
import { questionPage } from '../../src/server/approval-page/question-view.ts';
import { rulesText } from '../../src/server/mcp/resources/fare-rules.ts';
import { cancelBooking } from '../../src/tools/cancel-booking.ts';
import { payBooking } from '../../src/tools/pay-booking.ts';
import { quoteCancellation } from '../../src/tools/quote-cancellation.ts';
import { readBooking } from '../../src/tools/read-booking.ts';
import { viewOffer } from '../../src/tools/views/offers.ts';
import { lineView, planOf } from '../server/approval-page/support/plan-on-page.ts';
import { pendingApproval } from '../support/approvals.ts';
import { fare, held, NOW, OUT, price, row, sar, ticketed } from '../support/bookings.ts';
import { openDesk, parsed } from './support/tool-context.ts';

const PERMITS = 'Refund permitted for a fee of SAR 46.00';
const NOTHING = 'Refund not permitted';
const described = (value: string) => ({ description: [{ locale: 'en', value }] });
const TURN = '2026-11-30T05:00:00Z';

/** As sent: a fare for the only segment, with these rules. */
function fareWith(rules: readonly object[], kind: 'voluntaryRefunds' | 'voluntaryChanges' = 'voluntaryRefunds') {
  const penaltyRules = [{ passengerTypeCode: 'ADT', rules }];
  const chargesRules = { [kind]: { TPA_Extensions: { penaltyRules } } };
  const { refundRules, changeRules } = readFare({ ruleInfo: { chargesRules } }, 'SAR');
  return fare('1', 'MED', 'JED', { refundRules, changeRules });
}

function booked(rules: readonly object[], make: (over: Partial<Booking>) => Booking = ticketed): Booking {
  return make({
    options: [OUT],
    pricing: {
      total: price(sar(34500)),
      refunds: [],
      fares: [fareWith(rules)],
      perType: [row('ADT', 1, sar(34500), { segmentRefs: ['1'] })],
    },
  });
}

/** The two forms that were seen: without the word, and with it and no sums. */
const FORMS: readonly (readonly [string, object])[] = [
  ['without the word refundable', { base: 40, tax: 6, total: 46, ...described(PERMITS) }],
  ['with refundable: true and no sums', { refundable: true, ...described(PERMITS) }],
];
const SAID = `The airline sent the refund rule as text only: “${PERMITS}”.`;

const given = ({ options, travelers }: Booking) => ({ options, travelers });

describe.each(FORMS)('a refund rule %s', (_form, rule) => {
  const booking = booked([rule]);
  const desk = () => openDesk({ bookings: [booking] });

  test('is estimated between nothing and what was paid, in the words of the airline', () => {
    const estimate = estimateRefund(booking, given(booking), NOW);
    expect(estimate).toMatchObject({ lines: [], rule: SAID, bounds: { atLeast: sar(0), atMost: sar(34500) } });
    expect(estimate.amount).toBeUndefined();
  });

  test('is quoted in a quotation, with the bounds that are sure', async () => {
    const args = parsed(quoteCancellation, { locator: 'ABC123' });
    const view = quoteCancellation.output().parse(await quoteCancellation.run(args, desk().ctx));
    expect(view).not.toHaveProperty('refund_now');
    expect(view.bounds).toEqual({ at_least: '0.00', at_most: '345.00' });
    expect(quoteCancellation.text(view, args)).toContain(SAID);
  });

  test('is quoted in a reading and in the fare rules, never as “not refundable”', async () => {
    const args = parsed(readBooking, { locator: 'ABC123' });
    const output = readBooking.output().parse(await readBooking.run(args, desk().ctx));
    expect(output.refund?.text).toBe(`${SAID} Between SAR 0.00 and SAR 345.00 back.`);
    expect(output.refund).not.toHaveProperty('amount');
    expect(output.booking.rules).toMatchObject([{ kind: 'refund', text: PERMITS }]);
    expect(output.booking.rules?.[0]).not.toHaveProperty('total');
    const text = readBooking.text(output, args, desk().ctx);
    expect(text).toContain(`the airline's words: “${PERMITS}”`);
    expect(text).not.toContain('not refundable');
    const told = rulesText(output.booking, output.refund);
    expect(told).toContain(`The airline's words: “${PERMITS}”.`);
    expect(told).not.toMatch(/: nothing comes back/);
  });

  test('stands first in the box of the question, and counts the most against the limits', async () => {
    const terms = await cancelBooking.preview(parsed(cancelBooking, { locator: 'ABC123' }), desk().ctx);
    expect(terms.sections.find(({ kind }) => kind === 'refund')?.lines).toEqual([
      SAID,
      'What comes back is not known before the airline answers: at least SAR 0.00, at most SAR 345.00.',
    ]);
    expect(terms.money).toEqual({ direction: 'refund', amount: sar(34500), whole: true });
    expect(terms.estimate?.rule).toBe(SAID);
  });

  test('stands first in the box of a payment too', async () => {
    const { ctx } = openDesk({ bookings: [booked([rule], held)] });
    const args = parsed(payBooking, { locator: 'ABC123', payment: { type: 'invoice' } });
    const { sections } = await payBooking.preview(args, ctx);
    const box = sections.find(({ kind }) => kind === 'refund')?.lines ?? [];
    expect(box[0]).toBe(SAID);
    expect(box[1]).toMatch(/^If it is cancelled after payment: What comes back is not known/);
  });

  test('is quoted in a search, which does not call its refund known', () => {
    const { pricing = { refunds: [], fares: [], perType: [] }, options } = booking;
    const offer = { options, pricing, notes: [] };
    const view = viewOffer('o1', offer, { now: NOW, full: false, party: { ADT: 1 }, checked: false, notes: [] });
    expect(view?.refund.known).toBe(false);
    expect(view?.refund.text).toContain(`The airline's words: “${PERMITS}”`);
    expect(view?.refundable).toBe(isRefundable(pricing, NOW));
    expect(view?.refundable).not.toBe(false);
  });
});

describe('rules that are only text', () => {
  const two = booked([
    { applyUntilTime: TURN, ...described(PERMITS) },
    { applyFromTime: TURN, ...described(NOTHING) },
  ]);

  test('change at the time that the airline states, with the words of then', async () => {
    const { windows } = laterRefunds(two, given(two), NOW);
    expect(windows.map(({ from, bounds }) => [from, bounds?.atMost.minor])).toEqual([
      [TURN, 34500],
      ['2026-12-01T02:00:00Z', undefined],
    ]);
    const estimate = estimateRefund(two, given(two), NOW);
    expect(estimate).toMatchObject({ until: TURN, next: { at: TURN } });
    expect(estimate.next?.rule).toContain(`“${NOTHING}”`);
    const args = parsed(quoteCancellation, { locator: 'ABC123' });
    const desk = openDesk({ bookings: [two] });
    const text = quoteCancellation.text((await quoteCancellation.run(args, desk.ctx)) as never, args);
    expect(text).toContain(
      `From Mon 30 Nov 08:00 (UTC+3): the airline sent the refund rule as text only: “${NOTHING}”.`,
    );
    const terms = linesOf(
      (await cancelBooking.preview(parsed(cancelBooking, { locator: 'ABC123' }), desk.ctx)).sections,
    );
    expect(terms.filter((line) => line.startsWith('From '))).toEqual([
      expect.stringContaining(`“${NOTHING}”. Between SAR 0.00 and SAR 345.00 comes back then.`),
    ]);
  });

  test('are quoted in the language of the server', () => {
    const texts = [
      { locale: 'en', value: PERMITS },
      { locale: 'ar-SA', value: 'يسمح بالاسترداد' },
    ];
    const both = booked([{ description: texts }]);
    expect(estimateRefund(both, given(both), NOW).rule).toContain(PERMITS);
    expect(estimateRefund(both, given(both), NOW, { locale: 'ar' }).rule).toContain('يسمح بالاسترداد');
  });

  test('are unclear without words, and a plain no stays a no', () => {
    const silent = booked([{ base: 40 }]);
    expect(estimateRefund(silent, given(silent), NOW)).toMatchObject({
      rule: 'The refund rules are unclear.',
      bounds: { atLeast: sar(0), atMost: sar(34500) },
    });
    const no = booked([{ refundable: false, ...described(NOTHING) }]);
    expect(estimateRefund(no, given(no), NOW)).toMatchObject({ amount: sar(0), gaps: [] });
    expect(isRefundable(no.pricing ?? { fares: [] }, NOW)).toBe(false);
    expect(isRefundable(silent.pricing ?? { fares: [] }, NOW)).toBeUndefined();
  });

  test('give no charge of a change, and are quoted for it', () => {
    const changing = (rules: readonly object[]) => {
      const booking = booked([]);
      const pricing = { refunds: [], perType: [], fares: [fareWith(rules, 'voluntaryChanges')] };
      return changeCharge({ ...booking, pricing }, OUT, sar(34500), NOW);
    };
    expect(changing([{ total: 46, ...described('Change permitted') }])).toEqual({
      rule: 'The airline sent the rules of this flight as text only.',
      airlineWords: ['Change permitted'],
    });
    expect(changing([{ refundable: true, total: 46 }])).toHaveProperty('atMost');
  });
});

describe('a question about a refund that only words state', () => {
  const words = 'Refund: not permitted until departure';
  const worded = ticketed({
    options: [{ ...OUT, segments: OUT.segments.map((one) => ({ ...one, fareRules: [{ text: words }] })) }],
    pricing: { total: price(sar(195100)), refunds: [], fares: [], perType: [row('ADT', 1, sar(195100))] },
  });
  const said = `The airline sent the refund rule as text only: “${words}”.`;
  const asked = async () => {
    const desk = openDesk({ bookings: [worded], settings: { dialect: 'airline' } });
    return cancelBooking.preview(parsed(cancelBooking, { locator: 'ABC123' }), desk.ctx);
  };
  const textIn = (body: string) =>
    body
      .replace(/<style>[\s\S]*?<\/style>/, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ');
  const approvalOf = ({
    act,
    nature,
    sections,
  }: {
    act: string;
    nature: 'cancellation';
    sections: readonly TermsSection[];
  }) => pendingApproval({ act, nature, sections });

  test('has the words first in the box of the page, unfolded, and “at most” in neither heading nor button', async () => {
    const terms = await asked();
    const approval = approvalOf({ ...terms, nature: 'cancellation' });
    const body = questionPage({
      ...{ environment: 'live', path: '/a', viewer: undefined, token: 't', now: 1 },
      approval,
    });
    expect(body).toContain(`<p><strong>${said}</strong>`);
    expect(body.indexOf(words)).toBeLessThan(
      body.indexOf('<details>') === -1 ? body.length : body.indexOf('<details>'),
    );
    const [heading = ''] = /<h1>.*?<\/h1>/.exec(body) ?? [];
    const [button = ''] = /<button[^>]*value="yes".*?<\/button>/.exec(body) ?? [];
    expect(heading).toContain('Cancel every flight of ABC123, refund not known');
    expect(button).toContain('cancel every flight of ABC123, refund not known');
    expect(`${heading}${button}`).not.toMatch(/at most|1,951/);
  });

  test('has the words before the bounds in the terminal and in a dialog', async () => {
    const terms = await asked();
    const approval = approvalOf({ ...terms, nature: 'cancellation' });
    const text = questionText(approval, process.stderr, 1).replace(/\s+/g, ' ');
    expect(text.indexOf(words)).toBeGreaterThan(0);
    expect(text.indexOf(words)).toBeLessThan(text.indexOf('What comes back is not known'));
    const dialog = linesOf(terms.sections);
    expect(dialog.indexOf(said)).toBeGreaterThan(0);
    expect(dialog.indexOf(said)).toBeLessThan(dialog.findIndex((line) => line.startsWith('What comes back')));
    expect(terms.act).not.toContain('at most');
  });

  test('has the words on its line of a plan, and no promise in the plan’s heading, sum and button', async () => {
    const { act, sections, money, estimate } = await asked();
    const step = { tool: 'cancel_booking', act, nature: 'cancellation' as const, sections, state: 'asked' as const };
    const steps = [{ ...step, ...(money && { money }), ...(estimate && { estimate }) }];
    const line = lineView(1, { steps });
    const plan = planOf([line], { sums: sumsOf(steps) });
    const approval = approvalOf({ act: wordsOfYes([{ line: 1, terms: steps }]), nature: 'cancellation', sections: [] });
    expect(approval.act).toBe('Carry out this line: nothing is paid; what comes back is not known yet');
    expect(lineMoney(line)).toEqual([
      `the airline sent the refund rule as text only: “${words}”; between SAR 0.00 and SAR 1,951.00 comes back`,
    ]);
    const page = planQuestionPage({
      ...{ environment: 'live', path: '/a', viewer: undefined, token: 't', now: 1, approval, plan },
      ...{ ticked: new Set<number>(), isEmptyYes: false, releases: new Map<number, string>() },
    });
    const text = textIn(page);
    expect(text).toContain('All lines together: nothing is paid; what comes back is not known yet.');
    expect(text.indexOf(words)).toBeLessThan(text.indexOf('All terms of line 1'));
    expect(text.slice(0, text.indexOf(words))).not.toMatch(/at most|1,951/);
  });
});
