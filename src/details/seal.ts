/**
 * Seals what travellers enter. The key is derived from the details id, which only the page's address and the call have:
 * nobody can open a card with the state, a copy of it or the state's own key.
 */

import { createHash, randomBytes } from 'node:crypto';
import { openSealed, type SealedWith, sealBytes } from '../core/seal.ts';
import type { EnteredDetails } from '../domain/people/traveler.ts';
import type { NewDetails } from './details-form.ts';

/** What a sealed card is bound to, besides its place in the form. */
type SealedFor = Pick<NewDetails, 'idHash' | 'tenant' | 'caller' | 'tool' | 'argsDigest'>;

/** Cards are padded to a multiple of this, so that their length reveals neither names nor blank fields. */
const PIECE_BYTES = 512;

/** A new details id: 32 random bytes, base64url, 43 characters. */
export function newDetailsId(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 of an id, base64url. Only this is stored, never the id. It does not lead to the key. */
export function hashId(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}

/** A card cannot be opened for another call or place. */
function sealedWith(id: string, { idHash, tenant, caller, tool, argsDigest }: SealedFor, card: number): SealedWith {
  const boundTo = JSON.stringify([idHash, tenant, caller, tool, argsDigest, card]);
  return { secret: id, purpose: 'fareclerk details', boundTo };
}

export function sealCard(id: string, call: SealedFor, card: number, entered: EnteredDetails): string {
  const plain = Buffer.from(JSON.stringify(entered));
  const padding = Buffer.alloc(PIECE_BYTES - (plain.length % PIECE_BYTES), ' ');
  return sealBytes(Buffer.concat([plain, padding]), sealedWith(id, call, card));
}

/** Opens a card. @throws Error if it was changed, or sealed with another id or for another call or card */
export function openCard(id: string, call: SealedFor, card: number, sealed: string): EnteredDetails {
  return JSON.parse(openSealed(sealed, sealedWith(id, call, card)).toString()) as EnteredDetails;
}
