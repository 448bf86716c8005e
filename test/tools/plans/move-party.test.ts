import { describe, expect, test } from 'vitest';
import { boundFacts } from '../../../src/approvals/plans/bound.ts';
import { linesOf } from '../../../src/approvals/terms.ts';
import type { Booking } from '../../../src/domain/booking/booking.ts';
import type { Traveler } from '../../../src/domain/people/traveler.ts';
import { ClerkError } from '../../../src/errors.ts';
import { expand } from '../../../src/tools/plans/expand.ts';
import { BACK, held, option, sar, segment, ticketed } from '../../support/bookings.ts';
import { bareTraveler, contactNamed, personName, traveler } from '../../support/people.ts';
import { offer, refusedWith, shelved } from '../support/tool-context.ts';
import { openPlanDesk, type ReadArguments, readArguments } from './plan-desk.ts';

const LATER = segment('1', {
  flightNumber: '105',
  operating: { carrier: 'HHR', number: '105' },
  departs: '2026-12-01T12:00:00.000+03:00',
  arrives: '2026-12-01T14:10:00.000+03:00',
});
const MOVE = { locator: 'ABC123', offer_ids: ['o000001'], payment: { type: 'invoice' } };

async function move(
  booking: Booking,
  over: object = {},
  shelf = shelved({ offer: offer({ options: [option(LATER)] }) }),
) {
  const desk = openPlanDesk({ bookings: [booking] });
  desk.shelf.set('o000001', shelf);
  const expanded = await expand([{ tool: 'move_party', arguments: { ...MOVE, ...over } }], desk.ctx, readArguments);
  const [line] = expanded.lines;
  const steps = line?.steps ?? [];
  return { ...expanded, line, steps, tools: steps.map(({ tool }) => tool), why: expanded.leftOut[0]?.why };
}

const gone = (ref: string) => segment(ref, { statusCode: '16' });
const people = (...travelers: Traveler[]) => ticketed({ travelers });

describe('move_party', () => {
  test('holds the offer for the same passengers, pays it, then cancels the old; a hold that was not paid is released', async () => {
    const { line, steps } = await move(ticketed(), { segment_refs: ['1'] });
    expect(line).toMatchObject({
      title: 'Move booking ABC123 to HHR105, Tue 1 Dec 12:00-14:10 (UTC+3)',
      locator: 'ABC123',
    });
    expect(steps[0]).toEqual({
      tool: 'create_booking',
      args: {
        offer_ids: ['o000001'],
        contact: {
          given_name: 'Amal',
          surname: 'Haddad',
          email: 'amal@example.com',
          phone: { country_code: '966', number: '551234567' },
        },
        passengers: [
          {
            type: 'ADT',
            given_name: 'Amal',
            surname: 'Haddad',
            gender: 'Female',
            birth_date: '1990-04-12',
            document: { type: 'passport', number: 'P1234567', nationality: 'SA', expires: '2031-01-01' },
          },
        ],
      },
    });
    const facts = boundFacts([LATER], ticketed().travelers);
    const [, pay, cancel, release] = steps;
    expect(pay).toMatchObject({
      tool: 'pay_booking',
      args: { payment: { type: 'invoice' } },
      locatorOf: 0,
      after: [0],
    });
    expect(pay?.bound).toMatchObject({
      act: 'Pay SAR 345.00',
      nature: 'payment',
      money: { direction: 'payment', amount: sar(34500) },
      facts,
    });
    expect(linesOf(pay?.bound?.sections ?? [])).toEqual([
      'Book the new trip for the same passengers, and pay SAR 345.00 for it.',
      'Old: Train HHR101: MED → JED, Tue 1 Dec 08:00-10:10 (UTC+3), class Y, fare YOW',
      'New: Train HHR105: MED → JED, Tue 1 Dec 12:00-14:10 (UTC+3), class Y, fare YOW',
      'Passenger 1: “Amal Haddad”, adult',
      'New fare: refund rules not known.',
      'Payment: by invoice to the agency (invoice).',
      'Seats and special services of the old booking are not carried over.',
    ]);
    expect(cancel).toEqual({ tool: 'cancel_segment', args: { locator: 'ABC123', segment_refs: ['1'] }, after: [1] });
    expect(release).toMatchObject({
      tool: 'cancel_booking',
      args: {},
      locatorOf: 0,
      insteadOf: 1,
      bound: { act: 'Release hold the new booking', nature: 'cancellation', facts },
    });
  });

  test('replaces the whole booking where no segment is named, and releases an old hold', async () => {
    const whole = shelved({ refundNote: 'refundable until departure' });
    const paid = await move(ticketed(), {}, whole);
    expect(paid.steps[2]).toMatchObject({ tool: 'cancel_segment', args: { locator: 'ABC123', all: true } });
    expect(linesOf(paid.steps[1]?.bound?.sections ?? [])).toContain('New fare: refundable until departure.');
    expect(linesOf(paid.steps[1]?.bound?.sections ?? [])).toContain(
      'The new trip is between other stations than the old one.',
    );
    const unpaid = await move(held());
    expect(unpaid.steps[2]).toEqual({ tool: 'cancel_booking', args: { locator: 'ABC123' }, after: [1] });
    expect((await move(held(), { segment_refs: ['1'] })).why).toBe(
      'Booking ABC123 is not paid: a part of it cannot be cancelled',
    );
  });

  test('cancels only what the airline has not cancelled already', async () => {
    const half = ticketed({ options: [option(gone('1')), BACK] });
    expect((await move(half)).steps[2]).toMatchObject({ args: { locator: 'ABC123', all: true } });
    const named = await move(half, { segment_refs: ['1'] });
    expect(named.tools).toEqual(['create_booking', 'pay_booking', 'cancel_booking']);
    expect(linesOf(named.steps[1]?.bound?.sections ?? [])[1]).toContain('has cancelled the old trip already');
    const all = await move(ticketed({ options: [option(gone('1'))] }));
    expect(all.tools).toEqual(['create_booking', 'pay_booking', 'cancel_booking']);
  });

  test('leaves out a party that the airline masks or does not give, and says what is missing', async () => {
    const masked = traveler('1', 'Amal', 'H****d', {
      birthDate: '****-04-12',
      gender: '',
      document: { number: 'XXXXX567', docType: '9', nationality: 'QQQ' },
    });
    expect((await move(people(masked))).why).toBe(
      'The airline does not give or masks: passenger 1: surname, gender, birth date, document type, document number, ' +
        'nationality of the document, last valid day of the document',
    );
    const { contact: _, ...silent } = people(bareTraveler('1'));
    expect((await move(silent)).why).toContain('contact: given name, surname, e-mail');
    const lost = traveler('2', 'Badr', 'Haddad', { type: 'INF', attendantRef: '9' });
    expect((await move(people(traveler('1', 'Amal', 'Haddad'), lost))).why).toContain('passenger 2: its adult');
  });

  test('writes names, documents and telephones as create_booking takes them', async () => {
    const adult = traveler('4', 'Amal', 'Haddad', {
      name: personName('Amal', 'Haddad', { middle: ['Bint'], title: ['MS'], suffix: ['JR'] }),
      gender: 'F',
      document: { number: 'P1234567', docType: '5', nationality: 'SAU', expires: '2031-01-01T00:00:00Z' },
      emails: ['amal@example.com'],
      phones: [{ countryCode: '+966', number: '55 123-4567' }],
    });
    const infant = traveler('5', 'Badr', 'Haddad', {
      type: 'INF',
      gender: 'unknown',
      birthDate: '2026-01-01',
      attendantRef: '4',
      phones: [{ countryCode: '966' }],
      document: { number: 'P7654321', docType: '2', nationality: 'SA', expires: '2031-01-01' },
    });
    const address = { city: 'Jeddah', countryCode: 'SA' };
    const booking = ticketed({
      travelers: [adult, infant],
      contact: contactNamed('Amal', 'Haddad', { addresses: [address] }),
    });
    const { steps } = await move(booking);
    expect(steps[0]?.args).toMatchObject({
      contact: { city: 'Jeddah', country: 'SA' },
      passengers: [
        {
          middle_name: 'Bint',
          title: 'MS',
          suffix: 'JR',
          gender: 'Female',
          document: { type: 'national_id', nationality: 'SA', expires: '2031-01-01' },
          email: 'amal@example.com',
          phone: { country_code: '966', number: '551234567' },
        },
        { type: 'INF', gender: 'Unknown', with_adult: 1 },
      ],
    });
    expect(JSON.stringify(steps[0]?.args)).not.toContain('"phone":{}');
  });

  test('does not take the refund note of one leg for the whole trip', async () => {
    const desk = openPlanDesk({ bookings: [ticketed()] });
    const legs = [
      { from: 'MED', to: 'JED', date: '2026-12-01' },
      { from: 'JED', to: 'MED', date: '2026-12-05' },
    ];
    const refundNote = 'refundable until departure';
    desk.shelf.set('o000001', shelved({ legs, refundNote, offer: offer({ leg: 0, options: [option(LATER)] }) }));
    const back = option(segment('1', BACK.segments[0]));
    desk.shelf.set(
      'o000002',
      shelved({ legs, refundNote: 'not refundable', offer: offer({ leg: 1, options: [back] }) }),
    );
    const moving = { tool: 'move_party', arguments: { ...MOVE, offer_ids: ['o000001', 'o000002'] } };
    const { lines } = await expand([moving], desk.ctx, readArguments);
    const terms = linesOf(lines[0]?.steps[1]?.bound?.sections ?? []);
    expect(terms).toContain('New fare: each leg has refund rules of its own, which are not known here.');
    expect(terms.join()).not.toContain('efundable');
  });

  test('leaves out what cannot be moved: some of the passengers, an offer without a price, data that cannot be sent', async () => {
    const apart = people(traveler('1', 'Amal', 'Haddad'), traveler('2', 'Badr', 'Haddad', { segmentRefs: ['2'] }));
    expect((await move(apart, { segment_refs: ['1'] })).why).toBe(
      'Passenger 2 does not travel on every segment that is replaced',
    );
    const everywhere = people(traveler('1', 'Amal', 'Haddad', { segmentRefs: [] }));
    expect((await move(everywhere)).why).toBeUndefined();
    const unpriced = shelved({ offer: offer({ pricing: { refunds: [], fares: [], perType: [] } }) });
    expect((await move(ticketed(), {}, unpriced)).why).toBe('The price of the offer is not known');
    const odd = people(traveler('1', 'Amal', 'Haddad', { emails: ['no address'] }));
    expect((await move(odd)).why).toBe('What the airline gives of the party cannot be sent again as it is');
    expect((await move(ticketed(), { offer_ids: ['o000009'] })).why).toContain('Offer o000009 is not known here');
  });

  test('refuses a way to pay that the server does not offer, an unknown segment and a tool that is not offered', async () => {
    const desk = openPlanDesk({ bookings: [ticketed()], settings: { paymentTypes: ['external'] } });
    const steps = [{ tool: 'move_party', arguments: MOVE }];
    const error = await refusedWith(expand(steps, desk.ctx, readArguments), 'E_INPUT');
    expect(error.message).toContain('steps[0].arguments.payment.type: expected external');
    const unknown = await refusedWith(move(ticketed(), { segment_refs: ['7'] }), 'E_INPUT');
    expect(unknown.message).toContain('steps[0].arguments.segment_refs');
    const all = openPlanDesk({ bookings: [ticketed()] });
    all.shelf.set('o000001', shelved());
    const withheld: ReadArguments = (tool, args, at) =>
      tool === 'create_booking'
        ? Promise.reject(new ClerkError('E_CONFIG', 'It is not offered.', { next: 'Ask the operator.' }))
        : readArguments(tool, args, at);
    await refusedWith(expand(steps, all.ctx, withheld), 'E_CONFIG');
  });
});
