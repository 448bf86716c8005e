import { describe, expect, it } from 'vitest';
import type { ClerkError } from '../../../src/core/errors.ts';
import { understandReply, withoutDetails } from '../../../src/ota/errors/classify-reply.ts';
import READ_REPLY from '../messages/fixtures/read-reply.json' with { type: 'json' };
import type { RawReply } from '../support/port.ts';
import { cancelReply, LOCATOR, OTHER_LOCATOR, payReply, readReply } from '../support/samples.ts';

const kept = (body: unknown, status = 200): RawReply => ({ status, body: JSON.stringify(body) });
/** The send that a reply answers. */
const of = (locator?: string) => ({ operation: locator === undefined ? 'book' : 'ticket', locator }) as const;
const group = { success: {}, bookingReferenceID: { id: LOCATOR, type: '14' } };

describe('a stored reply', () => {
  it('reads from a stored reply what the send would have returned', () => {
    expect(understandReply(kept(payReply()), of(LOCATOR))).toMatchObject({ receipt: { locator: LOCATOR } });
    expect(understandReply(kept(readReply()), of(LOCATOR))).toMatchObject({ booking: { locator: LOCATOR } });
    expect(understandReply(kept(cancelReply()), of(LOCATOR))).toMatchObject({ cancelled: { status: 'CANCELLED' } });
  });

  it('finds the locator of a new booking in its stored reply', () => {
    expect(understandReply(kept(readReply()), of())).toMatchObject({ booking: { locator: LOCATOR } });
    expect(understandReply(kept(group), of())).toMatchObject({ booking: { locator: LOCATOR } });
  });

  it('takes a stored refusal as proof that nothing happened', () => {
    const refusal = kept({ status: 422, code: '73', title: 'expired' }, 422);
    expect(() => understandReply(refusal, of(LOCATOR))).toThrow(
      expect.objectContaining({ code: 'E_TOO_LATE', effect: 'none', airline: expect.objectContaining({ code: '73' }) }),
    );
  });

  it('takes a refusal for what it proves of the act that it answers', () => {
    const lost = kept({ status: 422, code: '3502', title: 'seat lost' }, 422);
    const effectOf = (operation: 'modify' | 'ticket') => {
      try {
        return understandReply(lost, { operation, locator: LOCATOR });
      } catch (error) {
        return (error as ClerkError).effect;
      }
    };
    expect([effectOf('modify'), effectOf('ticket')]).toEqual(['none', 'unknown']);
  });

  it.each([
    ['another booking', kept(payReply(OTHER_LOCATOR)), LOCATOR],
    ['a failed system', kept({ status: 500, code: '448' }, 500), LOCATOR],
    ['no booking at all', kept({ success: {} }), undefined],
    ['HTML', { status: 200, body: '<html>' }, LOCATOR],
    ['half of itself', { status: 200, body: '{"success":{}', truncated: true as const }, LOCATOR],
    ['half of a refusal', { status: 429, body: '', truncated: true as const }, LOCATOR],
    ['nothing after a good status', { status: 200, body: '' }, undefined],
  ])('leaves the outcome unknown if the stored reply is of %s', (_, reply, locator) => {
    expect(() => understandReply(reply, of(locator))).toThrow(expect.objectContaining({ effect: 'unknown' }));
  });
});

const blank = (text: string) => text.replaceAll(/P ?440 ?2917|17APR91|30AUG35|19910417/gi, '•••');
const bare = (value: unknown) => {
  const reply = withoutDetails({ status: 200, body: JSON.stringify(value) }, blank);
  return reply && JSON.parse(reply.body);
};

describe('a reply without details', () => {
  it('has no document and no birth date at any depth, and all else', () => {
    const document = {
      docID: 'X1',
      docType: '2',
      docHolderNationality: 'SA',
      expireDate: '2031-01-01',
      birthDate: '1980-01-01',
    };
    const traveler = {
      personName: { givenName: ['Layla'], surname: 'Haddad' },
      birthDate: '1980-01-01',
      document: [document],
    };
    const odd = {
      passportNo: 'X1',
      DateOfBirth: 1,
      docNumber: 2,
      expiryDate: 3,
      documentNumber: 4,
      docNo: 5,
      ticketDocumentNbr: '123',
    };
    expect(bare({ airReservation: [{ travelerInfo: { airTraveler: [traveler] } }], odd, n: 7, none: null })).toEqual({
      airReservation: [
        {
          travelerInfo: {
            airTraveler: [
              {
                personName: { givenName: ['Layla'], surname: 'Haddad' },
                document: [{ docType: '2', docHolderNationality: 'SA' }],
              },
            ],
          },
        },
      ],
      odd: { ticketDocumentNbr: '123' },
      n: 7,
      none: null,
    });
  });

  it('repeats nothing that was entered in any other field, nor in the name of one', () => {
    const told = {
      text: 'DOCS P/SA/p4402917/SA/17APR91/F/30AUG35',
      n: 19910417,
      m: 18,
      P4402917: 'x',
      deep: [[['P 440 2917']]],
    };
    expect(bare(told)).toEqual({ text: 'DOCS P/SA/•••/SA/•••/F/•••', n: null, m: 18, '•••': 'x', deep: [[['•••']]] });
  });

  it('is none where the reply is no JSON', () => {
    for (const body of ['', '<p>P4402917', '{"a":', 'P4402917'])
      expect(withoutDetails({ status: 200, body }, blank)).toBeUndefined();
  });

  it('proves a new booking as the whole reply does, and a refusal', () => {
    const reply = { status: 200, body: JSON.stringify(READ_REPLY) };
    const kept = withoutDetails(reply, blank);
    const whole = understandReply(reply, of());
    const { booking } = understandReply(kept ?? { status: 500, body: '' }, of());
    expect(booking?.locator).toBe(whole.booking?.locator);
    expect(booking?.travelers.map(({ name }) => name)).toEqual(whole.booking?.travelers.map(({ name }) => name));
    const details = (one: typeof whole) =>
      one.booking?.reading.travelers.flatMap(({ birthDate, document }) => [
        birthDate,
        document?.number,
        document?.expires,
      ]);
    expect(details(whole)?.filter(Boolean).length).toBeGreaterThan(1);
    expect(details({ booking })?.filter(Boolean)).toEqual([]);
    const refused = { status: 422, body: JSON.stringify({ status: 422, code: '73', title: 'P4402917 expired' }) };
    const airline = expect.objectContaining({ code: '73', title: '••• expired' });
    expect(() => understandReply(withoutDetails(refused, blank) ?? refused, of())).toThrow(
      expect.objectContaining({ airline }),
    );
  });
});
