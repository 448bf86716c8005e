/** Terms as the page and the terminal show them, and what the airline changed: how it is bound, told and dealt with. */
import { describe, expect, test } from 'vitest';
import { linesIn, type TermsSection, withChanges, withDoneHere } from '../../src/approvals/terms.ts';
import type { Reading } from '../../src/domain/booking/booking.ts';
import { saidWords } from '../../src/domain/facts/said.ts';
import { peopleSection } from '../../src/tools/views/terms-text.ts';
import { held, reread } from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { CallHarness, payTerms, refusal, SAR, type Terms, textOf, YES } from './harness.ts';

test('the lines of one kind stand together in the order of the terms, wherever their sections are', () => {
  const sections: readonly TermsSection[] = [
    { kind: 'note', lines: ['first', 'second'] },
    { kind: 'caution', lines: ['read this'] },
    { kind: 'note', lines: ['third'] },
  ];
  expect(linesIn(sections, 'note')).toEqual(['first', 'second', 'third']);
  expect(linesIn(sections, 'caution')).toEqual(['read this']);
  expect(linesIn(sections, 'refund')).toEqual([]);
});

test('changes by the airline stand after the act, before all else', () => {
  const terms = payTerms();
  expect(withChanges(terms, undefined)).toBe(terms);
  const { sections } = withChanges(terms, {
    lines: ['Changed since Tue 17 Nov: x'],
    changes: { all: [], bound: [], closed: [] },
  });
  expect(sections.map(({ kind, lines }) => [kind, ...lines])).toEqual([
    ['act', 'Pay SAR 172.50 for booking ABC123'],
    ['caution', 'Changed since Tue 17 Nov: x'],
    ['trip', 'RUH-JED'],
  ]);
});

test('what was done here stands first in the act, and in one of its own where the terms begin with none', () => {
  const terms = payTerms();
  const [act, ...others] = terms.sections as [TermsSection, ...TermsSection[]];
  const named = { ...act, said: [[saidWords('', 'Pay')]], below: ['below'] };

  const first = withDoneHere({ ...terms, sections: [named, ...others] }, 'Paid here.').sections[0];
  expect(first).toMatchObject({ lines: ['Paid here.', ...act.lines] });
  expect(first).toMatchObject({ said: [null, [saidWords('', 'Pay')]], below: ['Paid here.', 'below'] });

  const { sections } = withDoneHere({ ...terms, sections: others }, 'Paid here.');
  expect(sections.map(({ kind, lines }) => [kind, ...lines])).toEqual([
    ['act', 'Paid here.'],
    ['trip', 'RUH-JED'],
  ]);
});

/** A caution about changes by the airline. @param bound ids @param shown ids of those that are only shown */
function caution(bound: readonly string[], shown: readonly string[] = []): TermsSection {
  const all = [...bound, ...shown].map((id) => ({
    locator: 'ABC123',
    what: `what ${id}`,
    kind: 'retimed',
    finding_id: id,
  }));
  const lines = all.map(({ what }) => `Changed since Tue 17 Nov: ${what}`);
  return { kind: 'caution', lines, changes: { all, bound, closed: all.map(({ finding_id: id }) => id) } };
}

/** Asks with these changes, finds others when the terms are read again, and says yes. */
async function answered(asked: readonly TermsSection[], found: readonly TermsSection[]) {
  const desk = await CallHarness.open();
  const { sections: lines, ...terms } = desk.terms as Terms;
  desk.terms = { ...terms, sections: [...lines, ...asked] };
  const { handle } = await desk.ask();
  desk.terms = { ...terms, sections: [...lines, ...found] };
  return { desk, handle, answer: desk.answer(handle, YES) };
}

test.each<[string, readonly TermsSection[], readonly TermsSection[], readonly string[] | undefined]>([
  ['nothing is open', [], [], undefined],
  ['the same is open', [caution(['b', 'a'])], [caution(['a', 'b'])], ['b', 'a']],
  ['one of two is dealt with meanwhile', [caution(['a', 'b'])], [caution(['b'])], ['a', 'b']],
  ['all is dealt with meanwhile', [caution(['a'])], [], ['a']],
  ['something comes that does not bind the act', [], [caution([], ['a'])], undefined],
])('a yes is carried out where %s, and its operation keeps what was named', async (_, asked, found, told) => {
  const { desk, answer } = await answered(asked, found);
  expect(textOf(await answer)).toContain('Paid.');
  expect((await desk.newest())?.facts?.told).toEqual(told);
});

test.each<[string, readonly TermsSection[], readonly TermsSection[], string]>([
  ['where nothing was open', [], [caution(['a'])], 'Changed since Tue 17 Nov: what a.'],
  ['beside what was named', [caution(['a'])], [caution(['a', 'b'])], 'Changed since Tue 17 Nov: what b.'],
  ['in place of what was named', [caution(['a'])], [caution(['b'])], 'Changed since Tue 17 Nov: what b.'],
])(
  'a change that binds the act and comes after the question makes the yes stale: %s',
  async (_, asked, found, changed) => {
    const { desk, handle, answer } = await answered(asked, found);
    const stale = {
      code: 'E_APPROVAL_STALE',
      changed: [changed],
      next: expect.stringMatching(/^Tell the person what changed\. Only if/),
    };
    expect(await refusal(answer)).toMatchObject(stale);
    expect(desk.sends).toBe(0);
    // Whoever asks for the outcome later reads the same.
    expect(await refusal(desk.call({}, handle))).toMatchObject(stale);
    expect((await desk.newest())?.outcome?.error).not.toHaveProperty('changed');
  },
);

test('a question names all changes by the airline in its fields, and one without any has no such field', async () => {
  const sections = (desk: CallHarness, ...more: TermsSection[]) => {
    desk.terms = { ...(desk.terms as Terms), sections: [...(desk.terms as Terms).sections, ...more] };
  };
  for (const told of [[], [caution(['a'], ['b'])]]) {
    const desk = await CallHarness.open();
    desk.set({ canUseTerminal: true });
    sections(desk, ...told);
    const { structured } = await desk.result();
    expect(structured.airline_changes).toEqual(told[0]?.changes?.all);
  }
});

test('a result names the changes that nobody has dealt with, of the booking and of the one that the act was about', async () => {
  const asked: unknown[] = [];
  const all = [{ locator: 'ABC123', what: 'x', kind: 'retimed', finding_id: 'a' }];
  const changes = { all, bound: [], closed: [] };
  const done = async (
    changes: CallHarness['tool']['changes'],
    runtime: object = {},
    own: object = { warnings: ['Tell them.'] },
    tool: CallHarness['tool'] = {},
  ) => {
    const desk = await CallHarness.open();
    Object.assign(desk.runtime, runtime);
    desk.tool = { changes, show: async () => ({ text: 'Paid.', fields: {}, ...own }), ...tool };
    const { handle } = await desk.ask();
    const answer = await desk.answer(handle, YES);
    return answer.kind === 'result' ? answer : undefined;
  };
  const told = await done(async (...given) => {
    asked.push(given);
    return { lines: ['Changed since Tue 17 Nov: x'], changes };
  });
  expect(told?.structured).toMatchObject({
    status: 'done',
    airline_changes: all,
    warnings: ['Tell them.', 'Changed since Tue 17 Nov: x'],
  });
  const alone = await done(async () => ({ lines: ['x'], changes }), {}, {});
  expect(alone?.structured.warnings).toEqual(['x']);
  expect(asked).toEqual([[[expect.objectContaining({ locator: 'ABC123' })], undefined]]);
  const silent = await done(async () => undefined);
  expect(silent?.structured).toMatchObject({ status: 'done' });
  expect(silent?.structured.airline_changes).toBeUndefined();
  expect(silent?.structured.warnings).toEqual(['Tell them.']);
  const away = await done(async () => Promise.reject(new Error('the store is away')));
  expect(away?.structured).toMatchObject({ status: 'done' });
  // A reading that has just shown that nothing is open saves the look.
  asked.length = 0;
  const quiet = async (...given: unknown[]) => void asked.push(given);
  await done(quiet as never, { compareReading: async () => ({ isQuiet: true, seen: [] }) });
  expect(asked).toEqual([]);
  const read = async () => Promise.reject(new Error('the airline is away'));
  await done(quiet as never, {}, {}, { read });
  expect(asked).toEqual([[[{ locator: 'ABC123' }], undefined]]);
});

describe('a yes that is stale names what the airline changed, as it is and as it was', () => {
  const asked = held({ travelers: [traveler('1', 'Laila', 'Haddad')] });
  const { pricing, options } = asked.reading;
  const [fare] = pricing?.fares ?? [];
  if (pricing?.total === undefined || fare === undefined) throw new Error('no price');
  const { total } = pricing;
  const withRule = (over: object) => ({
    pricing: { ...pricing, fares: [{ ...fare, refundRules: fare.refundRules.map((rule) => ({ ...rule, ...over })) }] },
  });
  const people = (booking: typeof asked) => peopleSection(booking);

  test.each<[string, Partial<Reading>, RegExp]>([
    [
      'the total',
      { pricing: { ...pricing, total: { ...total, total: SAR(70_000) } } },
      /^Costs SAR 700\.00, was SAR 690\.00\.$/,
    ],
    [
      'baggage',
      { pricing: { ...pricing, total: { ...total, baggage: ['1 PC'] } } },
      /^Has baggage “1 PC”, was “2 PC”\.$/,
    ],
    ['a refund rule', withRule({ refundable: false }), /^Has the refund rule “no refund.*”, was “a fee of /],
    [
      'a name',
      { travelers: [traveler('1', 'Layla', 'Haddad')] },
      /^Passenger 1 is “Layla Haddad”, adult, was “Laila Haddad”, adult\.$/,
    ],
    [
      'flights that are left out',
      { options: [] },
      /^The flights of the booking are not in the airline's reading now\.$/,
    ],
  ])('%s', async (_, over, sentence) => {
    const desk = await CallHarness.open();
    const baggage = { pricing: { ...pricing, total: { ...total, baggage: ['2 PC'] } }, options };
    const [before, after] = [reread(asked, baggage), reread(reread(asked, baggage), over)];
    const terms = desk.terms as Terms;
    desk.terms = { ...terms, booking: before, sections: [...terms.sections, people(before)] };
    const { handle } = await desk.ask();
    desk.terms = { ...terms, booking: after, sections: [...terms.sections, people(after)] };
    const { code, changed } = await refusal(desk.answer(handle, YES));
    expect([code, changed]).toEqual(['E_APPROVAL_STALE', expect.arrayContaining([expect.stringMatching(sentence)])]);
    expect(desk.sends).toBe(0);
  });
});
