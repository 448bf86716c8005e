import { expect, test } from 'vitest';
import { blockOf, handleAt, MOST_TOGETHER, namesOf, placeOf } from '../../src/store/offer-handle.ts';

const newName = (): string => namesOf(blockOf())[0] ?? '';
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

test('writes the page and place of an offer into its handle', () => {
  const name = newName();
  for (let place = 0; place < MOST_TOGETHER; place++) {
    const handle = handleAt(name, place);
    expect(handle).toMatch(/^o[a-z0-9]{8}$/);
    expect(placeOf(handle)).toEqual({ name, place });
  }
});

test('rejects a handle with a wrong letter or two swapped letters', () => {
  for (let n = 0; n < 40; n++) {
    const handle = handleAt(newName(), n % MOST_TOGETHER);
    const slips = [...handle].flatMap((own, i) =>
      [...ALPHABET].filter((other) => other !== own).map((other) => handle.slice(0, i) + other + handle.slice(i + 1)),
    );
    const swaps = [...handle].map(
      (_, i) => handle.slice(0, i) + handle.charAt(i + 1) + handle.charAt(i) + handle.slice(i + 2),
    );
    const wrong = [...slips, ...swaps].filter((text) => text !== handle);
    expect(wrong.filter((text) => placeOf(text) !== undefined)).toEqual([]);
  }
});

test.each(['', 'o', 'ozzzzzzz', 'ozzzzzzzzzz', 'oabcdef!!', 'OABCDEFGH'])('rejects %j as a handle', (text) => {
  expect(placeOf(text)).toBeUndefined();
});

test('gives the names of a block different endings and the same beginning', () => {
  const block = blockOf();
  const names = namesOf(block);
  expect(new Set(names).size).toBe(ALPHABET.length ** 2);
  expect(names.every((name) => name.startsWith(block) && name.length === 6)).toBe(true);
});
