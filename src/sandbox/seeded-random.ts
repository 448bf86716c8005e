/** Random numbers that depend only on a seed and a name, so that all processes of one seed see the same airline. */

const CODE_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Computes 53 bits from a seed and the parts of a name (cyrb53, public domain). */
export function hash53(seed: number, ...name: readonly (string | number)[]): number {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (const char of name.join('\u0000')) {
    const code = char.codePointAt(0) ?? 0;
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }

  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);

  return 4294967296 * (2097151 & low) + (high >>> 0);
}

/** Returns a number in [0, 1). */
export function seededRandom(seed: number, ...name: readonly (string | number)[]): number {
  return hash53(seed, ...name) / 2 ** 53;
}

/** Returns `length` characters of A–Z and 0–9. */
export function seededCode(length: number, seed: number, ...name: readonly (string | number)[]): string {
  let rest = hash53(seed, ...name);
  let text = '';
  for (let i = 0; i < length; i++) {
    text += CODE_CHARACTERS[rest % CODE_CHARACTERS.length] ?? 'A';
    rest = Math.floor(rest / CODE_CHARACTERS.length);
  }
  return text;
}
