/**
 * Damaged replies: whatever an airline sends, decoding ends in a value or in E_AIRLINE_REPLY, and in nothing else.
 * FUZZ_RUNS sets the number of mutations, FUZZ_SEED where they start.
 */
import { describe, expect, test } from 'vitest';
import { ClerkError } from '../../../src/errors.ts';
import { DECODERS, type Decode, decoderOf, PUBLISHED } from './decoders.ts';
import { fixture } from './fixture.ts';

const RUNS = Number(process.env.FUZZ_RUNS ?? 2000);
const SEED = Number(process.env.FUZZ_SEED ?? 1);

const REPLIES: [string, Decode][] = [
  ...PUBLISHED.map((name): [string, Decode] => [name, decoderOf(name)]),
  ['group-book-reply', DECODERS['price-check']],
];

/** mulberry32: small, seeded, good enough to pick mutations. */
function randomOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) % below;
  };
}

type Random = ReturnType<typeof randomOf>;
type Holder = Record<string, unknown> | unknown[];

const ODD: readonly (() => unknown)[] = [
  () => null,
  () => undefined,
  () => true,
  () => '',
  () => 'x'.repeat(5000),
  () => '\u0000\u202e',
  () => -1,
  () => 1e308,
  () => 0.1 + 0.2,
  () => '1e9',
  () => 'NaN',
  () => 90071992547409.9,
  () => ({ currencyCode: 'USD', amount: 1 }),
  () => 'JPY',
  () => [],
  () => [null],
  () => [[[[]]]],
  () => ({}),
  () => ({ value: null, rph: [], amount: {}, currencyCode: 5 }),
  () => JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1, "toString": 2, "length": -1}'),
  () => '9007199254740993.5',
  () => [{ rph: '1' }, 'text', 7, null],
];

function holders(tree: unknown, found: Holder[] = []): Holder[] {
  if (typeof tree !== 'object' || tree === null) return found;
  found.push(tree as Holder);
  for (const item of Object.values(tree)) holders(item, found);
  return found;
}

function pick<T>(items: readonly T[], random: Random): T | undefined {
  return items[random(Math.max(items.length, 1))];
}

function odd(random: Random): unknown {
  return pick(ODD, random)?.();
}

/** Drops, nulls, duplicates, retypes, adds or moves one branch. */
function mutate(tree: Holder, random: Random): void {
  const holder = pick(holders(tree), random) as Record<string, unknown>;
  const key = pick(Object.keys(holder), random) ?? 'added';
  const other = pick(holders(tree), random) as Record<string, unknown>;
  const moves: (() => void)[] = [
    () => void Reflect.deleteProperty(holder, key),
    () => {
      holder[key] = odd(random);
    },
    () => {
      holder[key] = [holder[key], structuredClone(holder[key])];
    },
    () => {
      holder[key] = { value: holder[key] };
    },
    () => {
      holder[key] = typeof holder[key] === 'object' ? JSON.stringify(holder[key]) : String(holder[key]);
    },
    () => {
      holder[key] = structuredClone(pick(Object.values(other), random));
    },
    () => {
      if (Array.isArray(holder)) holder.push(odd(random));
      else holder[`${key}X`] = odd(random);
    },
  ];
  pick(moves, random)?.();
}

function damaged(name: string, random: Random): unknown {
  if (random(50) === 0) return odd(random);
  const tree = fixture(name);
  for (let times = 1 + random(4); times > 0; times -= 1) mutate(tree, random);
  return tree;
}

/** What came of it: a value, a refusal, or the failure that must not be. */
function outcome(decode: Decode, wire: unknown): 'value' | 'refused' | { failure: unknown } {
  try {
    decode(wire);
    return 'value';
  } catch (error) {
    if (error instanceof ClerkError && error.code === 'E_AIRLINE_REPLY' && error.effect === 'none') return 'refused';
    return { failure: error };
  }
}

describe('a damaged reply', () => {
  test(`decodes a damaged reply or rejects it with E_AIRLINE_REPLY, ${RUNS} times`, () => {
    const seen = { value: 0, refused: 0 };
    for (let run = 0; run < RUNS; run += 1) {
      const random = randomOf(SEED * 1_000_003 + run);
      const [name, decode] = pick(REPLIES, random) ?? ['read-reply', DECODERS.read];
      const wire = damaged(name, random);
      const end = outcome(decode, wire);
      if (typeof end === 'object')
        throw new Error(`${name}, run ${run}: ${JSON.stringify(wire)}`, { cause: end.failure });
      seen[end] += 1;
    }
    expect(seen.value).toBeGreaterThan(RUNS / 2);
    expect(seen.refused).toBeGreaterThan(RUNS / 100);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test.each(REPLIES)('rejects a reply of nothing by name: %s', (_, decode) => {
    for (const wire of [undefined, null, '', 'text', 7, true, {}]) {
      const end = outcome(decode, wire);
      expect(end).toBe('refused');
    }
  });

  test('reads a deeply nested reply without overflow', () => {
    let deep: unknown = 'x';
    for (let depth = 0; depth < 100_000; depth += 1) deep = depth % 2 === 0 ? [deep] : { value: deep };
    for (const key of ['personName', 'email', 'comment']) {
      const wire = {
        airReservation: { bookingReferenceID: { id: 'K7M4QX' }, travelerInfo: { airTraveler: { [key]: deep } } },
      };
      expect(DECODERS.read(wire).locator).toBe('K7M4QX');
    }
  });
});
