/** What a question says beside its terms, wherever it is asked. */
import { describe, expect, test } from 'vitest';
import { documentLines, questionDocument, termsLines } from '../../src/approvals/question-document.ts';
import { pendingApproval } from '../support/approvals.ts';

const SAR = (minor: number) => ({ minor, currency: 'SAR' });
const carried = { args: {}, operation: { direction: 'payment', amount: SAR(17_250) } };
const question = (over: Parameters<typeof pendingApproval>[0] = {}) =>
  pendingApproval({ caller: 'os:ann', near: '2026-12-09T18:40:00+03:00', carried, ...over });
const kindOf = (over: Parameters<typeof pendingApproval>[0]) => questionDocument(question(over), {}).kind;

test('has the act, who and where, the terms, who asks, until when, what silence means, what follows, other questions', () => {
  const asked = question({
    sections: [
      { kind: 'act', lines: ['Pay SAR 172.50 for booking ABC123.'], below: ['for booking ABC123.'] },
      { kind: 'refund', lines: ['SAR 86.25 comes back.'] },
    ],
    about: { people: ['Amal Haddad'], count: 1, route: 'MED → JED', airline: 'HHR', agency: 'A1' },
    others: [{ before: 'Also open: Change seats', about: 'booking ABC123', operationId: 'o1', after: '. It stays.' }],
  });
  expect(documentLines(asked, {})).toEqual([
    'Pay SAR 172.50 for booking ABC123.',
    'Amal Haddad · MED → JED',
    'Airline: HHR. Agency: A1.',
    'SAR 86.25 comes back.',
    'Asked by an assistant for ann.',
    'Answer by 03:10 (UTC+3). Without an answer, nothing happens.',
    'Before anything is sent, the booking is read again. If anything shown here has changed by then, nothing is sent.',
    'Also open: Change seats (booking ABC123). It stays.',
  ]);
  expect(questionDocument(asked, {}).more).toEqual(['for booking ABC123.']);
});

test('says above an amount that another person must approve', () => {
  const another = (amount: string) => `Above SAR ${amount} another person must approve. Whoever asks can only decline.`;
  expect(documentLines(question(), { fourEyesAbove: SAR(17_249) })).toContain(another('172.49'));
  expect(documentLines(question(), { fourEyesAbove: SAR(17_250) })).not.toContain(another('172.50'));
});

test('calls the release of a hold a change, because no money is lost', () => {
  expect(kindOf({})).toBe('Payment');
  expect(kindOf({ nature: 'cancellation' })).toBe('Cannot be undone');
  expect(kindOf({ nature: 'cancellation', carried: undefined })).toBe('Change');
});

test('leaves to the terms of a plan what is read again, and keeps the terms of its lines in their order', () => {
  const lines = [
    { kind: 'act' as const, lines: ['One yes for 2 bookings.'] },
    { kind: 'act' as const, lines: ['1. Cancel ABC123'] },
    { kind: 'note' as const, lines: ['A note.'] },
    { kind: 'act' as const, lines: ['2. Cancel ABC124'] },
  ];
  const plan = question({ tool: 'run_plan', sections: lines, about: { people: [], count: 2 } });
  expect(questionDocument(plan, {}).closing).toEqual(['Without an answer, nothing happens.']);
  expect(termsLines(plan)).toEqual([
    ...['One yes for 2 bookings.', '2 passengers', '1. Cancel ABC123', 'A note.', '2. Cancel ABC124'],
  ]);
});

describe('a question of an earlier version', () => {
  test('is read in the same order, and repeats its act', () => {
    const sections = [
      { kind: 'act' as const, lines: ['Pays SAR 172.50.'] },
      { kind: 'trip' as const, lines: ['A train.'] },
      { kind: 'caution' as const, lines: ['A caution.'] },
    ];
    const { more, sections: read } = questionDocument(question({ sections }), {});
    expect([more, read.map(({ kind }) => kind)]).toEqual([['Pays SAR 172.50.'], ['caution', 'trip']]);
  });

  test('may have no section of its act', () => {
    const { more, gist } = questionDocument(question({ sections: [] }), {});
    expect([more, gist, termsLines(question({ sections: [] }))]).toEqual([[], [], []]);
  });
});
