/**
 * A question about an act that may do again what was done here: the page or the terminal asks it, and nothing else counts as its yes.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { withDoneHere } from '../../src/approvals/terms.ts';
import {
  ANN,
  CallHarness,
  idOf,
  page,
  payTerms,
  refusal,
  type Settings,
  statusOf,
  type Terms,
  textOf,
  YES,
} from './harness.ts';

const LINE =
  'Paid here on Sun 29 Nov 08:00 (UTC+3): SAR 172.50, 2 tickets. The airline does not show it; this may pay it twice. Ask the airline first.';
const ASKS = { canElicit: true };

let desk: CallHarness;
let sent: number;
beforeEach(async () => {
  desk = await CallHarness.open();
  desk.terms = withDoneHere(payTerms(), LINE);

  sent = 0;
  const { reply } = desk;
  desk.reply = () => {
    sent += 1;
    return reply();
  };
});

describe('is asked', () => {
  const OPENS: Partial<Settings> = { page: page() };
  const TERMINAL: Partial<Settings> = { canUseTerminal: true };
  const CLOSED: Partial<Settings> = { page: page({}, false) };
  const MODES: readonly Settings['approval'][] = ['auto', 'elicit', 'page', 'echo'];

  test.each<[string, Partial<Settings>, string]>([
    ['on the page', OPENS, 'page'],
    ['in the terminal', TERMINAL, 'page'],
    ['in the terminal, where no page can be opened', { ...TERMINAL, ...CLOSED }, 'page'],
    ['nowhere without either', {}, 'E_APPROVAL_UNAVAILABLE'],
    ['nowhere, where no page can be opened', CLOSED, 'E_APPROVAL_UNAVAILABLE'],
  ])('%s, whatever the setting, the client and the airline', async (_where, settings, expected) => {
    for (const approval of MODES) {
      for (const environment of ['sandbox', 'live'] as const) {
        for (const canElicit of [true, false]) {
          const it = await CallHarness.open();
          it.terms = withDoneHere(payTerms(), LINE);
          it.set({ ...settings, approval, environment, pageAbove: { minor: 100_000_00, currency: 'SAR' } });
          const refused = await it.call({ canElicit }).then(
            () => undefined,
            ({ code }) => code,
          );
          expect([approval, environment, canElicit, refused ?? (await it.waiting())?.askedBy]).toEqual([
            ...[approval, environment, canElicit],
            expected,
          ]);
        }
      }
    }
  });

  test('also where an act that nobody is asked about would be done at once', async () => {
    desk.set(OPENS);
    desk.terms = withDoneHere(payTerms({ ask: false }), LINE);
    expect(statusOf(await desk.call(ASKS))).toBe('approval_required');
    expect(sent).toBe(0);
  });

  test('with what was done here in its first line, and nowhere again', async () => {
    desk.set(OPENS);
    const { structured, text } = await desk.result(ASKS);
    const { terms } = structured.approval as { terms: readonly string[] };
    expect(terms).toEqual([LINE, 'Pay SAR 172.50 for booking ABC123', 'RUH-JED']);
    expect(text.match(/here on/g)).toHaveLength(1);
  });

  test('and says why, and what a person can do, where there is neither page nor terminal', async () => {
    desk.set({ environment: 'sandbox' });
    const { code, message, next, effect } = await refusal(desk.call(ASKS));
    expect([code, effect]).toEqual(['E_APPROVAL_UNAVAILABLE', 'none']);
    expect(message).toBe(
      'This may do again what was done here, so only the approval page or a terminal may ask, and there is neither. Nothing was sent.',
    );
    expect(next).toBe('Tell the person to ask the airline, or ask the operator to set FARECLERK_PUBLIC_URL.');
    expect(await desk.waiting()).toBeUndefined();
  });
});

describe('its yes', () => {
  test.each<[string, Partial<Settings>]>([
    ['in a dialog', { approval: 'auto' }],
    ["by the model's word", { approval: 'echo', environment: 'sandbox' }],
    ["by the model's word, in the sandbox without a setting", { approval: 'auto', environment: 'sandbox' }],
  ])('is not given %s', async (_how, settings) => {
    desk.set({ ...settings, canUseTerminal: true });
    const id = idOf(await desk.result(ASKS));
    const answers = [
      await desk.during(2_000, desk.answer(id, YES)),
      await desk.during(2_000, desk.call(ASKS, id)),
      await desk.during(2_000, desk.call({ canElicit: false }, id)),
      await desk.during(2_000, desk.call(ASKS)),
    ];
    expect(answers.map(statusOf)).toEqual(Array(4).fill('approval_required'));
    expect([sent, (await desk.waiting())?.decision]).toEqual([0, 'pending']);
  });

  test.each([
    ['on the page', { assurance: 'page' }],
    ['in the terminal', { assurance: 'page', caller: ANN }],
  ] as const)('sends exactly once when it is given %s', async (_where, by) => {
    desk.set({ canUseTerminal: true });
    const id = idOf(await desk.result(ASKS));
    const { operationId = '' } = (await desk.waiting()) ?? {};
    expect((await desk.decide(true, { operationId }, by)).kind).toBe('done');
    await desk.decide(true, { operationId }, by);
    expect(textOf(await desk.call(ASKS, id))).toContain('Paid.');
    await desk.answer(id, YES);
    expect(sent).toBe(1);
    expect(await desk.entry(operationId)).toMatchObject({ state: 'succeeded', assurance: 'page' });
  });

  test.each<[string, Terms, Terms]>([
    ['the question did not say what was done here', payTerms(), withDoneHere(payTerms(), LINE)],
    ['what the question says is no longer so', withDoneHere(payTerms(), LINE), payTerms()],
  ])('does not count where %s', async (_why, asked, now) => {
    desk.set({ approval: 'page', canUseTerminal: true });
    desk.terms = asked;
    await desk.result(ASKS);
    desk.terms = now;
    expect((await desk.decide(true)).kind).toBe('stale');
    expect(sent).toBe(0);
  });
});
