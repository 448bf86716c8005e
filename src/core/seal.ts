/** Seals bytes with a key that is derived from a secret: AES-256-GCM, by HKDF-SHA256 (RFC 5869). */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface SealedWith {
  readonly secret: string;
  /** What the key is for: a secret has another key for each purpose. */
  readonly purpose: string;
  /** What the text is authenticated with: it cannot be opened for anything else. */
  readonly boundTo: string;
}

function keyOf({ secret, purpose }: SealedWith): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32));
}

/** Nonce, ciphertext and tag, base64url. Sealing the same bytes again gives another text. */
export function sealBytes(plain: Uint8Array, sealedWith: SealedWith): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(sealedWith), nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(sealedWith.boundTo));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

/** @throws Error if the text was changed, or sealed with another secret, for another purpose, or bound to anything else */
export function openSealed(sealed: string, sealedWith: SealedWith): Buffer {
  const bytes = Buffer.from(sealed, 'base64url');
  const tagAt = bytes.length - TAG_BYTES;
  // Several base64url texts decode to the same bytes. Accepts only the text that was written.
  if (tagAt <= NONCE_BYTES || bytes.toString('base64url') !== sealed) throw new Error('a sealed text is not whole');

  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, keyOf(sealedWith), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(sealedWith.boundTo)).setAuthTag(bytes.subarray(tagAt));

  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, tagAt)), decipher.final()]);
}
