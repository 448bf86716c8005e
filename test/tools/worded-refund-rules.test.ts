/**
 * Refund rules that say only in words what comes back: without `refundable`, or without what is kept. Unknown is not no:
 * the words are quoted wherever rules are shown or used, and the bounds that are sure are named.
 */
import { describe, expect, test } from 'vitest';
import { questionPage } from '../../src/server/approval-page/question-view.ts';
import { fare, held, OUT, price, row, rule, sar, ticketed } from '../support/bookings.ts';
import { type DeskOptions, offer, openDesk } from './support/desk.ts';

type Rule = Partial<ReturnType<typeof rule>>;
const PERMITS = 'Refund permitted for a fee of SAR 46.00';
const NOTHING = 'Refund not permitted';
const SAID = `The airline sent the refund rule as text only: “${PERMITS}”.`;
const TURN = '2026-11-30T05:00:00Z';
const words = (text: string, locale = 'en') => ({ texts: [{ locale, text }] });

const pricingOf = (...rules: Rule[]) => ({
  ...{ total: price(sar(34500)), refunds: [], perType: [row('ADT', 1, sar(34500), { segmentRefs: ['1'] })] },
  fares: [fare('1', 'MED', 'JED', { refundRules: rules.map((one) => ({ passengerType: 'ADT', texts: [], ...one })) })],
});
const booked = (make: typeof held, ...rules: Rule[]) => make({ options: [OUT], pricing: pricingOf(...rules) });
const ARGS = { locator: 'ABC123' };
const open = (booking: ReturnType<typeof held>, options: DeskOptions = {}) =>
  openDesk({ bookings: [booking], ...options });
const ofQuote = async (options: DeskOptions, ...rules: Rule[]) =>
  (await open(booked(ticketed, ...rules), options)).read('quote_cancellation', ARGS);

describe.each<[string, Rule]>([
  ['without the word refundable', words(PERMITS)],
  ['with refundable: true and no sums', { refundable: true, ...words(PERMITS) }],
])('a refund rule %s', (_form, rules) => {
  test('is quoted with the bounds that are sure, in a quote, a reading and a search, never as “not refundable”', async () => {
    const quote = await ofQuote({}, rules);
    expect(quote.view.bounds).toEqual({ at_least: '0.00', at_most: '345.00' });
    expect(quote.view).not.toHaveProperty('refund_now');
    expect(quote.text).toContain(SAID);
    const { view, text } = await (await open(booked(ticketed, rules))).read('read_booking', ARGS);
    expect(view.refund).toEqual({ text: `${SAID} Between SAR 0.00 and SAR 345.00 back.` });
    expect(view.booking.rules).toMatchObject([{ kind: 'refund', text: PERMITS }]);
    expect(view.booking.rules[0]).not.toHaveProperty('total');
    expect(text).toContain(`the airline's words: “${PERMITS}”`);
    expect(text).not.toContain('not refundable');
    const found = { form: 'itineraries' as const, offers: [offer({ pricing: pricingOf(rules) })], soldOut: [] };
    const desk = await openDesk({ airline: { searchFares: async () => found } });
    const legs = [{ from: 'MED', to: 'JED', date: '2026-12-01' }];
    const [shown] = (await desk.read('search_fares', { legs, passengers: { adults: 1 } })).view.offers;
    expect(shown.refund).toMatchObject({
      known: false,
      text: expect.stringContaining(`The airline's words: “${PERMITS}”`),
    });
    expect(shown.refundable).not.toBe(false);
  });

  test('stands before the bounds in the question of a cancellation and of a payment, and counts the most', async () => {
    const bounds = 'What comes back is not known before the airline answers: at least SAR 0.00, at most SAR 345.00.';
    const desk = await open(booked(ticketed, rules));
    const { lines } = await desk.ask('cancel_booking', ARGS);
    expect(lines.indexOf(bounds)).toBe(lines.indexOf(SAID) + 1);
    expect((await desk.say('cancel_booking', ARGS)).operation).toMatchObject({
      ...{ direction: 'refund', amount: sar(34500), outcome: { estimate: { rule: SAID } } },
    });
    const paying = await (await open(booked(held, rules))).ask('pay_booking', {
      ...ARGS,
      payment: { type: 'invoice' },
    });
    expect(paying.lines[paying.lines.indexOf(SAID) + 1]).toMatch(
      /^If it is cancelled after payment: What comes back is not known/,
    );
  });
});

test('such rules change at the time that the airline states, with the words of then', async () => {
  const rules = [
    { until: TURN, ...words(PERMITS) },
    { from: TURN, ...words(NOTHING) },
  ];
  const { view, text } = await ofQuote({}, ...rules);
  expect(view.later.map(({ from }: { from: string }) => from)).toEqual([TURN, '2026-12-01T02:00:00Z']);
  expect(text).toContain(`From Mon 30 Nov 08:00 (UTC+3): the airline sent the refund rule as text only: “${NOTHING}”.`);
  const { lines } = await (await open(booked(ticketed, ...rules))).ask('cancel_booking', ARGS);
  expect(lines.filter((line) => line.startsWith('From '))).toEqual([
    expect.stringContaining(`“${NOTHING}”. Between SAR 0.00 and SAR 345.00 comes back then.`),
  ]);
});

test('such rules are quoted in the language of the server, and unclear without words; a plain no stays a no', async () => {
  const both = { texts: [...words(PERMITS).texts, { locale: 'ar-SA', text: 'يسمح بالاسترداد' }] };
  expect((await ofQuote({}, both)).text).toContain(PERMITS);
  expect((await ofQuote({ settings: { locale: 'ar' } }, both)).text).toContain('يسمح بالاسترداد');
  const unclear = await ofQuote({}, {});
  expect(unclear.text).toContain('The refund rules are unclear.');
  expect(unclear.view.bounds).toEqual({ at_least: '0.00', at_most: '345.00' });
  expect((await ofQuote({}, { ...rule({ refundable: false }), ...words(NOTHING) })).view.refund_now).toBe('0.00');
});

describe('a question about a refund that only words state', () => {
  const text = 'Refund: not permitted until departure';
  const worded = ticketed({
    options: [{ ...OUT, segments: OUT.segments.map((one) => ({ ...one, fareRules: [{ text }] })) }],
    pricing: { total: price(sar(195100)), refunds: [], fares: [], perType: [row('ADT', 1, sar(195100))] },
  });
  const AIRLINE = { settings: { dialect: 'airline' } } as const;

  test('has the words first in the box of the page, unfolded, and “at most” in neither heading nor button', async () => {
    const desk = await open(worded, AIRLINE);
    await desk.ask('cancel_booking', ARGS);
    const [approval] = await desk.clerk.waiting();
    if (approval === undefined) throw new Error('no question is kept');
    const body = questionPage({ environment: 'live', path: '/a', viewer: undefined, token: 't', now: 1, approval });
    expect(body).toContain(`<p><strong>The airline sent the refund rule as text only: “${text}”.</strong>`);
    expect(body.split('<details>')[0]).toContain(text);
    const [heading = ''] = /<h1>.*?<\/h1>/.exec(body) ?? [];
    const [button = ''] = /<button[^>]*value="yes".*?<\/button>/.exec(body) ?? [];
    for (const part of [heading, button]) {
      expect(part).toContain('ancel every flight of ABC123, refund not known');
      expect(part).not.toMatch(/at most|1,951/);
    }
  });

  test('has the words on its line of a plan, and no promise in the sum', async () => {
    const desk = await open(worded, AIRLINE);
    const { view } = await desk.read('propose_plan', { steps: [{ tool: 'cancel_booking', arguments: ARGS }] });
    expect(view.lines[0].money).toBe(
      `the airline sent the refund rule as text only: “${text}”; between SAR 0.00 and SAR 1,951.00 comes back`,
    );
    expect(view.sums).toMatchObject([{ words: 'nothing is paid; what comes back is not known yet' }]);
  });
});
