/**
 * Seals what travellers enter. The key is derived from the details id, which only the page's address and the call have:
 * nobody can open a card with the state, a copy of it or the state's own key.
 */

import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { EnteredDetails } from '../domain/people/traveler.ts';
import type { NewDetails } from './details-form.ts';

/** What a sealed card is bound to, besides its place in the form. */
type SealedFor = Pick<NewDetails, 'idHash' | 'tenant' | 'caller' | 'tool' | 'argsDigest'>;

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Cards are padded to a multiple of this, so that their length reveals neither names nor blank fields. */
const PIECE_BYTES = 512;

/** A new details id: 32 random bytes, base64url, 43 characters. */
export function newDetailsId(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 of an id, base64url. Only this is stored, never the id. */
export function hashId(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}

/** The key of an id, by HKDF-SHA256 (RFC 5869), so that the hash of the id does not lead to the key. */
function keyFrom(id: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', id, '', 'fareclerk details', 32));
}

/** The data that a card is authenticated with: it cannot be opened for another call or place. */
function boundBytes({ idHash, tenant, caller, tool, argsDigest }: SealedFor, card: number): Buffer {
  return Buffer.from(JSON.stringify([idHash, tenant, caller, tool, argsDigest, card]));
}

/** Seals a card: nonce, ciphertext and tag, base64url. Sealing the same card again gives another text. */
export function sealCard(id: string, call: SealedFor, card: number, entered: EnteredDetails): string {
  const plain = Buffer.from(JSON.stringify(entered));
  const padding = Buffer.alloc(PIECE_BYTES - (plain.length % PIECE_BYTES), ' ');
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyFrom(id), nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(boundBytes(call, card));
  const parts = [nonce, cipher.update(plain), cipher.update(padding), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(parts).toString('base64url');
}

/** Opens a card. @throws Error if it was changed, or sealed with another id or for another call or card */
export function openCard(id: string, call: SealedFor, card: number, sealed: string): EnteredDetails {
  const bytes = Buffer.from(sealed, 'base64url');
  const tagAt = bytes.length - TAG_BYTES;
  // Several base64url texts decode to the same bytes. Accepts only the text that was written.
  if (tagAt <= NONCE_BYTES || bytes.toString('base64url') !== sealed) throw new Error('a sealed card is not whole');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, keyFrom(id), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(boundBytes(call, card)).setAuthTag(bytes.subarray(tagAt));
  const plain = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, tagAt)), decipher.final()]);
  return JSON.parse(plain.toString()) as EnteredDetails;
}
