/** In what the people of a hold differ from those that were asked for, in the call that sent them and later. */
import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { askedChange, askedPeople, type PeopleLayer } from '../../../src/domain/facts/asked-people.ts';
import type { Booking } from '../../support/bookings.ts';
import { bareTraveler, personName, type Traveler, traveler } from '../../support/people.ts';
import { AMAL, CONTACT, digest, document, hold, KEPT, OFFER, OMAR, people, SENT, tell } from './support/asked-hold.ts';

const change = (booking: Booking, sent: Partial<Parameters<typeof askedChange>[1]>): PeopleLayer => {
  const later = (text: string) => hash('sha256', `later|${text}`);
  return { people: askedChange(booking.reading, { travelers: [], ...sent }, later), digest: later };
};
const GROUP: readonly PeopleLayer[] = [{ people: askedPeople({ travelers: [], contact: CONTACT }, digest), digest }];

describe('a difference of people', () => {
  /** The sentence in the call that sent them, and later. */
  const TOLD: readonly (readonly [over: Partial<Booking>, inCall: string, later: string | undefined])[] = [
    [
      people({ name: personName('Sara', 'Al Zein') }),
      'the name of passenger 1 is “Sara Al Zein”, sent “Amal Noor Al Zein”',
      'the name of passenger 1 is not the one sent, but “Sara Al Zein”',
    ],
    [
      people(document({ number: 'P1234999' })),
      'the document number of passenger 1 is •••••999, sent •••••567',
      'the document number of passenger 1 is not the one sent, but •••••999',
    ],
    [
      people(document({ number: 'P9934567' })),
      'the document number of passenger 1 is not the one sent, but •••••567',
      'the document number of passenger 1 is not the one sent, but •••••567',
    ],
    [
      people({ birthDate: '1990-04-13' }),
      'the birth date of passenger 1 is •••••••-13, sent •••••••-12',
      'the birth date of passenger 1 is not the one sent, but •••••••-13',
    ],
    // Its digest has the document number in it.
    [
      people({ birthDate: '1990-04-13', document: undefined }),
      'the birth date of passenger 1 is •••••••-13, sent •••••••-12',
      undefined,
    ],
    [
      people(document({ expires: '2031-01-02' })),
      'the expiry of the document of passenger 1 is •••••••-02, sent •••••••-01',
      'the expiry of the document of passenger 1 is not the one sent, but •••••••-02',
    ],
    [
      people(document({ nationality: 'EG' })),
      'the nationality of passenger 1 is EG, sent SA',
      'the nationality of passenger 1 is not the one sent, but EG',
    ],
    [
      people(document({ docType: '5' })),
      'the kind of document of passenger 1 is national_id, sent passport',
      'the kind of document of passenger 1 is not the one sent, but national_id',
    ],
    [
      people({ gender: 'Male' }),
      'the gender of passenger 1 is not the one sent',
      'the gender of passenger 1 is not the one sent',
    ],
    [
      people({ name: personName('', 'Haddad') }),
      'the name of passenger 1 is “Haddad”, sent “Amal Noor Al Zein”',
      'the name of passenger 1 is not the one sent, but “Haddad”',
    ],
    [
      people({ name: personName('Al Zein', 'Amal Noor') }),
      'the name of passenger 1 is “Al Zein Amal Noor”, sent “Amal Noor Al Zein”',
      'the name of passenger 1 is not the one sent, but “Al Zein Amal Noor”',
    ],
    [
      people({ name: personName('Amal Noor', 'Zein') }),
      'the name of passenger 1 is “Amal Noor Zein”, sent “Amal Noor Al Zein”',
      'the name of passenger 1 is not the one sent, but “Amal Noor Zein”',
    ],
    [
      people({ name: personName('', 'ALZEIN') }),
      'the name of passenger 1 is “ALZEIN”, sent “Amal Noor Al Zein”',
      'the name of passenger 1 is not the one sent, but “ALZEIN”',
    ],
    [people({ type: 'INF' }), 'the type of passenger 1 is INF, sent ADT', 'the type of passenger 1 is INF, sent ADT'],
    [
      people({ emails: ['other@example.com'] }),
      'the e-mail of passenger 1 is o***@example.com, sent a***@example.com',
      'the e-mail of passenger 1 is not the one sent, but o***@example.com',
    ],
    [
      people({}, { phones: [{ countryCode: '20', number: '1009999999' }] }),
      'the telephone of passenger 2 is ••••••••999, sent ••••••••567',
      'the telephone of passenger 2 is not the one sent, but ••••••••999',
    ],
    [
      { contact: { ...CONTACT, emails: ['x@example.com'] } },
      'the e-mail of the contact is x***@example.com, sent a***@example.com',
      'the e-mail of the contact is not the one sent, but x***@example.com',
    ],
    [
      { contact: { ...CONTACT, name: personName('Boris', 'Berg') } },
      'the name of the contact is “Boris Berg”, sent “Amal Al Zein”',
      'the name of the contact is not the one sent, but “Boris Berg”',
    ],
    [{ travelers: [AMAL] }, 'passenger “Omar Haddad” is missing', '1 child is missing'],
    [
      { travelers: [AMAL, OMAR, traveler('3', 'Boris', 'Berg')] },
      'passenger 3 “Boris Berg” was not asked for',
      'passenger 3 “Boris Berg” was not asked for',
    ],
  ];

  test.each(TOLD.map(([over, inCall, later]) => [inCall, over, later] as const))('%s', (inCall, over, later) => {
    expect([tell(over).text, tell(over, { layers: KEPT }).text]).toEqual([inCall, later]);
  });

  test('shows no number, birth date and expiry that were entered on the details page', () => {
    const over = people({ birthDate: '1990-04-13', document: { number: 'P1234999', expires: '2031-01-02' } });
    const { text, fields } = tell(over, { areEntered: true });
    expect(text).toBe(
      'the document number of passenger 1 is not the one sent; the birth date of passenger 1 is not the one sent; ' +
        'the expiry of the document of passenger 1 is not the one sent',
    );
    expect(JSON.stringify(fields)).not.toMatch(/99|13|02|12/);
  });

  test('finds people in another order by name, else by document, else by type', () => {
    const renamed = { travelers: [OMAR, { ...AMAL, ref: '5', name: personName('Sara', 'Berg') }] };
    expect(tell(renamed).text).toBe('the name of passenger 5 is “Sara Berg”, sent “Amal Noor Al Zein”');
    const other = traveler('5', 'Sara', 'Berg', { document: undefined, birthDate: undefined });
    expect(tell({ travelers: [OMAR, other] }).text).toBe(
      'the name of passenger 5 is “Sara Berg”, sent “Amal Noor Al Zein”',
    );
  });

  test('pairs people of whom nothing is known but the type in their order', () => {
    const two = { travelers: [AMAL, traveler('2', 'Noor', 'Haddad', { document: undefined })], contact: CONTACT };
    const layers = [{ people: askedPeople(two), sent: two }];
    const others = [bareTraveler('1', { name: personName('Boris', 'Berg') }), bareTraveler('2')];
    const infant = bareTraveler('2', { type: 'INF', segmentRefs: ['1', '2'] });
    expect(tell({ travelers: [AMAL, infant] }, { layers }).text).toBe('the type of passenger 2 is INF, sent ADT');
    expect(tell({ travelers: others }, { layers }).text).toBe(
      'the name of passenger 1 is “Boris Berg”, sent “Amal Noor Al Zein”',
    );
  });

  test('compares the party of a group by numbers and its names not, until they are given', () => {
    const unnamed = [bareTraveler('1'), bareTraveler('2', { type: 'CHD' })];
    expect(tell({ travelers: unnamed }, { layers: GROUP }).text).toBeUndefined();
    const { text, fields } = tell({ travelers: [bareTraveler('1')] }, { layers: GROUP });
    expect(text).toBe('1 adult held, offered 1 adult, 1 child');
    expect(fields).toEqual([{ what: 'number of the party', asked: '1 adult, 1 child', held: '1 adult' }]);
    expect(tell({ travelers: unnamed }, { layers: [], offer: { segments: OFFER.segments } }).text).toBeUndefined();
    const named = change(hold({ travelers: unnamed }), { travelers: [AMAL] });
    const partly = { travelers: [AMAL, bareTraveler('2', { type: 'CHD', segmentRefs: ['1', '2'] })] };
    expect(tell(partly, { layers: [named, ...GROUP] }).text).toBeUndefined();
    const others = { travelers: [traveler('1', 'Boris', 'Berg'), bareTraveler('2', { type: 'CHD' })] };
    expect(tell(others, { layers: [named, ...GROUP] }).text).toMatch(/^the name of passenger 1 is not the one sent/);
    expect(tell({ travelers: [AMAL] }, { layers: [named, ...GROUP] }).text).toBe(
      '1 adult held, offered 1 adult, 1 child',
    );
    const both = [change(hold(partly), { travelers: [OMAR] }), named, ...GROUP];
    expect(tell({}, { layers: both }).text).toBeUndefined();
    expect(tell(people({}, { birthDate: '2019-02-04' }), { layers: both }).text).toBe(
      'the birth date of passenger 2 is not the one sent, but •••••••-04',
    );
  });

  test('compares the contact with the passengers who carry it, where the hold shows no other', () => {
    const sent = { travelers: [AMAL, { ...OMAR, emails: [], phones: [] }], contact: CONTACT };
    const kept = [{ people: askedPeople(sent, digest), digest }];
    const carrying = (emails: readonly string[], number = '551234567') => ({
      ...{ contact: undefined, travelers: [AMAL, { ...OMAR, emails, phones: [{ countryCode: '966', number }] }] },
    });
    for (const layers of [kept, [{ people: askedPeople(sent), sent }]]) {
      for (const emails of [CONTACT.emails, AMAL.emails, []])
        expect(tell(carrying(emails), { layers }).text).toBeUndefined();
      expect(tell(carrying(['x@y.example']), { layers }).text).toMatch(/^the e-mail of passenger 2 is/);
      expect(tell(carrying([], '559999999'), { layers }).text).toMatch(/^the telephone of passenger 2 is/);
      // Nobody sent what a passenger has beside a contact of the hold.
      expect(tell({ ...carrying(['x@y.example']), contact: CONTACT }, { layers }).text).toBeUndefined();
    }
    const unnamed = [bareTraveler('1', { emails: ['x@y.example'] }), bareTraveler('2', { type: 'CHD' })];
    expect(tell({ contact: undefined, travelers: unnamed }, { layers: GROUP }).text).toMatch(
      /^the e-mail of passenger 1/,
    );
  });

  describe('that we changed', () => {
    const SARA = { ...AMAL, name: personName('Sara', 'Al Zein') };
    const other = (over: Partial<Traveler>, layers: readonly PeopleLayer[]) => tell(people(over), { layers }).text;

    test('takes a corrected name for what was asked, and the old one for a change that was lost', () => {
      const layers = [change(hold(), { travelers: [SARA] }), ...KEPT];
      expect(tell({ travelers: [SARA, OMAR] }, { layers }).text).toBeUndefined();
      expect(tell({}, { layers }).text).toBe('the name of passenger 1 is not the one sent, but “Amal Noor Al Zein”');
      expect(tell({ travelers: [SARA] }, { layers }).text).toBe('1 child is missing');
      // Another numbering of the passengers.
      const renumbered = {
        travelers: [
          { ...OMAR, ref: '1' },
          { ...SARA, ref: '2' },
        ],
      };
      expect(tell(renumbered, { layers }).text).toBeUndefined();
      const lost = {
        travelers: [
          { ...OMAR, ref: '1' },
          { ...AMAL, ref: '2' },
        ],
      };
      expect(tell(lost, { layers }).text).toMatch(/^the name of passenger 2 is not the one sent/);
    });

    test('compares what stayed with the request before, and what changed with the newest', () => {
      const emails = ['amal.alzein@example.com'];
      const changed = [change(hold(), { travelers: [{ ...AMAL, emails }] }), ...KEPT];
      expect(other({ emails }, changed)).toBeUndefined();
      expect(other({ emails: ['a@b.example'] }, changed)).toBe(
        'the e-mail of passenger 1 is not the one sent, but a***@b.example',
      );
      expect(other({ emails, birthDate: '1990-04-13' }, changed)).toMatch(/^the birth date of passenger 1 is not/);
      const again = [
        change(hold(people({ emails })), { travelers: [{ ...AMAL, emails: ['x@y.example'] }] }),
        ...changed,
      ];
      expect(other({ emails: ['x@y.example'] }, again)).toBeUndefined();
      expect(other({ emails }, again)).toMatch(/^the e-mail of passenger 1 is not the one sent/);
    });

    test('compares what is kept beside a document number with the newest number', () => {
      const born = { birthDate: '1990-04-13' };
      const corrected = [change(hold(), { travelers: [{ ...AMAL, ...born }] }), ...KEPT];
      expect(other(born, corrected)).toBeUndefined();
      expect(other({}, corrected)).toMatch(/^the birth date of passenger 1 is not the one sent/);
      const renewed = document({ number: 'P7777777', expires: '2036-01-01' });
      const layers = [change(hold(people(born)), { travelers: [{ ...AMAL, ...born, ...renewed }] }), ...corrected];
      expect(other({ ...born, ...renewed }, layers)).toBeUndefined();
      expect(other(renewed, layers)).toMatch(/^the birth date of passenger 1 is not the one sent/);
      expect(other(born, layers)).toMatch(/^the document number of passenger 1 is not the one sent/);
    });

    test('does not compare what was changed and cannot be kept with what was before', () => {
      const born = { birthDate: '1990-04-13' };
      const hidden = document({ number: '•••4567' });
      const layers = [change(hold(people(hidden)), { travelers: [{ ...AMAL, ...hidden, ...born }] }), ...KEPT];
      expect([other(born, layers), other({}, layers)]).toEqual([undefined, undefined]);
      const unnumbered = { travelers: [{ ...AMAL, document: undefined }] };
      expect(other(document({ number: 'P1' }), [change(hold(), unnumbered), ...KEPT])).toBeUndefined();
    });

    test('compares a changed contact, and one that was added', () => {
      const contact = { ...CONTACT, emails: ['desk@example.com'] };
      const layers = [change(hold(), { contact }), ...KEPT];
      expect(tell({ contact }, { layers }).text).toBeUndefined();
      expect(tell({}, { layers }).text).toBe('the e-mail of the contact is not the one sent, but a***@example.com');
      const berg = { ...contact, name: personName('Boris', 'Berg') };
      expect(tell({ contact: berg }, { layers }).text).toMatch(/^the name of the contact is not the one sent/);
      const added = [change(hold({ contact: undefined }), { contact })];
      expect(tell({ contact: berg }, { layers: added }).text).toMatch(/^the name of the contact is not the one sent/);
    });

    test('compares nothing else of a booking of which nothing was kept before', () => {
      const layers = [change(hold(), { travelers: [SARA] })];
      expect(tell({ travelers: [SARA, OMAR] }, { layers }).text).toBeUndefined();
      expect(tell({ travelers: [SARA, { ...OMAR, emails: [] }] }, { layers }).text).toBeUndefined();
      expect(tell({ travelers: [OMAR] }, { layers }).text).toBe('1 child held, offered 1 adult, 1 child');
      // Somebody who was not in the reading is found by nothing but what was sent.
      const unknown = [change(hold({ travelers: [] }), { travelers: [{ ...SARA, ref: '9', document: undefined }] })];
      expect(tell({}, { layers: unknown }).text).toBeUndefined();
    });
  });
});

test('nobody finds a birth date by trying all of them with the key', () => {
  const { passengers, contact } = askedPeople(SENT, digest);
  const kept = JSON.stringify([passengers, contact]);
  expect(kept).not.toMatch(/1990|P1234567|amal|Zein|SA|2031/i);
  const first = Date.UTC(1920, 0, 1);
  const dates = Array.from({ length: 40_000 }, (_, day) =>
    new Date(first + day * 86_400_000).toISOString().slice(0, 10),
  );
  expect(dates).toContain(AMAL.birthDate);
  expect(dates.filter((date) => kept.includes(digest(date)) || kept.includes(digest(`|${date}`)))).toEqual([]);
  // Whoever has the number too can: so that what is kept goes once the hold is paid, lapsed or forgotten.
  expect(dates.filter((date) => kept.includes(digest(`P1234567|birthDate|${date}`)))).toEqual([AMAL.birthDate]);
});

describe('an infant on the lap of another adult', () => {
  const [SARA, ALI] = [traveler('2', 'Sara', 'Aziz'), traveler('3', 'Ali', 'Haddad', { type: 'INF' })];
  const LINA = traveler('4', 'Lina', 'Aziz', { type: 'INF' });
  const [withAmal, withSara] = [{ attendantRef: '1' }, { attendantRef: '2' }];
  const sent = { travelers: [AMAL, SARA, { ...ALI, ...withAmal }, { ...LINA, ...withSara }] };
  const laps = (ali: object, lina: object, ...party: readonly Traveler[]) => {
    const travelers = [...(party.length > 0 ? party : [AMAL, SARA]), { ...ALI, ...ali }, { ...LINA, ...lina }];
    return [
      { people: askedPeople(sent), sent },
      { people: askedPeople(sent, digest), digest },
    ].map((layer) => tell({ travelers }, { layers: [layer], offer: undefined }).text);
  };
  const both = (text: string | undefined) => [text, text];

  test.each([
    ['two on one', withSara, withSara, 'passenger 3 is on the lap of passenger 2, not of passenger 1'],
    [
      'exchanged',
      withSara,
      withAmal,
      'passenger 3 is on the lap of passenger 2, not of passenger 1; passenger 4 is on the lap of passenger 1, not of passenger 2',
    ],
    ['as sent', withAmal, withSara, undefined],
    ['left out', {}, {}, undefined],
    ['a pointer of nobody', { attendantRef: '9' }, withSara, undefined],
  ])('is told in the call that sends it and later: %s', (_, ali, lina, text) => {
    expect(laps(ali, lina)).toEqual(both(text));
  });

  test('is none where the airline numbers its passengers anew', () => {
    const [amal, sara] = [
      { ...AMAL, ref: '11' },
      { ...SARA, ref: '12' },
    ];
    expect(laps({ attendantRef: '11' }, { attendantRef: '12' }, sara, amal)).toEqual(both(undefined));
    expect(laps({ attendantRef: '12' }, { attendantRef: '12' }, sara, amal)).toEqual(
      both('passenger 3 is on the lap of passenger 12, not of passenger 11'),
    );
  });
});
