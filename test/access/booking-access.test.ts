/**
 * Which bookings a caller has access to: claims, limited tries, and no request to the airline without either.
 */
import { describe, expect, it } from 'vitest';
import { claimsWithJournal, limitedToCaller, MAX_TRIES, TRIES_MS } from '../../src/access/booking-access.ts';
import { Harness } from '../journal/harness.ts';
import { newOperation } from '../store/support/new-operation.ts';
import { memoryClaims } from '../support/memory-claims.ts';
import { type Access, type Airline, ann, BOOKING, codeOf, world } from './world.ts';

const bob = { tenant: 't', id: 'bob' };
const eve = { tenant: 't', id: 'eve' };
const NAME = 'alghamdi';

const LINK = { n: 6, hash: 'x' };
const HOLD = { since: 0, seen: LINK, head: { ...LINK, n: 3 } };

const reads = (airline: Airline, locator = 'ABC123') => codeOf(airline.read(locator));
const seats = (airline: Airline, locator: string) => codeOf(airline.seatMap({ locator } as never));
/** A supervisor's part of a call: which bookings are of the desk. */
const deskOf = (locator: string, readable = true): Partial<Access> => ({
  desk: { has: async (one) => one === locator, shows: async () => true, readable },
});

describe('a supervisor', () => {
  it('changes no booking of the desk, also not with a surname that the role has shown', async () => {
    const { call, asked } = world();
    await call(eve, NAME, deskOf('ABC123')).read('ABC123');
    expect(await reads(call(eve))).toBe('E_NOT_FOUND');
    const changing = call(eve, undefined, deskOf('ABC123', false));
    expect(await codeOf(changing.ticketDocument({ locator: 'ABC123' } as never))).toBe('E_NOT_PERMITTED');
    expect(await reads(changing)).toBe('E_NOT_PERMITTED');
    expect(asked).toEqual(['read ABC123']);
  });
});

it('the pauses of the airline are those of every caller', async () => {
  const { call, asked } = world();
  await call(bob).pausedMs(['pay']);
  expect(asked).toEqual(['pausedMs']);
});

describe('access to bookings', () => {
  it('says that the journal is older than what was sent, if it is', async () => {
    const { message, next } = await world()
      .call(ann, undefined, { hold: async () => HOLD })
      .read('ABC123')
      .catch((error) => error);
    expect(message).toBe(
      'There is no booking ABC123 that you can reach. Sending has been held since 1970-01-01T00:00:00Z: the journal ends at number 3, and number 6 was seen before. An older copy was put back, or something was lost. Nothing was changed.',
    );
    expect(next).toContain('call read_booking with the surname');
    const unreadable = world().call(ann, undefined, { hold: () => Promise.reject(new Error('no database')) });
    await expect(unreadable.read('ABC123')).rejects.toThrow('that you can reach. Nothing was changed.');
  });

  it('says of a booking that a restored journal lacks how it comes back', async () => {
    const unknown = await world()
      .call()
      .read('ABC123')
      .catch((error) => error);
    expect(unknown.next).toContain('If it is right, call read_booking with the surname of one');
  });

  it.each([undefined, '', '   '])('is not tried at the airline without a claim or a surname: %j', async (surname) => {
    const { call, asked } = world();
    expect(await reads(call(ann, surname))).toBe('E_NOT_FOUND');
    expect(asked).toEqual([]);
  });

  it.each(['Al-Ghämdi', 'al ghamdi', 'ALGHAMDI', "Al Gh'amdi"])('is claimed by the surname: %s', async (name) => {
    const { call } = world();
    expect((await call(ann, name).read('abc123')).locator).toBe('ABC123');
    expect(await reads(call(ann))).toBe('ok');
    expect(await reads(call(eve))).toBe('E_NOT_FOUND');
    expect(await reads(call({ tenant: 'other', id: 'ann' }))).toBe('E_NOT_FOUND');
  });

  it('is given under every reference of the booking', async () => {
    const { call } = world();
    await call(ann, NAME).read('operator-77');
    expect([await reads(call()), await seats(call(), ' operator-77 ')]).toEqual(['ok', 'ok']);
  });

  it.each(['create', 'createFromCounts'] as const)('is given to a caller who made it by %s', async (method) => {
    const { call } = world();
    await call()[method]({} as never, {} as never);
    expect([await reads(call()), await reads(call(eve))]).toEqual(['ok', 'E_NOT_FOUND']);
  });

  it('is needed for every request about a booking', async () => {
    const { at, call, asked } = world();
    const order = {
      order: { locator: 'ABC123' },
      modification: { booking: BOOKING },
      cancellation: { locator: 'ABC123' },
    };
    const given = { send: order, locator: 'ABC123' } as never;
    const airline = call(eve, NAME);
    const methods = ['pay', 'modify', 'cancel', 'seatMap', 'sendMail', 'ticketDocument'] as const;
    const all = async () => {
      const codes: unknown[] = [];
      for (const method of methods) codes.push(await codeOf(airline[method](given, {} as never)));
      return new Set(codes);
    };
    expect(await all()).toEqual(new Set(['E_NOT_FOUND']));
    expect(asked).toEqual([]);
    await call(eve, NAME).read('ABC123');
    at.modified = { ...BOOKING, locator: 'SPLIT9', references: [] };
    expect(await all()).toEqual(new Set(['ok']));
    // The call reads it before it acts, if no tool has.
    expect(asked).toEqual(['read ABC123', 'read ABC123', ...methods]);
    // The booking that a split made is claimed too.
    expect([await seats(airline, 'SPLIT9'), await seats(call(), 'SPLIT9')]).toEqual(['ok', 'E_NOT_FOUND']);
  });

  it('is not needed to search', async () => {
    const { call, asked } = world();
    await Promise.all([
      call().searchFares({} as never),
      call().routes(),
      call().calendar({} as never),
      call().accounts(),
    ]);
    expect(await reads(call())).toBe('E_NOT_FOUND');
    expect(asked).toEqual(['searchFares', 'routes', 'calendar', 'accounts']);
  });

  it('is refused in the same words to foreign, unknown and refused bookings', async () => {
    const words = async (work: Promise<unknown>) =>
      work.catch(({ code, message, next, retry, effect }) => ({ code, message, next, retry, effect }));
    const plain = await words(world().call().read('ABC123'));
    expect(plain).toMatchObject({ code: 'E_NOT_FOUND', effect: 'none' });
    const failures = [undefined, 'E_NOT_FOUND', 'E_NOT_PERMITTED', 'E_INPUT', 'E_AIRLINE_REPLY', 'E_TOO_LATE'] as const;
    for (const failure of failures)
      expect(await words(world(BOOKING, failure).call(ann, 'Wrong').read('ABC123'))).toEqual(plain);
  });
  it("returns the airline's answer even if the claim cannot be stored", async () => {
    const { at, call } = world();
    at.claims = { ...at.claims, add: () => Promise.reject(new Error('database is locked')) };
    expect(await codeOf(call().create({} as never, {} as never))).toBe('ok');
    expect(await reads(call(ann, NAME))).toBe('ok');
    expect(await reads(call())).toBe('E_NOT_FOUND');
  });
});

describe('tries of surnames', () => {
  it('are refused for the rest of the hour after five wrong ones', async () => {
    const { at, call, asked } = world();
    for (let i = 0; i < MAX_TRIES; i++) {
      expect(await reads(call(ann, 'Wrong'), `ZZZ99${i}`)).toBe('E_NOT_FOUND');
      at.now += 1_000;
    }
    expect(asked).toHaveLength(MAX_TRIES);
    const refused = { code: 'E_LIMIT', retry: `after_s:${3600 - 5}` };
    await expect(call(ann, NAME).read('ABC123')).rejects.toMatchObject(refused);
    expect(asked).toHaveLength(MAX_TRIES);
    expect(await reads(call(eve, NAME))).toBe('ok');
    at.now += TRIES_MS - 5_000;
    expect(await reads(call(ann, NAME))).toBe('ok');
  });

  it('do not stop right ones at once, however many, and wrong ones among them still count', async () => {
    const { call, asked } = world();
    const right = Array.from({ length: 12 }, () => reads(call(eve, NAME)));
    expect(await Promise.all(right)).toEqual(Array(12).fill('ok'));
    asked.length = 0;
    const mixed = Array.from({ length: 12 }, () => [reads(call(ann, 'Wrong'), 'ZZZ999'), reads(call(ann, NAME))]);
    const codes = await Promise.all(mixed.flat());
    expect(codes.filter((code) => code === 'E_NOT_FOUND')).toHaveLength(MAX_TRIES);
    expect(asked.filter((one) => one === 'read ZZZ999')).toHaveLength(MAX_TRIES);
  });

  it('do not count if they were right, could not be checked, or were not needed', async () => {
    const twenty = async (airline: Airline, locator?: string) => {
      const codes = new Set<unknown>();
      for (let i = 0; i < 20; i++) codes.add(await reads(airline, locator));
      return [...codes];
    };
    const { call } = world();
    expect(await twenty(call(ann, NAME))).toEqual(['ok']);
    expect(await twenty(call(ann, 'Wrong'))).toEqual(['ok']);
    expect(await reads(call(ann, 'Wrong'), 'ZZZ999')).toBe('E_NOT_FOUND');
    expect(await twenty(world(BOOKING, 'E_AIRLINE_DOWN').call(ann, 'Any'))).toEqual(['E_AIRLINE_DOWN']);
  });
});

it('passes on the names of places where the airline has them', () => {
  const access = { caller: ann } as Access;
  const placeName = (code: string) => `Place ${code}`;
  expect(limitedToCaller({ placeName } as never, access).placeName?.('QCA')).toBe('Place QCA');
  expect(limitedToCaller({} as never, access).placeName).toBeUndefined();
});

describe('claims', () => {
  it('keeps claims apart for callers whose joined names are equal, and forgets no try that was not made', async () => {
    const claims = memoryClaims();
    await claims.takeBackTry(ann, 'none');
    await claims.add({ tenant: 'a', id: 'b"c' }, ['X'], 0);
    expect(await claims.has({ tenant: 'a"b', id: 'c' }, 'X')).toBe(false);
    expect(await claims.has({ tenant: 'a', id: 'b"c' }, 'X')).toBe(true);
  });

  it('counts a booking as claimed if the journal shows that the caller made it', async () => {
    const { store, move } = await Harness.open().then((h) => ({ store: h.store, move: h.move.bind(h) }));
    const claims = memoryClaims();
    const both = claimsWithJournal(claims, store);
    const enter = async (id: string, to: 'succeeded' | 'refused', patch: object, over = {}) => {
      const { locator: _, ...unplaced } = newOperation(id, { caller: 'ann', tool: 'create_booking', ...over });
      await store.insert(unplaced, { now: 1, owner: 'p', leaseUntil: 2 });
      await move('intent', to, patch, id);
    };
    await enter('a', 'succeeded', { locator: 'XYZ789' });
    await enter('b', 'refused', { locator: 'FAILED' });
    await enter('c', 'succeeded', { outcome: { newLocator: 'SPLIT9' } });
    await both.add(ann, ['WRITTEN'], 1);
    const has = (caller: typeof ann, ...locators: string[]) =>
      Promise.all(locators.map((locator) => both.has(caller, locator)));
    expect(await has(ann, 'WRITTEN', 'XYZ789', 'SPLIT9', 'FAILED', 'OTHER1')).toEqual([true, true, true, false, false]);
    expect(await has(bob, 'WRITTEN', 'XYZ789', 'SPLIT9')).toEqual([false, false, false]);
  });
});
