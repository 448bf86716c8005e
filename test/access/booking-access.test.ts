/**
 * Which bookings a caller has access to: claims, limited tries, and no request to the airline without either.
 */
import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import {
  claimsWithJournal,
  claimsWithLedger,
  limitedToCaller,
  MAX_TRIES,
  TRIES_MS,
} from '../../src/access/booking-access.ts';
import { booking as anyBooking, type refusal } from '../approvals/harness.ts';
import { error, Harness } from '../journal/harness.ts';
import { newOperation } from '../store/support/new-operation.ts';
import { memoryClaims } from '../support/memory-claims.ts';
import { bareTraveler, personName } from '../support/people.ts';

type Claims = ReturnType<typeof memoryClaims>;
type Code = Awaited<ReturnType<typeof refusal>>['code'];
type Airline = Parameters<typeof limitedToCaller>[0];
type Method = Exclude<keyof Airline, 'placeName'>;

const ann = { tenant: 't', id: 'ann' };
const bob = { tenant: 't', id: 'bob' };
const eve = { tenant: 't', id: 'eve' };
const NAME = 'alghamdi';
const digest = (text: string) => createHash('sha256').update(text).digest('base64url');

const LINK = { n: 6, hash: 'x' };
const HOLD = { since: 0, seen: LINK, head: { ...LINK, n: 3 } };

const booking = anyBooking({
  references: ['ABC123', 'OPERATOR-77'].map((id) => ({ id, segmentRefs: [] })),
  travelers: [bareTraveler('1', { name: personName('Amal', 'Al-Ghämdi') })],
});

function world(failure?: Code) {
  const asked: string[] = [];
  // No ledger lists anything here.
  const claims = claimsWithLedger(memoryClaims(), { find: async () => ({ entries: [], total: 0 }) });
  let now = 1_000_000;
  const answers: Partial<Record<Method, (given: never) => unknown>> = {
    read(locator: string) {
      if (failure !== undefined) throw error(failure);
      if (!['ABC123', 'OPERATOR-77'].includes(locator.toUpperCase())) throw error('E_NOT_FOUND');
      return booking;
    },
    create: () => booking,
    createFromCounts: () => booking,
    modify: () => ({ ...booking, locator: 'SPLIT9', references: [] }),
  };
  const airline = new Proxy({} as Airline, {
    get: (_, name: Method) => async (given: never) => {
      if (!name.startsWith('create')) asked.push(name === 'read' ? `read ${given}` : name);
      return answers[name]?.(given);
    },
    has: () => false,
  });
  const common = { now: () => now, sleep: async () => undefined, ledgerShows: async () => undefined, digest };
  const by = (caller: typeof ann, surname: string | undefined, over: object) =>
    limitedToCaller(airline, { ...common, caller, claims, ...(surname !== undefined && { surname }), ...over });
  return {
    asked,
    claims,
    pass(ms: number) {
      now += ms;
    },
    as: (caller = ann, surname?: string, store: Claims = claims) => by(caller, surname, { claims: store }),
    /** A caller while the journal is older than what was sent. */
    held: (hold = async () => HOLD) => by(ann, undefined, { hold }),
    /** A supervisor, who may look at the bookings of this desk. */
    looking: (desk: readonly string[], { surname, readable = true }: { surname?: string; readable?: boolean } = {}) =>
      by(eve, surname, {
        desk: { has: async (locator: string) => desk.includes(locator), shows: async () => true, readable },
      }),
  };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    ({ code }) => code,
  );
const reads = (airline: Airline, locator = 'ABC123') => codeOf(airline.read(locator));
const seats = (airline: Airline, locator: string) => codeOf(airline.seatMap({ locator } as never));

describe('a supervisor', () => {
  it('changes no booking of the desk, also not with a surname that the role has shown', async () => {
    const { looking, as, asked } = world();
    await looking(['ABC123'], { surname: NAME }).read('ABC123');
    expect(await reads(as(eve))).toBe('E_NOT_FOUND');
    const changing = looking(['ABC123'], { readable: false });
    expect(await codeOf(changing.ticketDocument({ locator: 'ABC123' } as never))).toBe('E_NOT_PERMITTED');
    expect(await reads(changing)).toBe('E_NOT_PERMITTED');
    expect(asked).toEqual(['read ABC123']);
  });
});

it('the pauses of the airline are those of every caller', async () => {
  const { as, asked } = world();
  await as(bob).pausedMs(['pay']);
  expect(asked).toEqual(['pausedMs']);
});

describe('access to bookings', () => {
  it('says that the journal is older than what was sent, if it is', async () => {
    const { message, next } = await world()
      .held()
      .read('ABC123')
      .catch((error) => error);
    expect(message).toBe(
      'There is no booking ABC123 that you can reach. Sending has been held since 1970-01-01T00:00:00Z: the journal ends at number 3, and number 6 was seen before. An older copy was put back, or something was lost. Nothing was changed.',
    );
    expect(next).toContain('call read_booking with the surname');
    const unreadable = world().held(() => Promise.reject(new Error('no database')));
    await expect(unreadable.read('ABC123')).rejects.toThrow('that you can reach. Nothing was changed.');
  });

  it('says of a booking that a restored journal lacks how it comes back', async () => {
    const unknown = await world()
      .as(ann)
      .read('ABC123')
      .catch((error) => error);
    expect(unknown.next).toContain('If it is right, call read_booking with the surname of one');
  });

  it.each([undefined, '', '   '])('is not tried at the airline without a claim or a surname: %j', async (surname) => {
    const { as, asked } = world();
    expect(await reads(as(ann, surname))).toBe('E_NOT_FOUND');
    expect(asked).toEqual([]);
  });

  it.each(['Al-Ghämdi', 'al ghamdi', 'ALGHAMDI', "Al Gh'amdi"])('is claimed by the surname: %s', async (name) => {
    const { as } = world();
    expect((await as(ann, name).read('abc123')).locator).toBe('ABC123');
    expect(await reads(as(ann))).toBe('ok');
    expect(await reads(as(eve))).toBe('E_NOT_FOUND');
    expect(await reads(as({ tenant: 'other', id: 'ann' }))).toBe('E_NOT_FOUND');
  });

  it('is given under every reference of the booking', async () => {
    const { as } = world();
    await as(ann, NAME).read('operator-77');
    expect([await reads(as()), await seats(as(), ' operator-77 ')]).toEqual(['ok', 'ok']);
  });

  it.each(['create', 'createFromCounts'] as const)('is given to a caller who made it by %s', async (method) => {
    const { as } = world();
    await as()[method]({} as never, {} as never);
    expect([await reads(as()), await reads(as(eve))]).toEqual(['ok', 'E_NOT_FOUND']);
  });

  it('is needed for every request about a booking', async () => {
    const { as, asked } = world();
    const order = { order: { locator: 'ABC123' }, modification: { booking }, cancellation: { locator: 'ABC123' } };
    const given = { send: order, locator: 'ABC123' } as never;
    const airline = as(eve, NAME);
    const methods = ['pay', 'modify', 'cancel', 'seatMap', 'sendMail', 'ticketDocument'] as const;
    const all = async () => {
      const codes: unknown[] = [];
      for (const method of methods) codes.push(await codeOf(airline[method](given, {} as never)));
      return new Set(codes);
    };
    expect(await all()).toEqual(new Set(['E_NOT_FOUND']));
    expect(asked).toEqual([]);
    await as(eve, NAME).read('ABC123');
    expect(await all()).toEqual(new Set(['ok']));
    // The call reads it before it acts, if no tool has.
    expect(asked).toEqual(['read ABC123', 'read ABC123', ...methods]);
    // The booking that a split made is claimed too.
    expect([await seats(airline, 'SPLIT9'), await seats(as(), 'SPLIT9')]).toEqual(['ok', 'E_NOT_FOUND']);
  });

  it('is not needed to search', async () => {
    const { as, asked } = world();
    await Promise.all([as().searchFares({} as never), as().routes(), as().calendar({} as never), as().accounts()]);
    expect(await reads(as())).toBe('E_NOT_FOUND');
    expect(asked).toEqual(['searchFares', 'routes', 'calendar', 'accounts']);
  });

  it('is refused in the same words to foreign, unknown and refused bookings', async () => {
    const words = async (work: Promise<unknown>) =>
      work.catch(({ code, message, next, retry, effect }) => ({ code, message, next, retry, effect }));
    const plain = await words(world().as().read('ABC123'));
    expect(plain).toMatchObject({ code: 'E_NOT_FOUND', effect: 'none' });
    const failures = [undefined, 'E_NOT_FOUND', 'E_NOT_PERMITTED', 'E_INPUT', 'E_AIRLINE_REPLY', 'E_TOO_LATE'] as const;
    for (const failure of failures) expect(await words(world(failure).as(ann, 'Wrong').read('ABC123'))).toEqual(plain);
  });
  it("returns the airline's answer even if the claim cannot be stored", async () => {
    const { as, claims } = world();
    const away: Claims = { ...claims, add: () => Promise.reject(new Error('database is locked')) };
    expect(await codeOf(as(ann, undefined, away).create({} as never, {} as never))).toBe('ok');
    expect(await reads(as(ann, NAME, away))).toBe('ok');
    expect(await reads(as(ann, undefined, away))).toBe('E_NOT_FOUND');
  });
});

describe('tries of surnames', () => {
  it('are refused for the rest of the hour after five wrong ones', async () => {
    const { as, asked, pass } = world();
    for (let i = 0; i < MAX_TRIES; i++) {
      expect(await reads(as(ann, 'Wrong'), `ZZZ99${i}`)).toBe('E_NOT_FOUND');
      pass(1_000);
    }
    expect(asked).toHaveLength(MAX_TRIES);
    const refused = { code: 'E_LIMIT', retry: `after_s:${3600 - 5}` };
    await expect(as(ann, NAME).read('ABC123')).rejects.toMatchObject(refused);
    expect(asked).toHaveLength(MAX_TRIES);
    expect(await reads(as(eve, NAME))).toBe('ok');
    pass(TRIES_MS - 5_000);
    expect(await reads(as(ann, NAME))).toBe('ok');
  });

  it('do not stop right ones at once, however many, and wrong ones among them still count', async () => {
    const { as, asked } = world();
    const right = Array.from({ length: 12 }, () => reads(as(eve, NAME)));
    expect(await Promise.all(right)).toEqual(Array(12).fill('ok'));
    asked.length = 0;
    const mixed = Array.from({ length: 12 }, () => [reads(as(ann, 'Wrong'), 'ZZZ999'), reads(as(ann, NAME))]);
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
    const { as } = world();
    expect(await twenty(as(ann, NAME))).toEqual(['ok']);
    expect(await twenty(as(ann, 'Wrong'))).toEqual(['ok']);
    expect(await reads(as(ann, 'Wrong'), 'ZZZ999')).toBe('E_NOT_FOUND');
    expect(await twenty(world('E_AIRLINE_DOWN').as(ann, 'Any'))).toEqual(['E_AIRLINE_DOWN']);
  });
});

it('passes on the names of places where the airline has them', () => {
  const ledgerShows = async () => undefined;
  const access = {
    caller: ann,
    claims: memoryClaims(),
    now: () => 0,
    sleep: async () => undefined,
    ledgerShows,
    digest,
  };
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

  it('counts a booking as claimed if the ledger lists it for the caller, and asks it for no other', async () => {
    const claims = memoryClaims();
    await claims.add(ann, ['ABC123'], 0);
    const entry = { locator: 'XYZ789', madeHere: false, seenAt: 5, state: 'held' };
    const find = vi.fn(async () => ({ entries: [entry], total: 1 }));
    const both = claimsWithLedger(claims, { find });
    expect(await both.has(ann, 'ABC123')).toBe(true);
    expect(find).not.toHaveBeenCalled();
    expect(await both.has(ann, 'XYZ789')).toBe(true);
    expect(find).toHaveBeenCalledWith(ann, { locators: ['XYZ789'], limit: 1 });
    find.mockResolvedValue({ entries: [], total: 0 });
    expect(await both.has(ann, 'XYZ789')).toBe(false);
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
