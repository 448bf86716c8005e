import { describe, expect, test } from 'vitest';
import { linesOf, termsDigest } from '../../src/approvals/terms.ts';
import type { Booking } from '../../src/domain/booking/booking.ts';
import { changeNames } from '../../src/tools/change-names.ts';
import { held, NOW, OUT, option, ticketed } from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { carryOut, inputProblems, openDesk, operationOf, parsed, refusedWith } from './support/tool-context.ts';

const args = (...changes: object[]) => ({ locator: 'ABC123', changes });
const TYPO = { passenger_ref: '1', given_name: 'Amál' };

const preview = (booking: Booking, given: object, now = NOW) =>
  changeNames.preview(parsed(changeNames, given), openDesk({ bookings: [booking], now }).ctx);

const sent = async (booking: Booking, given: object) => {
  const { send } = await preview(booking, given);
  return send.modification.kind === 'change_names' ? send.modification.travelers : [];
};

const KEY = new Uint8Array(32);

const middle = (given: string[], between: string[]) => ({
  prefix: [],
  given,
  middle: between,
  surname: 'Haddad',
  suffix: [],
  title: ['Ms'],
});

const PENDING = { action: 'CREATE_BOOKING', direction: 'PAYMENT', status: 'PENDING' } as const;

describe('change_names', () => {
  test('asks a person to approve a change of names once the booking is paid', async () => {
    const change = args({ passenger_ref: '1', surname: 'Al-Haddad' });
    const unpaid = held({ orders: [PENDING] });
    expect(await preview(unpaid, change)).toMatchObject({ ask: false, act: 'Change the name on ABC123' });
    const terms = await preview(ticketed(), change);
    expect(terms.ask).toBe(true);
    const unissued = await preview({ ...ticketed(), tickets: [] }, change);
    expect(unissued.ask).toBe(true);
    expect(linesOf(unissued.sections)).toContain('It is paid; tickets are not issued yet. The airline may refuse.');
    expect(terms.money).toBeUndefined();
    expect(linesOf(terms.sections)).toEqual([
      'Change a passenger of booking ABC123.',
      'Passenger 1 (adult): was “Amal Haddad”, now “Amal Al-Haddad”',
      'Train HHR101: MED → JED, Tue 1 Dec 08:00-10:10 (UTC+3), class Y, fare YOW',
      'Train HHR202: JED → MED, Sat 5 Dec 18:00-20:10 (UTC+3), class Y, fare YOW',
      'Tickets are issued: the airline may refuse, or reissue them.',
      'The airline states no charge beforehand; the result says what the booking costs afterwards.',
      'Names can be changed until Mon 30 Nov 03:00 (UTC+3).',
    ]);
  });

  test.each<[string, Partial<Booking>]>([
    ['no order at all', {}],
    ['an order that is PAID, before tickets appear', { orders: [{ ...PENDING, status: 'PAID' }] }],
    ['an order in a word that is not known', { orders: [{ ...PENDING, status: 'CONFIRMED' }] }],
    ['an order without a status', { orders: [{ direction: 'PAYMENT' }] }],
    ['a paid order beside a pending one', { orders: [PENDING, { ...PENDING, status: 'PAID' }] }],
    ['a refund', { orders: [PENDING, { direction: 'REFUND', status: 'PENDING' }] }],
    ['a ticket number', { orders: [PENDING], tickets: ticketed().tickets }],
  ])('asks a person unless the booking is provably unpaid: %s', async (_, over) => {
    const change = args({ passenger_ref: '1', surname: 'Al-Haddad' });
    expect((await preview(held(over), change)).ask).toBe(true);
  });

  test('shows a change of title and document in the terms, and says that the name stays', async () => {
    const document = { type: 'national_id', number: 'P1234567', nationality: 'PK', expires: '2031-01-01' };
    const terms = await preview(ticketed(), args({ passenger_ref: '1', title: 'Dr', document }));
    expect(terms.act).toBe('Change passenger details on ABC123');
    expect(linesOf(terms.sections).slice(1, 4)).toEqual([
      'Passenger 1 (adult): “Amal Haddad”, the name stays',
      '  title: was none, now “Dr”',
      '  document: was passport •••••567 (SA, expires 2031-01-01), now national_id •••••567 (PK, expires 2031-01-01)',
    ]);
    const other = await preview(
      ticketed(),
      args({ passenger_ref: '1', title: 'Dr', document: { ...document, nationality: 'SA' } }),
    );
    expect(termsDigest(KEY, 'change_names', other)).not.toBe(termsDigest(KEY, 'change_names', terms));
    const again = held({ travelers: [traveler('1', 'x', 'y', { name: middle(['Amal'], []) })] });
    expect(linesOf((await preview(again, args({ passenger_ref: '1', title: 'Dr' }))).sections)).toContain(
      '  title: was “Ms”, now “Dr”',
    );
  });

  test('replaces any earlier prefix or title with the new title, sent as a prefix', async () => {
    const named = (prefix: string[], title: string[]) =>
      held({ travelers: [traveler('1', 'x', 'y', { name: { ...middle(['Amal'], []), prefix, title } })] });
    const given = args({ passenger_ref: '1', title: 'MRS' });
    const lineOf = async (booking: Booking) =>
      linesOf((await preview(booking, given)).sections).find((line) => line.includes('title:'));
    expect(await lineOf(named(['MR'], []))).toBe('  title: was “MR”, now “MRS”');
    expect(await lineOf(named(['Prof.', 'Dr'], ['MS']))).toBe('  title: was “Prof. Dr MS”, now “MRS”');
    expect(await lineOf(named([''], ['MS']))).toBe('  title: was “MS”, now “MRS”');
    const [changed] = await sent(named(['MR'], ['MR']), given);
    expect(changed?.name).toMatchObject({ prefix: ['MRS'], title: [] });
    await refusedWith(preview(named(['MRS'], []), given), 'E_ALREADY_DONE');
  });

  test('sends the given details and keeps all others as the airline has them', async () => {
    const booking = held({ travelers: [traveler('1', 'x', 'y', { name: middle(['Amal'], ['Noor']) })] });
    const [changed] = await sent(booking, args({ passenger_ref: '1', surname: 'Weiß', gender: 'Unknown' }));
    expect(changed).toEqual({
      ...booking.travelers[0],
      gender: 'Unknown',
      name: { ...middle(['Amal'], ['Noor']), surname: 'Weiss' },
    });
    const [renamed] = await sent(
      booking,
      args({ passenger_ref: '1', given_name: 'Sara', middle_name: 'Lina', title: 'Dr' }),
    );
    expect(renamed?.name).toMatchObject({
      given: ['Sara'],
      middle: ['Lina'],
      surname: 'Haddad',
      prefix: ['Dr'],
      title: [],
    });
    const document = { type: 'national_id', number: 'k99', nationality: 'sa', expires: '2030-01-01' };
    const [newDocument] = await sent(booking, args({ passenger_ref: '1', document }));
    expect(newDocument?.document).toEqual({ number: 'K99', docType: '5', nationality: 'SA', expires: '2030-01-01' });
  });

  test('names unnamed passengers of a group, and requires the full name', async () => {
    const { name: _, ...unnamed } = traveler('1', 'x', 'y');
    const group = held({ travelers: [unnamed, { ...unnamed, ref: '2' }] });
    const [named] = await sent(group, args({ passenger_ref: '2', given_name: 'Jörg', surname: 'Weiss' }));
    expect(named).toMatchObject({ ref: '2', name: { given: ['Joerg'], surname: 'Weiss' } });
    const half = await refusedWith(preview(group, args({ passenger_ref: '1', surname: 'Weiss' })), 'E_INPUT');
    expect(half.message).toContain('changes[0].given_name: expected for a passenger not named yet');
  });

  test('checks a document as create_booking does', async () => {
    const document = { type: 'passport', number: '*', nationality: 'SA', expires: '2031-01-01' };
    const error = await refusedWith(preview(ticketed(), args({ passenger_ref: '1', document })), 'E_INPUT');
    expect(error.message).toContain('changes[0].document.number: expected 3 to 30 letters and digits');
    const parted = args({ passenger_ref: '1', document: { ...document, number: 'x 99-88/77' } });
    expect((await refusedWith(preview(ticketed(), parted), 'E_INPUT')).message).toContain(
      'nearest valid: the same without its separators.',
    );
  });

  test('reports a change of other details not as a change of name', () => {
    const done = { operation: { locator: 'ABC123' } } as never;
    const text = changeNames.text({ changes: [{ passenger_ref: '1', was: 'Amal Haddad', now: 'Amal Haddad' }] }, done);
    expect(text).toContain('passenger 1  Amal Haddad: other details');
  });

  test('shows a transliterated name in the terms and as a warning', async () => {
    const terms = await preview(ticketed(), args({ passenger_ref: '1', given_name: 'Jörg' }));
    expect(linesOf(terms.sections)).toContain('Note: changes[0].given_name: “Jörg” is sent as “Joerg”.');
    expect(terms.warnings).toHaveLength(1);
  });

  test('sends only passengers whose names differ, ignoring accents and case', async () => {
    const two = ticketed({ travelers: [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Noor', 'Haddad')] });
    const change = args({ passenger_ref: '1', given_name: 'AMAL' }, { passenger_ref: '2', given_name: 'Nour' });
    expect((await sent(two, change)).map((each) => each.ref)).toEqual(['2']);
    await refusedWith(preview(ticketed(), args(TYPO)), 'E_ALREADY_DONE');
  });

  test('refuses changes after the time limit, on closed bookings, without permission and with wrong refs or ages', async () => {
    const change = args({ passenger_ref: '1', given_name: 'Sara' });
    const late = await refusedWith(preview(ticketed(), change, Date.parse('2026-11-30T00:00:00Z')), 'E_TOO_LATE');
    expect(late.message).toContain(
      'Booking ABC123: the time limit for names passed on Mon 30 Nov 03:00 (UTC+3). Nothing was sent.',
    );
    await refusedWith(preview(held(), change, Date.parse('2026-11-29T06:00:00Z')), 'E_TOO_LATE');
    await refusedWith(preview(held({ cancelled: true }), change), 'E_NOT_PERMITTED');
    const permitted = [{ modificationType: '10' }];
    const barred = ticketed({ options: [option(...OUT.segments.map((s) => ({ ...s, permitted })))] });
    await refusedWith(preview(barred, change), 'E_NOT_PERMITTED');
    await refusedWith(preview(ticketed(), args({ passenger_ref: '7', given_name: 'Sara' })), 'E_INPUT');
    const twice = args({ passenger_ref: '1', given_name: 'Sara' }, { passenger_ref: '1', surname: 'Smith' });
    expect((await refusedWith(preview(ticketed(), twice), 'E_INPUT')).message).toContain('changes[1].passenger_ref');
    const child = args({ passenger_ref: '1', birth_date: '2020-01-01' });
    expect((await refusedWith(preview(ticketed(), child), 'E_INPUT')).message).toContain('changes[0].birth_date');
    expect(inputProblems(changeNames, args())).toHaveLength(1);
  });

  test('reports the old name and the new name in the airline’s spelling', async () => {
    const before = ticketed();
    const after = ticketed({ travelers: [traveler('1', 'Sara Lina', 'Haddad')] });
    const desk = openDesk({ bookings: [before], airline: { modify: async () => after } });
    const given = args({ passenger_ref: '1', given_name: 'Sara', middle_name: 'Lina' });
    const { output, text, report, done } = await carryOut(changeNames, given, desk);
    expect(output.changes).toEqual([{ passenger_ref: '1', was: 'Amal Haddad', now: 'Sara Lina Haddad' }]);
    expect(report.changed).toEqual(['passenger 1 is now Sara Lina Haddad']);
    expect(text).toBe('Changed in booking ABC123. No charge:\n  passenger 1  Amal Haddad -> Sara Lina Haddad');
    const later = { args: done.args, operation: done.operation };
    expect(changeNames.report(later, desk.ctx).added.changes).toEqual([{ passenger_ref: '1', now: 'Sara Lina' }]);
  });

  test('stores no names in the journal', async () => {
    const terms = await preview(ticketed(), args({ passenger_ref: '1', given_name: 'Sara' }));
    expect(terms.subject).toMatchObject({ kind: 'change_names', changes: [{ ref: '1', details: ['name'] }] });
    expect(JSON.stringify(operationOf('change_names', terms))).not.toMatch(/Amal|Sara|Haddad/i);
  });
});
