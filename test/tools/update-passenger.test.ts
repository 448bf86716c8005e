import { describe, expect, test } from 'vitest';
import { linesOf } from '../../src/approvals/terms.ts';
import type { Booking } from '../../src/domain/booking/booking.ts';
import { updatePassenger } from '../../src/tools/update-passenger.ts';
import { held, NOW, option, segment, ticketed } from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { carryOut, openDesk, operationOf, parsed, refusedWith } from './support/tool-context.ts';

const TWO = [
  traveler('1', 'Amal', 'Haddad'),
  traveler('2', 'Noor', 'Haddad', {
    document: { number: 'N7654321', docType: '2', nationality: 'SA', expires: '2031-01-01' },
  }),
];
const PASSPORT = { type: 'passport', number: 'x9999999', nationality: 'SA', expires: '2032-02-02' };

const preview = (booking: Booking, changes: object[], now = NOW) =>
  updatePassenger.preview(
    parsed(updatePassenger, { locator: 'ABC123', changes }),
    openDesk({ bookings: [booking], now }).ctx,
  );

describe('update_passenger', () => {
  test('refuses a change of details that the airline does not permit, in the airline dialect only', async () => {
    const within = (dialect: 'rail' | 'airline', types: string[]) => {
      const permitted = types.map((modificationType) => ({ modificationType }));
      const booking = ticketed({ options: [option(segment('1', { permitted }))] });
      const args = { locator: 'ABC123', changes: [{ passenger_ref: '1', gender: 'Male' }] };
      const desk = openDesk({ bookings: [booking], settings: { dialect } });
      return updatePassenger.preview(parsed(updatePassenger, args), desk.ctx);
    };
    const error = await refusedWith(within('airline', ['10']), 'E_NOT_PERMITTED');
    expect(error.message).toContain('the airline does not permit a change of details on segment 1');
    await within('airline', ['3', '10']);
    await within('rail', ['10']);
  });

  test('shows each changed detail, old documents masked, and sends names unchanged', async () => {
    const booking = ticketed({ travelers: TWO });
    const terms = await preview(booking, [
      {
        passenger_ref: '1',
        gender: 'Male',
        birth_date: '1991-05-05',
        document: PASSPORT,
        email: 'amal@example.com',
        phone: { country_code: '966', number: '551234567' },
      },
      { passenger_ref: '2', gender: 'Female' },
    ]);
    expect(linesOf(terms.sections)).toEqual([
      'Change details of a passenger of booking ABC123; names stay.',
      'Passenger 1: “Amal Haddad”, adult',
      '  birth date: was 1990-04-12, now 1991-05-05',
      '  gender: was “Female”, now Male',
      '  document: was passport •••••567 (SA, expires 2031-01-01), now passport •••••999 (SA, expires 2032-02-02)',
      '  e-mail: was none, now “amal@example.com”',
      '  phone: was none, now +966551234567',
      'The airline does not document this request: it is sent as such airlines are known to take it, and judged by the booking afterwards.',
    ]);
    expect(terms).toMatchObject({ act: 'Change passenger details on ABC123', ask: true });
    expect(terms.send.modification).toMatchObject({
      kind: 'update_passengers',
      travelers: [{ ref: '1', name: TWO[0]?.name, document: { number: 'X9999999', docType: '2' } }],
    });
    expect(terms.send.modification.kind === 'update_passengers' && terms.send.modification.travelers).toHaveLength(1);
  });

  test.each([
    [{ nationality: 'PK' }, 'now passport •••••567 (PK, expires 2031-01-01)'],
    [{ type: 'national_id' }, 'now national_id •••••567 (SA, expires 2031-01-01)'],
    [{ expires: '2033-03-03' }, 'now passport •••••567 (SA, expires 2033-03-03)'],
    [{ number: 'P7654567' }, 'now passport •••••567 (SA, expires 2031-01-01) (another number)'],
  ])('shows each changed part of a document: %o', async (part, now) => {
    const given = { ...PASSPORT, number: 'P1234567', expires: '2031-01-01', ...part };
    const [, , line] = linesOf((await preview(ticketed(), [{ passenger_ref: '1', document: given }])).sections);
    expect(line).toBe(`  document: was passport •••••567 (SA, expires 2031-01-01), ${now}`);
  });

  test('shows unknown parts of a document as unknown', async () => {
    const document = { ...PASSPORT, number: 'P1234567' };
    const shown = async (before: Partial<ReturnType<typeof traveler>>) =>
      (
        await preview(ticketed({ travelers: [traveler('1', 'Amal', 'Haddad', before)] }), [
          { passenger_ref: '1', document },
        ])
      ).sections[1]?.lines[1];
    const now = 'now passport •••••567 (SA, expires 2032-02-02)';
    expect(await shown({ document: { docType: '9' } })).toBe(`  document: was 9 ? (?, expires ?), ${now}`);
    const { document: _, ...without } = traveler('1', 'Amal', 'Haddad');
    const terms = await preview(ticketed({ travelers: [without] }), [{ passenger_ref: '1', document }]);
    expect(linesOf(terms.sections)[2]).toBe(`  document: was none, ${now}`);
  });

  test('masks the old e-mail address and phone number', async () => {
    const known = traveler('1', 'Amal', 'Haddad', {
      emails: ['old@example.com'],
      phones: [{ countryCode: '966', number: '551234567' }],
    });
    const terms = await preview(ticketed({ travelers: [known] }), [
      { passenger_ref: '1', email: 'new@example.com', phone: { country_code: '966', number: '559990000' } },
    ]);
    expect(linesOf(terms.sections).slice(2, 4)).toEqual([
      '  e-mail: was “o***@example.com”, now “new@example.com”',
      '  phone: was ••••••••567, now +966559990000',
    ]);
  });

  test('replaces the first of several e-mail addresses and phone numbers, and shows that the others stay', async () => {
    const known = traveler('1', 'Amal', 'Haddad', {
      emails: ['old@example.com', 'boss@example.com'],
      phones: [{ countryCode: '966', number: '551234567' }, { number: '5522222' }],
    });
    const terms = await preview(ticketed({ travelers: [known] }), [
      { passenger_ref: '1', email: 'new@example.com', phone: { country_code: '966', number: '559990000' } },
    ]);
    expect(linesOf(terms.sections).slice(2, 4)).toEqual([
      '  e-mail: was “o***@example.com”, now “new@example.com”; “b***@example.com” stays',
      '  phone: was ••••••••567, now +966559990000; •••••222 stays',
    ]);
    expect(terms.send.modification).toMatchObject({
      travelers: [
        { emails: ['new@example.com', 'boss@example.com'], phones: [{ countryCode: '966' }, { number: '5522222' }] },
      ],
    });
  });

  test.each<[string, object[], string]>([
    [
      'the document of another passenger',
      [{ passenger_ref: '1', document: { ...PASSPORT, number: 'n-7654321' } }],
      'than passenger 2 has',
    ],
    [
      'one document for two passengers',
      [
        { passenger_ref: '1', document: PASSPORT },
        { passenger_ref: '2', document: PASSPORT },
      ],
      'changes[1].document.number: expected another number than passenger 1 has',
    ],
    [
      'a document number with separators',
      [{ passenger_ref: '1', document: { ...PASSPORT, number: 'X 999-9999' } }],
      'changes[0].document.number: expected 3 to 30 letters and digits; nearest valid: the same without its separators.',
    ],
    [
      'a document that ends too early',
      [{ passenger_ref: '1', document: { ...PASSPORT, expires: '2026-12-05' } }],
      'valid after the last arrival',
    ],
    [
      'a birth date that does not fit the passenger type',
      [{ passenger_ref: '1', birth_date: '2020-01-01' }],
      'expected the age of ADT on 2026-12-01',
    ],
    ['an unknown passenger', [{ passenger_ref: '9', gender: 'Male' }], 'expected a ref of this booking: 1, 2.'],
    [
      'two changes of one passenger',
      [
        { passenger_ref: '1', gender: 'Male' },
        { passenger_ref: '1', gender: 'Female' },
      ],
      'each passenger once',
    ],
  ])('refuses %s', async (_what, changes, words) => {
    const error = await refusedWith(preview(ticketed({ travelers: TWO }), changes), 'E_INPUT');
    expect(error.message).toContain(words);
  });

  test('lets two passengers exchange documents', async () => {
    const [first, second] = TWO.map(({ document }) => ({
      ...PASSPORT,
      number: document?.number ?? '',
      expires: '2031-01-01',
    }));
    const terms = await preview(ticketed({ travelers: TWO }), [
      { passenger_ref: '1', document: second },
      { passenger_ref: '2', document: first },
    ]);
    expect(terms.act).toBe('Change passenger details on ABC123');
    expect(linesOf(terms.sections)[0]).toContain('2 passengers');
  });

  test('refuses an unnamed passenger, a change without a difference and a closed booking', async () => {
    const { name: _, ...unnamed } = traveler('1', 'x', 'y');
    const error = await refusedWith(
      preview(ticketed({ travelers: [unnamed] }), [{ passenger_ref: '1', gender: 'Male' }]),
      'E_INPUT',
    );
    expect(error.message).toContain('change_names gives one its name');
    await refusedWith(preview(held(), [{ passenger_ref: '1', gender: 'Female' }]), 'E_ALREADY_DONE');
    await refusedWith(preview(held({ cancelled: true }), [{ passenger_ref: '1', gender: 'Male' }]), 'E_NOT_PERMITTED');
  });

  test('reports the changed details, and that the request is assumed', async () => {
    const desk = openDesk({ bookings: [ticketed()], airline: { modify: async () => ticketed() } });
    const changes = [{ passenger_ref: '1', gender: 'Male', birth_date: '1991-05-05' }];
    const { output, report, text } = await carryOut(updatePassenger, { locator: 'ABC123', changes }, desk);
    expect(output.changes).toEqual([{ passenger_ref: '1', details: ['gender', 'birth_date'] }]);
    expect(report.changed).toEqual(['passenger 1: gender, birth_date']);
    expect(text).toBe(
      'Changed in booking ABC123:\n  passenger 1  gender, birth_date\nIt rests on an assumed request: let the person check the booking.',
    );
    const terms = await preview(ticketed(), changes);
    const args = parsed(updatePassenger, { locator: 'ABC123', changes });
    const other = operationOf('update_passenger', terms, { subject: { kind: 'create' } });
    expect(updatePassenger.report({ args, operation: other }, desk.ctx).added).toMatchObject({ changes: [] });
    const old = operationOf('update_passenger', terms, {
      subject: { kind: 'update_passengers', changes: [{ ref: '1', was: 'a', wanted: 'b' }] },
    });
    expect(updatePassenger.report({ args, operation: old }, desk.ctx).added).toMatchObject({
      changes: [{ passenger_ref: '1', details: [] }],
    });
  });
});
