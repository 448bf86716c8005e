/**
 * Pseudonyms for personal data: the same word always gets the same one, of the same shape. Nobody can reverse them
 * without the key, which never leaves the state store.
 */
import { createHmac } from 'node:crypto';
import type { FieldKind } from '../messages/field-kinds.ts';

export interface Pseudonyms {
  /** Another text of the same shape. */
  of(kind: FieldKind, text: string): string;
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const TICKET = /^\d{13,14}$/;
const DATE = /^(\d{4})-(\d{2})-(\d{2})/;

/** @param key random bytes; the same key gives the same pseudonyms in every process */
export function createPseudonyms(key: Uint8Array): Pseudonyms {
  const known = new Map<string, string>();

  /** Bytes determined by the key and the word. Another `turn` gives other bytes. */
  const bytesOf = (word: string, turn: number): Buffer =>
    createHmac('sha512', key).update(`fareclerk recording ${turn} ${word}`).digest();

  function word(text: string): string {
    const cached = known.get(text);
    if (cached !== undefined) return cached;
    // HADDAD and Haddad get the same letters.
    const folded = text.toLowerCase();
    let turn = 0;
    let other = shaped(text, bytesOf(folded, turn));
    while (other.toLowerCase() === folded && turn < 8) {
      turn += 1;
      other = shaped(text, bytesOf(folded, turn));
    }
    known.set(text, other);
    return other;
  }

  const words = (text: string): string => text.replace(WORD, word);

  return {
    of(kind, text) {
      if (kind === 'email')
        return text.includes('@') ? `${words(text.slice(0, text.lastIndexOf('@')))}@example.com` : words(text);
      if (kind === 'birth_date') return birthDate(text, bytesOf(text, 0)) ?? words(text);
      if (kind === 'expiry_date') return expiryDate(text, bytesOf(text, 0)) ?? words(text);
      return words(text);
    },
  };
}

/** Letters become letters of the same case, digits digits. A ticket number keeps the three digits of its airline. */
function shaped(text: string, bytes: Buffer): string {
  const kept = TICKET.test(text) ? 3 : 0;
  return [...text]
    .map((character, i) => (i < kept ? character : other(character, bytes[i % bytes.length] ?? 0, i)))
    .join('');
}

function other(character: string, byte: number, place: number): string {
  const turn = byte + place * 7;
  if (/\p{N}/u.test(character)) return String(turn % 10);
  const letter = String.fromCharCode(97 + (turn % 26));
  if (/\p{M}/u.test(character)) return '';
  // A letter without case (Arabic, Hebrew, Han, …) becomes a small Latin one.
  return /\p{Lu}/u.test(character) ? letter.toUpperCase() : letter;
}

/** Another day within two years, so that the passenger type mostly still fits. */
function birthDate(text: string, bytes: Buffer): string | undefined {
  const match = DATE.exec(text);
  if (match === null) return undefined;
  const year = Number(match[1]) + ((bytes[0] ?? 0) % 5) - 2;
  const month = 1 + ((bytes[1] ?? 0) % 12);
  const day = 1 + ((bytes[2] ?? 0) % 28);
  const fresh = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  return fresh === text.slice(0, 10) ? `${fresh.slice(0, 8)}${two((day % 28) + 1)}` : fresh;
}

/** A later day, so that a valid document stays valid. */
function expiryDate(text: string, bytes: Buffer): string | undefined {
  if (!DATE.test(text)) return undefined;
  const at = Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(at)) return undefined;
  return new Date(at + (1 + (bytes.readUInt16BE(0) % 200)) * 86_400_000).toISOString().slice(0, 10);
}

const two = (number: number): string => String(number).padStart(2, '0');
