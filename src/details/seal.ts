/**
 * Seals what travellers enter. The key is derived from the details id, which only the address of the page and the call
 * carry: whoever has the state, a copy of it or its own key opens nothing.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { EnteredDetails } from '../domain/people/entered-details.ts';
import type { NewDetails } from './ports.ts';

/** What a sealed card is bound to, besides its place in the form. */
type SealedFor = Pick<NewDetails, 'idHash' | 'tenant' | 'caller' | 'tool' | 'argsDigest'>;

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Cards are padded to a multiple of this: their length tells neither a name nor what was left blank. */
const PIECE_BYTES = 512;

/** 32 random bytes, base64url: 43 characters. */
export function newDetailsId(): string {
  return randomBytes(32).toString('base64url');
}

/** Only this is stored of an id. */
export function hashId(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}

/** HKDF-SHA256 (RFC 5869): nobody gets from the hash of the id to the key. */
function keyFrom(id: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', id, '', 'fareclerk details', 32));
}

/** What a card is authenticated with: opened for anything else, it fails. */
function boundBytes({ idHash, tenant, caller, tool, argsDigest }: SealedFor, card: number): Buffer {
  return Buffer.from(JSON.stringify([idHash, tenant, caller, tool, argsDigest, card]));
}

/** Nonce, ciphertext and tag, base64url. The same card sealed again is another text. */
export function sealCard(id: string, call: SealedFor, card: number, entered: EnteredDetails): string {
  const plain = Buffer.from(JSON.stringify(entered));
  const padding = Buffer.alloc(PIECE_BYTES - (plain.length % PIECE_BYTES), ' ');
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyFrom(id), nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(boundBytes(call, card));
  const parts = [nonce, cipher.update(plain), cipher.update(padding), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(parts).toString('base64url');
}

/** @throws Error if it was changed, or sealed with another id or for another call or card */
export function openCard(id: string, call: SealedFor, card: number, sealed: string): EnteredDetails {
  const bytes = Buffer.from(sealed, 'base64url');
  const tagAt = bytes.length - TAG_BYTES;
  // Several base64url texts decode to the same bytes: only the one that was written is accepted.
  if (tagAt <= NONCE_BYTES || bytes.toString('base64url') !== sealed) throw new Error('a sealed card is not whole');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, keyFrom(id), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(boundBytes(call, card)).setAuthTag(bytes.subarray(tagAt));
  const plain = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, tagAt)), decipher.final()]);
  return JSON.parse(plain.toString()) as EnteredDetails;
}
