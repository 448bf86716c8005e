/** What is shown of a reading: documents and birth dates stand in no text of it, and everything else is as it was read. */
import { describe, expect, it } from 'vitest';
import { hiding, shownBooking, withoutDetails } from '../../../src/domain/booking/blanked-booking.ts';
import { fare, held, OUT, pricing, rule, sar } from '../../support/bookings.ts';
import { contactNamed, personName, traveler } from '../../support/people.ts';
import { DATES, NUMBERS, needlesOf, spelled } from '../../support/repeated-details.ts';

const SECRET = { birth_date: '1971-03-29', number: 'QX7719402', expires: '2034-08-27' };
const DETAILS = { birthDate: SECRET.birth_date, document: { number: SECRET.number, expires: SECRET.expires } };
const NEEDLES = needlesOf(SECRET);

const TEXTS = [
  ...[SECRET.birth_date, SECRET.expires].flatMap((date) =>
    Object.keys(DATES).map((spelling) => [`${date}, ${spelling}`, spelled(date, spelling)] as const),
  ),
  ...NUMBERS.map((written) => [`number ${written(SECRET.number)}`, written(SECRET.number)] as const),
];

/** A reading with a text in places of every kind. */
function readWith(text: string) {
  const rules = [rule({ texts: [{ locale: 'en', text: `As sold, ${text}.` }] })];
  const fares = [fare('1', 'MED', 'JED', { refundRules: rules })];
  const segments = OUT.segments.map((each) => ({
    ...each,
    fareName: `Eco ${text}`,
    fareRules: [{ code: 'R1', text: `Refund: SAR 0.00\n${text}` }],
  }));
  return held({
    options: [{ ...OUT, segments }],
    travelers: [
      traveler('1', 'Nour', `Haddad ${text}`, {
        ...DETAILS,
        document: { ...DETAILS.document, docType: '2', nationality: 'SA' },
        name: personName('Nour', `Haddad ${text}`, { given: ['Nour', ...text.split(' ')], prefix: ['Ms', text] }),
      }),
    ],
    contact: contactNamed('Nour', `Haddad ${text}`, {
      emails: [`a@example.com ${text}`],
      phones: [{ countryCode: '966', number: `551234567 ${text}` }],
    }),
    pricing: pricing(69000, { fares }),
    services: [{ code: 'DOCS', text: `P/SAU/${text}`, travelerRefs: ['1'], segmentRefs: [] }],
    remarks: [`(${text})`],
    emds: [{ number: '0991234567890', type: `A ${text}`, text }],
  }).reading;
}

const found = (value: unknown) => {
  const text = JSON.stringify(value).toLowerCase();
  return NEEDLES.filter((needle) => text.includes(needle));
};

describe('what is shown of a booking', () => {
  it('has no other document of a passenger, and none of its details in a text', () => {
    const { travelers, ...read } = readWith(SECRET.number);
    const people = travelers.map(({ document, birthDate: _, ...rest }) => ({
      document: { docType: '2' },
      ...rest,
      otherDocuments: [document ?? {}],
    }));
    const { reading: _, ...shown } = shownBooking({ ...read, travelers: people });
    expect(found(shown)).toEqual([]);
  });

  it.each(TEXTS)('has no %s in any place, and the reading is as it was', (_, text) => {
    const read = readWith(text);
    const before = structuredClone(read);
    const { reading, ...shown } = shownBooking(read);
    expect(found(read)).not.toEqual([]);
    expect(found(shown)).toEqual([]);
    expect(reading).toBe(read);
    expect(reading).toEqual(before);
  });

  it('has no documents and birth dates of people, but the kind and the country', () => {
    const { travelers } = shownBooking(readWith(''));
    expect(travelers).toMatchObject([{ document: { docType: '2', nationality: 'SA' } }]);
    expect(JSON.stringify(travelers)).not.toMatch(/QX7719402|1971|2034/);
  });

  it.each([
    ...['QX77194025', 'AQX7719402', '119710329', '197103290', '03:29:1971', '1,971.03', '7719402', 'SAR 1971.03'],
    ...['1971', '29 MAR', '20340828', '1971-03-290', 'MARCH 2034', '08/27', '29MAR71A', '0971-03-29', '12 QX7719'],
  ])('has %s as it is in rules, prices, baggage and names', (text) => {
    const { pricing: prices, options, travelers } = shownBooking(readWith(text));
    const read = readWith(text);
    expect([prices, options]).toEqual([read.pricing, read.options]);
    expect(travelers[0]?.name).toEqual(read.travelers[0]?.name);
  });

  it('keeps the sums and hours of rules where a number of a document is all digits', () => {
    const document = { number: '17250', expires: '2034-08-27' };
    const text = 'Fee SAR 17250.00 or 172,50 until 17:25 on 2034-08-28; 1725 is kept. ID 17250, 172-50.';
    const { options } = shownBooking({
      ...readWith(text),
      travelers: [traveler('1', 'A', 'B', { document })],
    });
    expect(options[0]?.segments[0]?.fareRules?.[0]?.text).toContain(text.replace('ID 17250, 172-50', 'ID •••, •••'));
  });

  it.each([
    ['a telephone', 'call 966 55 123 4567 now', 'call ••• now'],
    ['an unknown number', 'PAX ID K7654987.', 'PAX ID K•••.'],
    ['an address', 'mail to amal@example.com', 'mail to •••'],
    ['its locator', 'SEE 0012345678', 'SEE 0012345678'],
    ['its ticket', 'TKT 065-2100000001', 'TKT 065-2100000001'],
    ['its flight beside a day', 'HAT045 2026-12-01 delayed', 'HAT045 2026-12-01 delayed'],
    ['its flight beside hours', 'HAT45 10 20, HAT 045', 'HAT45 10 20, HAT 045'],
    ['a day of another year', 'born 1988-12-01', 'born •••'],
    ['a card but its end', 'paid by credit card 4242424242427334 (visa)', 'paid by credit card ••••7334 (visa)'],
    ['a card in groups', 'FOP CCVI4242-4242-4242-7334/1227 auth 123456', 'FOP CCVI••••7334/1227 auth •••'],
    ['a card before its network', '4242 4242 4242 7334 (Visa)', '••••7334 (Visa)'],
    ['a card that an expiry follows', 'card 4242 4242 4242 7334 1227', 'card •••'],
    ['an account but its end', 'debit account 12345678, call 966551234567', 'debit account ••••78, call •••'],
    ['a voucher', 'voucher card 4242424242427334', 'voucher card •••'],
    ['a voucher with a number sign', 'Gift voucher no. 4242424242427334 (visa)', 'Gift voucher no. ••• (visa)'],
    ['a card with a number sign', 'Card no. 4242424242427334', 'Card no. ••••7334'],
    ['credit that is a voucher', 'travel credit 87654321, credit note 12345678', 'travel credit •••, credit note •••'],
    ['two cards', 'visa 4242424242427334 and card 5555444433332222', 'visa ••••7334 and card ••••2222'],
    ['a gift card', 'gift card 604122334455667788', 'gift card •••'],
    ['an identity card', 'ID card 2412345678', 'ID card •••'],
    ['a travel visa', 'visa 24123456', 'visa •••'],
    ['a short number', 'gate 12345, SAR 345.50', 'gate 12345, SAR 345.50'],
  ])('blanks in a remark what may be somebody’s: %s', (_, remark, expected) => {
    const flown = { ...OUT.segments[0], operating: { carrier: 'HAT', number: '045' } } as (typeof OUT.segments)[number];
    const { tickets: _none, ...read } = held({ options: [{ ...OUT, segments: [flown] }] }).reading;
    const shown = shownBooking({
      ...read,
      references: [{ id: '0012345678', segmentRefs: [] }],
      tickets: [{ number: '0652100000001', travelerRefs: [], segmentRefs: [], coupons: [], links: [] }],
      remarks: [remark],
      services: [{ code: 'OTHS', text: remark, travelerRefs: [], segmentRefs: [] }],
      emds: [{ text: remark }],
    });
    expect([shown.remarks?.[0], shown.services[0]?.text, shown.emds[0]?.text]).toEqual([expected, expected, expected]);
  });

  it('shows no word with digits of a service that identifies a person', () => {
    const services = [{ code: 'DOCS', text: 'P/SA/AB12/SA/12APR90/F//HADDAD', travelerRefs: [], segmentRefs: [] }];
    expect(shownBooking({ ...readWith(''), services }).services[0]?.text).toBe('P/SA/•••/SA/•••/F//HADDAD');
  });
});

describe('a text', () => {
  it('hides details as whole words', () => {
    const hide = hiding([
      DETAILS,
      { document: { number: '7' } },
      { document: { number: 'A12' } },
      { birthDate: 'soon' },
    ]);
    expect(hide('qx 771-9402 born 29Mar1971, A12 and 7')).toBe('••• born •••, ••• and 7');
    expect(hide('1971-03-29T00:00:00Z/29MAR71')).toBe('•••/•••');
    expect(hiding([])('QX7719402')).toBe('QX7719402');
  });

  it('is the same object where nothing is hidden', () => {
    const reply = { travelers: [{ surname: 'Haddad' }], total: sar(1), notes: ['Window'] };
    expect(withoutDetails(reply, [DETAILS])).toBe(reply);
    const { notes } = withoutDetails({ ...reply, notes: ['QX7719402'] }, [DETAILS]);
    expect(notes).toEqual(['•••']);
  });
});
