import { describe, expect, test } from 'vitest';
import { linesOf } from '../../src/approvals/terms.ts';
import type { Booking } from '../../src/domain/booking/booking.ts';
import { judge } from '../../src/journal/evidence/evidence.ts';
import type { Dialect } from '../../src/tools/definition/define.ts';
import { updateContact } from '../../src/tools/update-contact.ts';
import { held, NOW, option, segment, ticketed } from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { carryOut, inputProblems, openDesk, operationOf, parsed, refusedWith } from './support/tool-context.ts';

const preview = (booking: Booking, given: object, now = NOW, dialect: Dialect = 'rail') =>
  updateContact.preview(
    parsed(updateContact, { locator: 'ABC123', ...given }),
    openDesk({ bookings: [booking], now, settings: { dialect } }).ctx,
  );
const onPassengers = (booking: Booking, given: object) => preview(booking, given, NOW, 'airline');

const sentIn = ({ send }: Awaited<ReturnType<typeof preview>>) =>
  send.modification.kind === 'update_contact' ? send.modification.contact : undefined;

describe('update_contact', () => {
  test('shows the old contact masked and the new one as it is sent', async () => {
    const terms = await preview(ticketed(), {
      given_name: 'Noor',
      email: 'noor.haddad@example.com',
      phone: { country_code: '+966', number: '55 999 0000' },
      city: 'Jeddah',
      country: 'sa',
    });
    expect(linesOf(terms.sections)).toEqual([
      'Change the contact of booking ABC123. Tickets and notices go to the contact.',
      'Name: was “Amal Haddad”, now “Noor Haddad”',
      'E-mail: was “a***@example.com”, now “noor.haddad@example.com”',
      'Phone: was ••••••••567, now +966559990000',
      'Address: was none, now “Jeddah, SA”',
    ]);
    expect(terms).toMatchObject({ act: 'Change the contact of ABC123', ask: true });
    expect(terms.money).toBeUndefined();
    expect(sentIn(terms)).toMatchObject({
      name: { given: ['Noor'], surname: 'Haddad' },
      emails: ['noor.haddad@example.com'],
      phones: [{ countryCode: '966', number: '559990000' }],
      addresses: [{ city: 'Jeddah', countryCode: 'SA' }],
    });
  });

  test('refuses a change of contact that the airline does not permit, in the airline dialect only', async () => {
    const within = (dialect: 'rail' | 'airline', types: string[]) => {
      const permitted = types.map((modificationType) => ({ modificationType }));
      const booking = ticketed({ options: [option(segment('1', { permitted }))] });
      const args = parsed(updateContact, { locator: 'ABC123', email: 'new@example.com' });
      return updateContact.preview(args, openDesk({ bookings: [booking], settings: { dialect } }).ctx);
    };
    const error = await refusedWith(within('airline', ['10']), 'E_NOT_PERMITTED');
    expect(error.message).toContain('the airline does not permit a change of details on segment 1');
    await within('airline', ['3', '10']);
    await within('rail', ['10']);
  });

  test('keeps contact details that are not given', async () => {
    const terms = await preview(held(), { email: 'new@example.com' });
    expect(sentIn(terms)).toEqual({ ...held().contact, emails: ['new@example.com'] });
    const moved = held();
    const contact = {
      ...moved.contact,
      addresses: [{ city: 'Riyadh', countryCode: 'SA', countryName: 'Saudi Arabia' }],
    };
    const other = await preview({ ...moved, contact: { ...moved.contact, ...contact } as never }, { city: 'Jeddah' });
    expect(sentIn(other)?.addresses).toEqual([{ city: 'Jeddah', countryCode: 'SA', countryName: 'Saudi Arabia' }]);
    const abroad = await preview({ ...moved, contact: { ...moved.contact, ...contact } as never }, { country: 'AE' });
    expect(sentIn(abroad)?.addresses).toEqual([{ city: 'Riyadh', countryCode: 'AE' }]);
    expect(linesOf(other.sections)[1]).toBe('Address: was “Riyadh, SA”, now “Jeddah, SA”');
  });

  test('replaces the first of several addresses or numbers, and shows that the others stay', async () => {
    const booking = held();
    const phones = ['551111111', '552222222', '553333333'].map((number) => ({ countryCode: '966', number }));
    const emails = ['amal@example.com', 'boss@example.com'];
    const addresses = [{ city: 'Riyadh', countryName: 'KSA' }, { city: 'Mecca' }];
    const several = { ...booking, contact: { ...booking.contact, emails, phones, addresses } as never };
    const terms = await preview(several, {
      email: 'new@example.com',
      phone: { country_code: '966', number: '559990000' },
      city: 'Jeddah',
    });
    expect(linesOf(terms.sections).slice(1, 4)).toEqual([
      'E-mail: was “a***@example.com”, now “new@example.com”; “b***@example.com” stays',
      'Phone: was ••••••••111, now +966559990000; ••••••••222, ••••••••333 stay',
      'Address: was “Riyadh, KSA”, now “Jeddah, KSA”',
    ]);
    expect(sentIn(terms)).toMatchObject({
      emails: ['new@example.com', 'boss@example.com'],
      phones: [{ number: '559990000' }, { number: '552222222' }, { number: '553333333' }],
      addresses: [{ city: 'Jeddah' }, { city: 'Mecca' }],
    });
    const known = await preview(several, { email: 'Boss@example.com' });
    expect(sentIn(known)?.emails).toEqual(['Boss@example.com']);
    expect(linesOf(known.sections)[1]).toBe('E-mail: was “a***@example.com”, now “Boss@example.com”');
    await refusedWith(preview(several, { email: 'AMAL@example.com' }), 'E_ALREADY_DONE');
  });

  test('shows a transliterated name in the terms', async () => {
    const terms = await preview(held(), { surname: 'Müller' });
    expect(linesOf(terms.sections)).toContain('Note: surname: “Müller” is sent as “Mueller”.');
  });

  test('requires a name for a booking without a contact', async () => {
    const { contact: _, ...alone } = held();
    const error = await refusedWith(preview(alone, { email: 'a@example.com' }), 'E_INPUT');
    expect(error.message).toContain('given_name: expected for a contact without a name');
    const half = await refusedWith(preview(alone, { given_name: 'Amal' }), 'E_INPUT');
    expect(half.message).toContain('surname: expected for a contact without a name');
    const terms = await preview(alone, { given_name: 'Amal', surname: 'Haddad', email: 'a@example.com' });
    expect(linesOf(terms.sections).slice(1, 3)).toEqual([
      'Name: was none, now “Amal Haddad”',
      'E-mail: was none, now “a@example.com”',
    ]);
  });

  test('changes the contact of every passenger who shares it, and says that an old phone number stays', async () => {
    const own = { emails: ['amal@example.com'], phones: [{ countryCode: '966', number: '551234567' }] };
    const { contact: _, ...alone } = held({
      travelers: [
        traveler('1', 'Amal', 'Haddad', own),
        traveler('2', 'Noor', 'Haddad', { emails: ['noor@example.com'] }),
        traveler('3', 'Lina', 'Haddad', own),
      ],
    });
    const phone = { country_code: '966', number: '559990000' };
    const terms = await onPassengers(alone, { email: 'new@example.com', phone });
    expect(linesOf(terms.sections)).toContain('  phone: now also +966559990000; the airline keeps ••••••••567');
    expect(linesOf(terms.sections)).toContain('  e-mail: was “a***@example.com”, now “new@example.com”');
    const phones = [...own.phones, { countryCode: '966', number: '559990000' }];
    expect(terms.send.modification).toMatchObject({
      kind: 'update_passengers',
      travelers: [
        { ref: '1', emails: ['new@example.com'], phones },
        { ref: '3', emails: ['new@example.com'], phones },
      ],
    });
    const named = await refusedWith(onPassengers(alone, { given_name: 'Amal' }), 'E_NOT_PERMITTED');
    expect(named.next).toContain('change_names');
    await refusedWith(onPassengers(alone, { email: 'amal@example.com' }), 'E_ALREADY_DONE');
    const rail = await refusedWith(preview(alone, { email: 'new@example.com' }), 'E_NOT_PERMITTED');
    expect(rail.next).toContain('update_passenger');
  });

  test('accepts a new phone number in addition to the old one or in its place', async () => {
    const old = { countryCode: '966', number: '551234567' };
    const fresh = { countryCode: '966', number: '559990000' };
    const { contact: _, ...alone } = held({ travelers: [traveler('1', 'Amal', 'Haddad', { phones: [old] })] });
    const { subject } = await onPassengers(alone, { phone: { country_code: '966', number: '559990000' } });
    const { identity } = openDesk().ctx;
    const verdict = (...phones: (typeof old)[]) =>
      judge(subject, { ...alone, travelers: [traveler('1', 'Amal', 'Haddad', { phones })] }, identity);
    expect([verdict(old, fresh), verdict(fresh, old), verdict(fresh), verdict(old), verdict()]).toEqual([
      'done',
      'done',
      'done',
      'not_done',
      'partial',
    ]);
  });

  test('refuses a change without details or differences, or of a closed booking', async () => {
    expect((await refusedWith(preview(held(), {}), 'E_INPUT')).message).toContain('at least one detail');
    const same = { email: 'AMAL@example.com', phone: { country_code: '966', number: '551234567' } };
    await refusedWith(preview(held(), same), 'E_ALREADY_DONE');
    await refusedWith(preview(ticketed({ cancelled: true }), { city: 'Jeddah' }), 'E_NOT_PERMITTED');
    await refusedWith(preview(held(), { city: 'Jeddah' }, Date.parse('2026-11-29T06:00:00Z')), 'E_TOO_LATE');
  });

  test('rejects an e-mail address with invisible characters', () => {
    const problems = inputProblems(updateContact, { locator: 'ABC123', email: 'amal\u202e@example.com' });
    expect(problems).toEqual(['email: expected an e-mail address']);
  });

  test('reports which contact details changed', async () => {
    const desk = openDesk({ bookings: [held()], airline: { modify: async () => held() } });
    const { output, report, text } = await carryOut(
      updateContact,
      { locator: 'ABC123', email: 'new@example.com', city: 'Jeddah' },
      desk,
    );
    expect(output).toEqual({ changed_details: ['email', 'address'] });
    expect(report.changed).toEqual(['contact: email, address']);
    expect(text).toBe('Contact of booking ABC123 changed: email, address.');
    const terms = await preview(held(), { city: 'Jeddah' });
    const operation = operationOf('update_contact', terms, { subject: { kind: 'create' } });
    const args = parsed(updateContact, { locator: 'ABC123' });
    expect(updateContact.report({ args, operation }, desk.ctx).added).toMatchObject({ changed_details: [] });
  });
});
