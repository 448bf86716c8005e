/** What the door blanks of a reply, and what it leaves: every spelling of a detail as a whole word, and nothing inside a longer run. */
import { describe, expect, it } from 'vitest';
import { asRead, withoutRepeats } from '../../../src/domain/people/blank-entered-details.ts';
import { DATES, NUMBERS, needlesOf, spelled } from '../../support/repeated-details.ts';

const SECRET = { birth_date: '1971-03-29', number: 'QX7719402', expires: '2034-08-27' };
const PEOPLE = [{ birthDate: SECRET.birth_date, document: { number: SECRET.number, expires: SECRET.expires } }];
const NEEDLES = needlesOf(SECRET);

/** A reply with a text in places of every kind. */
const replyWith = (text: string) => ({
  travelers: [{ name: { prefix: ['Ms', text], given: ['Nour', ...text.split(' ')], surname: `Haddad ${text}` } }],
  contact: { emails: [`a@example.com ${text}`], phones: [{ countryCode: '966', number: `551234567 ${text}` }] },
  fareRules: [{ code: 'R1', text: `Refund: SAR 0.00\n${text}` }],
  pricing: { fares: [{ refundRules: [{ texts: [{ text: `As sold, ${text}.` }] }], baggage: [text] }] },
  services: [{ code: 'DOCS', text: `P/SAU/${text}` }],
  remarks: [`(${text})`],
  emds: [{ number: '0991234567890', type: text, text }],
  source: { untouched: text },
});

const found = (reply: object) => {
  const text = JSON.stringify({ ...reply, source: undefined }).toLowerCase();
  return NEEDLES.filter((needle) => text.includes(needle));
};

const TEXTS = [
  ...[SECRET.birth_date, SECRET.expires].flatMap((date) =>
    Object.keys(DATES).map((spelling) => [`${date}, ${spelling}`, spelled(date, spelling)] as const),
  ),
  ...NUMBERS.map((written) => [`number ${written(SECRET.number)}`, written(SECRET.number)] as const),
];

describe('the door', () => {
  it.each(TEXTS)('blanks %s in every place, and knows what was read', (_, text) => {
    const reply = replyWith(text);
    expect(found(reply)).not.toEqual([]);
    const shown = withoutRepeats(reply, PEOPLE, 'all');
    expect(found(shown)).toEqual([]);
    expect(shown.source).toBe(reply.source);
    expect(asRead(shown)).toBe(reply);
    // Where it was not entered on the page, documents are shown where documents stand.
    const { services, remarks, emds, ...others } = withoutRepeats(reply, PEOPLE);
    expect([services, remarks, emds]).toEqual([reply.services, reply.remarks, reply.emds]);
    expect(found(others)).toEqual([]);
    // Of a reply that the adapter has blanked already, only the fields with documents are looked into.
    const rest = withoutRepeats(reply, PEOPLE, 'of documents');
    expect(rest).toEqual({ ...reply, services: shown.services, remarks: shown.remarks, emds: shown.emds });
    expect(asRead(rest)).toBe(reply);
  });

  it.each([
    ...[
      'QX77194025',
      'AQX7719402',
      '119710329',
      '197103290',
      '03:29:1971',
      '1,971.03',
      '29.03.19711',
      '12 QX7719',
      '7719402',
    ],
    ...['SAR 1971.03', '1971', '29 MAR', '20340828', '1971-03-290', 'MARCH 2034', '08/27', '29MAR71A', '0971-03-29'],
  ])('leaves %s as it is', (text) => {
    const reply = replyWith(text);
    expect(withoutRepeats(reply, PEOPLE, 'all')).toBe(reply);
  });
});
