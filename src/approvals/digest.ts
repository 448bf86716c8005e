/**
 * Digests that bind an approval to what was shown. Canonical form: object keys in RFC 8785 order, without undefined.
 * Arguments and terms contain names, birth dates and telephone numbers, which can be guessed by trying. A digest
 * without a key would betray them, so every digest is keyed.
 */
import { createHash, createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { memoizeByObject } from '../core/memoize.ts';
import type { AskedPeople } from '../domain/facts/asked-people.ts';
import type { Digest } from '../domain/people/identity-text.ts';
import type { KeptPeople } from '../journal/operation.ts';

/** The value with its object keys in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  // Without a prototype: a key may be `__proto__`.
  const ordered: Record<string, unknown> = Object.create(null);
  const fields = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(fields).sort()) if (fields[key] !== undefined) ordered[key] = sorted(fields[key]);
  return ordered;
}

/** Digests a value: {@link keyedDigest} of its canonical JSON. */
export function digest(key: Uint8Array, value: unknown): string {
  return keyedDigest(key, JSON.stringify(sorted(value)) ?? 'undefined');
}

/** The key object for the bytes of a key. Making it costs several times the digest, so it is remembered. */
const secretKey = memoizeByObject((key: Uint8Array) => createSecretKey(key));

/** Digests a text: HMAC-SHA256 with the store's key, base64url. */
export function keyedDigest(key: Uint8Array, text: string): string {
  return createHmac('sha256', secretKey(key)).update(text).digest('base64url');
}

/** The same as a function. One for each key: what is remembered of readings and people goes by it. */
export const digestWith = memoizeByObject(
  (key: Uint8Array): Digest =>
    (text) =>
      keyedDigest(key, text),
);

/**
 * A random handle for a step of a plan: 160 bits, base64url. It is never given out; the stored approval only needs a
 * unique value.
 */
export function newStepHandle(): string {
  return `ap_${randomBytes(20).toString('base64url')}`;
}

/** Derives a key for one purpose: HKDF-Extract (RFC 5869, section 2.2) with the purpose as the salt. */
export function keyFor(purpose: string, key: Uint8Array): Uint8Array {
  return createHmac('sha256', purpose).update(key).digest();
}

/** The key of handles: no digest of other data is a handle. */
const handleKey = memoizeByObject((key: Uint8Array) => keyFor('fareclerk approval handle', key));

/**
 * The handle of the question about an operation: 162 bits that cannot be guessed without the store's key. It is always
 * the same: a call that is repeated because its answer was lost gets the handle of the open question.
 */
export function handleFor(key: Uint8Array, operationId: string): string {
  return `ap_${keyedDigest(handleKey(key), operationId).slice(0, 27)}`;
}

/** SHA-256 of a handle, base64url. Only this is stored, never the handle. */
export function handleHash(handle: string): string {
  return createHash('sha256').update(handle).digest('base64url');
}

/** How many characters of a digest of a person are kept: 96 bits. */
const PERSON_CHARS = 16;

/** What is kept of the people of one request, with a salt of its own, so that no other request has the same digests. */
export function keptPeople(key: Uint8Array, asked: (digest: Digest) => AskedPeople): KeptPeople {
  const salt = randomBytes(16).toString('base64url');
  return { salt, people: asked(personDigest(key, salt)) };
}

/** Makes the digests of people that are kept with this salt. */
export function personDigest(key: Uint8Array, salt: string): Digest {
  const ownKey = keyFor(`fareclerk people ${salt}`, key);
  return (text) => keyedDigest(ownKey, text).slice(0, PERSON_CHARS);
}
