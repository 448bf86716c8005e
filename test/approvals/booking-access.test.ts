/**
 * Which bookings a caller has access to: claims, limited tries, and no request to the airline without either.
 */

import { describe, expect, it } from 'vitest';
import { limitedToCaller, MAX_TRIES, TRIES_MS } from '../../src/approvals/booking-access.ts';
import { memoryClaims } from '../../src/approvals/claims.ts';
import { ClerkError } from '../../src/errors.ts';
import { bareTraveler, personName } from '../support/people.ts';
import { booking as anyBooking } from './harness.ts';

type Claims = ReturnType<typeof memoryClaims>;

const ann = { tenant: 't', id: 'ann' };
const eve = { tenant: 't', id: 'eve' };

const booking = anyBooking({
  references: ['ABC123', 'OPERATOR-77'].map((id) => ({ id, segmentRefs: [] })),
  travelers: [bareTraveler('1', { name: personName('Amal', 'Al-Ghämdi') })],
});

function world(failure?: ClerkError['code']) {
  const asked: string[] = [];
  const claims = memoryClaims();
  let now = 1_000_000;
  const known = [booking.locator, 'OPERATOR-77'];
  const seen = async (name: string) => {
    asked.push(name);
    return undefined as never;
  };
  const airline = {
    read: async (locator: string) => {
      asked.push(`read ${locator}`);
      if (failure !== undefined) throw new ClerkError(failure, 'words of the airline', { next: 'x' });
      if (!known.includes(locator.toUpperCase())) throw new ClerkError('E_NOT_FOUND', 'no such booking', { next: 'x' });
      return booking;
    },
    create: async () => booking,
    createFromCounts: async () => booking,
    seatMap: () => seen('seatMap'),
    pay: () => seen('pay'),
    modify: async () => {
      asked.push('modify');
      return { ...booking, locator: 'SPLIT9', references: [] };
    },
    sendMail: () => seen('sendMail'),
    ticketDocument: () => seen('ticketDocument'),
    cancel: () => seen('cancel'),
    searchFares: () => seen('searchFares'),
    routes: () => seen('routes'),
    calendar: () => seen('calendar'),
    checkPrice: async ({ passengers: { infants = 0 } }: { passengers: { infants?: number } }) => {
      asked.push('checkPrice');
      return { options: [], ...(infants > 0 && { possibleHold: 'abc123' }) };
    },
  } as unknown as Parameters<typeof limitedToCaller>[0];
  return {
    asked,
    claims,
    pass(ms: number) {
      now += ms;
    },
    as: (caller = ann, surname?: string, own: Claims = claims) =>
      limitedToCaller(airline, {
        ...{ caller, claims: own, now: () => now, sleep: async () => undefined },
        ...(surname !== undefined && { surname }),
      }),
    /** A supervisor, who may look at the bookings of this desk. */
    looking: (desk: readonly string[], { surname, readable = true }: { surname?: string; readable?: boolean } = {}) =>
      limitedToCaller(airline, {
        ...{ caller: eve, claims, now: () => now, sleep: async () => undefined },
        desk: { has: async (locator: string) => desk.includes(locator), readable },
        ...(surname !== undefined && { surname }),
      }),
  };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: unknown) => (error instanceof ClerkError ? error.code : 'other'),
  );

describe('a supervisor', () => {
  it('reads a booking of the desk and its seats without owning it', async () => {
    const { looking, as, asked } = world();
    const supervisor = looking(['ABC123']);
    expect((await supervisor.read('abc123')).locator).toBe('ABC123');
    await supervisor.seatMap({ locator: 'ABC123' } as never);
    expect(asked).toEqual(['read abc123', 'seatMap']);
    expect(await codeOf(as(eve).read('ABC123'))).toBe('E_NOT_FOUND');
  });

  it('changes no booking of the desk, also not with a surname that the role has shown', async () => {
    const { looking, as, asked } = world();
    await looking(['ABC123'], { surname: 'al-ghamdi' }).read('ABC123');
    expect(await codeOf(as(eve).read('ABC123'))).toBe('E_NOT_FOUND');
    const changing = looking(['ABC123'], { readable: false });
    expect(await codeOf(changing.ticketDocument({ locator: 'ABC123' } as never))).toBe('E_NOT_PERMITTED');
    expect(await codeOf(changing.read('ABC123'))).toBe('E_NOT_PERMITTED');
    expect(asked).toEqual(['read ABC123']);
  });

  it('reads no other booking, and claims it by a surname as everybody does', async () => {
    const { looking, as, asked } = world();
    expect(await codeOf(looking(['ZZZ999']).read('ABC123'))).toBe('E_NOT_FOUND');
    expect(await codeOf(looking(['ZZZ999']).seatMap({ locator: 'ABC123' } as never))).toBe('E_NOT_FOUND');
    expect(asked).toEqual([]);
    await looking(['ZZZ999'], { surname: 'al-ghamdi' }).read('ABC123');
    expect(await codeOf(as(eve).read('ABC123'))).toBe('ok');
  });
});

describe('access to bookings', () => {
  it('does not ask the airline without a claim or a surname', async () => {
    const { as, asked } = world();
    for (const surname of [undefined, '', '   ']) {
      expect(await codeOf(as(ann, surname).read('ABC123'))).toBe('E_NOT_FOUND');
    }
    expect(asked).toEqual([]);
  });

  it.each(['Al-Ghämdi', 'al ghamdi', 'ALGHAMDI', "Al Gh'amdi"])(
    'claims a booking by the surname in any spelling: %s',
    async (name) => {
      const { as } = world();
      expect((await as(ann, name).read('abc123')).locator).toBe('ABC123');
      expect(await codeOf(as(ann).read('ABC123'))).toBe('ok');
      expect(await codeOf(as(eve).read('ABC123'))).toBe('E_NOT_FOUND');
      expect(await codeOf(as({ tenant: 'other', id: 'ann' }).read('ABC123'))).toBe('E_NOT_FOUND');
    },
  );

  it('accepts a claim for every reference of the booking', async () => {
    const { as } = world();
    await as(ann, 'alghamdi').read('operator-77');
    expect(await codeOf(as(ann).read('ABC123'))).toBe('ok');
    expect(await codeOf(as(ann).seatMap({ locator: ' operator-77 ' } as never))).toBe('ok');
  });

  it('claims the bookings that a caller creates', async () => {
    const { as } = world();
    await as().create({} as never, {} as never);
    expect(await codeOf(as().read('ABC123'))).toBe('ok');
    expect(await codeOf(as(eve).read('ABC123'))).toBe('E_NOT_FOUND');
    await as(eve).createFromCounts({} as never, {} as never);
    expect(await codeOf(as(eve).read('ABC123'))).toBe('ok');
  });

  it('sends no request about a booking that the caller cannot access', async () => {
    const { as, asked } = world();
    const terms = { order: { locator: 'ABC123' }, modification: { booking }, cancellation: { locator: 'ABC123' } };
    const airline = as(eve, 'alghamdi');
    for (const work of [
      () => airline.pay({ terms } as never),
      () => airline.modify({ terms } as never),
      () => airline.cancel({ terms } as never),
      () => airline.seatMap({ locator: 'ABC123' } as never),
      () => airline.sendMail({ locator: 'ABC123' } as never),
      () => airline.ticketDocument({ locator: 'ABC123' } as never),
    ]) {
      expect(await codeOf(work())).toBe('E_NOT_FOUND');
    }
    expect(asked).toEqual([]);
    await as(eve, 'alghamdi').read('ABC123');
    await airline.pay({ terms } as never);
    await airline.modify({ terms } as never);
    await airline.cancel({ terms } as never);
    await airline.sendMail({ locator: 'ABC123' } as never);
    await airline.ticketDocument({ locator: 'ABC123' } as never);
    expect(asked).toEqual(['read ABC123', 'pay', 'modify', 'cancel', 'sendMail', 'ticketDocument']);
    // The booking that a split made is claimed too.
    expect(await codeOf(airline.seatMap({ locator: 'SPLIT9' } as never))).toBe('ok');
    expect(await codeOf(as(ann).seatMap({ locator: 'SPLIT9' } as never))).toBe('E_NOT_FOUND');
  });

  it('lets callers search without a claim', async () => {
    const { as, asked } = world();
    await Promise.all([as().searchFares({} as never), as().routes(), as().calendar({} as never)]);
    expect(asked).toEqual(['searchFares', 'routes', 'calendar']);
  });

  it('lets callers check prices without a claim, and claims a hold that the check made', async () => {
    const { as, asked } = world();
    const check = (passengers: object) => as().checkPrice({ options: [], passengers } as never);
    expect(await check({ adults: 1 })).toEqual({ options: [] });
    expect(await codeOf(as().read('ABC123'))).toBe('E_NOT_FOUND');
    expect(await check({ adults: 1, infants: 1 })).toMatchObject({ possibleHold: 'abc123' });
    expect(await codeOf(as().read('ABC123'))).toBe('ok');
    expect(await codeOf(as(eve).read('ABC123'))).toBe('E_NOT_FOUND');
    expect(asked).toEqual(['checkPrice', 'checkPrice', 'read ABC123']);
  });

  it('reports foreign, unknown and refused bookings in the same words', async () => {
    const words = async (work: Promise<unknown>) =>
      work.catch(({ code, message, next, retry, effect }: ClerkError) => ({ code, message, next, retry, effect }));
    const plain = await words(world().as().read('ABC123'));
    expect(plain).toMatchObject({ code: 'E_NOT_FOUND', effect: 'none' });
    expect(await words(world().as(ann, 'Wrong').read('ABC123'))).toEqual(plain);
    for (const failure of ['E_NOT_FOUND', 'E_NOT_PERMITTED', 'E_INPUT', 'E_AIRLINE_REPLY', 'E_TOO_LATE'] as const) {
      expect(await words(world(failure).as(ann, 'Wrong').read('ABC123'))).toEqual(plain);
    }
    expect(JSON.stringify(plain)).not.toContain('airline');
  });
});

describe('tries of surnames', () => {
  it('refuses all surnames for the rest of the hour after five wrong ones', async () => {
    const { as, asked, pass } = world();
    for (let i = 0; i < MAX_TRIES; i++) {
      expect(await codeOf(as(ann, 'Wrong').read(`ZZZ99${i}`))).toBe('E_NOT_FOUND');
      pass(1_000);
    }
    expect(await codeOf(as(ann, 'alghamdi').read('ABC123'))).toBe('E_LIMIT');
    expect(asked).toHaveLength(MAX_TRIES);
    await expect(as(ann, 'x').read('ABC123')).rejects.toMatchObject({ retry: `after_s:${3600 - 5}` });
    expect(await codeOf(as(eve, 'alghamdi').read('ABC123'))).toBe('ok');
    pass(TRIES_MS - 5_000);
    expect(await codeOf(as(ann, 'alghamdi').read('ABC123'))).toBe('ok');
  });

  it('lets only five of a hundred wrong surnames through at once', async () => {
    const { as, asked } = world();
    const codes = await Promise.all(Array.from({ length: 100 }, (_, i) => codeOf(as(ann, `Wrong${i}`).read('ABC123'))));
    expect(codes.filter((code) => code === 'E_LIMIT')).toHaveLength(95);
    expect(asked).toHaveLength(5);
  });

  it('reads bookings with right surnames at once, however many, and still counts wrong ones among them', async () => {
    const { as, asked } = world();
    const right = Array.from({ length: 12 }, () => as(eve, 'alghamdi').read('ABC123'));
    expect(await Promise.all(right.map(codeOf))).toEqual(Array(12).fill('ok'));
    asked.length = 0;
    const mixed = Array.from({ length: 12 }, () => [
      codeOf(as(ann, 'Wrong').read('ZZZ999')),
      codeOf(as(ann, 'alghamdi').read('ABC123')),
    ]);
    const codes = await Promise.all(mixed.flat());
    expect(codes.filter((code) => code === 'E_NOT_FOUND')).toHaveLength(MAX_TRIES);
    expect(asked.filter((one) => one === 'read ZZZ999')).toHaveLength(MAX_TRIES);
  });

  it('does not count a right surname, nor one that the airline could not check', async () => {
    const good = world();
    for (let i = 0; i < 20; i++) expect(await codeOf(good.as(ann, 'alghamdi').read('ABC123'))).toBe('ok');
    expect(await codeOf(good.as(ann, 'Wrong').read('ZZZ999'))).toBe('E_NOT_FOUND');
    const down = world('E_AIRLINE_DOWN');
    for (let i = 0; i < 20; i++) expect(await codeOf(down.as(ann, 'Any').read('ABC123'))).toBe('E_AIRLINE_DOWN');
  });

  it('reads a claimed booking with any surname, without counting a try', async () => {
    const { as } = world();
    await as(ann, 'alghamdi').read('ABC123');
    for (let i = 0; i < 20; i++) expect(await codeOf(as(ann, 'Wrong').read('ABC123'))).toBe('ok');
  });
});

describe('claims', () => {
  it("returns the airline's answer even if the claim cannot be stored", async () => {
    const { as, claims } = world();
    const away: Claims = { ...claims, add: () => Promise.reject(new Error('database is locked')) };
    expect(await codeOf(as(ann, undefined, away).create({} as never, {} as never))).toBe('ok');
    expect(await codeOf(as(ann, 'alghamdi', away).read('ABC123'))).toBe('ok');
    expect(
      await codeOf(
        as(ann, undefined, away).checkPrice({ options: [], passengers: { adults: 1, children: 0, infants: 1 } }),
      ),
    ).toBe('ok');
    expect(await codeOf(as(ann, undefined, away).read('ABC123'))).toBe('E_NOT_FOUND');
  });
});

it('passes on the names of places where the airline has them', () => {
  const access = { caller: ann, claims: memoryClaims(), now: () => 0, sleep: async () => undefined };
  const placeName = (code: string) => `Place ${code}`;
  expect(limitedToCaller({ placeName } as never, access).placeName?.('QCA')).toBe('Place QCA');
  expect(limitedToCaller({} as never, access).placeName).toBeUndefined();
});
