/**
 * Digests that bind an approval to what was shown. Canonical form: object keys in RFC 8785 order, without undefined.
 * Arguments and terms have names, birth dates and telephone numbers, which are few enough to try them all: every
 * digest of them is keyed.
 */
import { createHash, createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { rememberedFor } from '../core/remembered.ts';

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  // Without a prototype: a key may be `__proto__`.
  const ordered: Record<string, unknown> = Object.create(null);
  const given = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(given).sort()) if (given[key] !== undefined) ordered[key] = sorted(given[key]);
  return ordered;
}

/** HMAC-SHA256 with the store's key of the canonical JSON of a value, base64url. */
export function digest(key: Uint8Array, value: unknown): string {
  return keyedDigest(key, JSON.stringify(sorted(value)) ?? 'undefined');
}

/** Preparing the bytes of a key anew costs several times the digest. */
const prepared = rememberedFor((key: Uint8Array) => createSecretKey(key));

/** HMAC-SHA256 with the store's key: digests of personal data must not be guessable. */
export function keyedDigest(key: Uint8Array, text: string): string {
  return createHmac('sha256', prepared(key)).update(text).digest('base64url');
}

/** The handle of a step of a plan, which nobody gets: 160 random bits, base64url. */
export function newHandle(): string {
  return `ap_${randomBytes(20).toString('base64url')}`;
}

/** HKDF-Extract (RFC 5869, section 2.2) with the purpose as the salt: no digest of other data is a handle. */
const handleKey = rememberedFor((key: Uint8Array) =>
  createHmac('sha256', 'fareclerk approval handle').update(key).digest(),
);

/**
 * The handle of the question about an operation: 162 bits that cannot be guessed without the store's key. Always the
 * same, so that a call that is repeated, because its answer was lost, gets the handle of the question that is open.
 */
export function handleFor(key: Uint8Array, operationId: string): string {
  return `ap_${keyedDigest(handleKey(key), operationId).slice(0, 27)}`;
}

/** Only this is stored of a handle. */
export function handleHash(handle: string): string {
  return createHash('sha256').update(handle).digest('base64url');
}
