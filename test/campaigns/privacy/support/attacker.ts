/**
 * Who has every file and row that was kept, and the code, but not the state's key: tries candidates for one value of a person,
 * in every text of which a digest is made, and looks for that digest in all that was kept.
 */
import { createHmac, hash } from 'node:crypto';

/** A text around a value that is looked for; the value may be there several times. */
export interface Template {
  readonly parts: readonly string[];
  /** As the text writes the value. */
  readonly written: (value: string) => string;
}

/** Digests are looked for by so many bytes: shorter ones are cut from longer ones. */
const BYTES = 6;
const HEX = BYTES * 2;
const BASE64 = (BYTES * 8) / 6;
/** Characters that prove a hit: 72 bits. */
const PROOF = 12;
const HEX_PROOF = 18;

/** How a text may write a value: as given, folded as names are, in small letters, its digits only. */
const WRITINGS: readonly ((value: string) => string)[] = [
  (value) => value,
  (value) =>
    value
      .normalize('NFKD')
      .toUpperCase()
      .replace(/[^\p{L}\p{N}]/gu, ''),
  (value) => value.toLowerCase(),
  (value) => value.toUpperCase(),
];

/** The value alone in each writing, and every text that has it: without the value, an attacker may know all of it. */
export function templatesFor(value: string, texts: readonly string[]): readonly Template[] {
  const found = new Map<string, Template>();
  for (const written of WRITINGS) {
    for (const text of [written(value), ...texts]) {
      const parts = text.split(written(value));
      const key = `${parts.join('\0')}\0${written === WRITINGS[0] ? '' : written('Aa-1')}`;
      if (parts.length > 1 && !found.has(key)) found.set(key, { parts, written });
    }
  }
  return [...found.values()].toSorted((a, b) => lengthOf(a) - lengthOf(b));
}

const lengthOf = ({ parts }: Template) => parts.join('').length;

type Digester = (text: string) => Buffer;

export class Attacker {
  readonly #hex: string;
  readonly #base64: string;
  readonly #beginnings = new Set<number>();
  readonly #digesters: readonly Digester[];
  tries = 0;

  /** @param keys that the code or the files show */
  constructor(kept: string, keys: readonly string[]) {
    this.#hex = kept.toLowerCase();
    this.#base64 = kept.replaceAll('-', '+').replaceAll('_', '/');
    // A database stores texts without anything between them: a digest may begin at each character.
    for (const [run] of this.#hex.matchAll(/[0-9a-f]{12,}/g)) this.#begin(run, 'hex', HEX);
    for (const [run] of this.#base64.matchAll(/[A-Za-z0-9+/]{8,}/g)) this.#begin(run, 'base64', BASE64);
    this.#digesters = [
      ...['sha256', 'sha1', 'md5', 'sha512'].map((name) => (text: string) => hash(name, text, 'buffer')),
      ...['', ...keys].map((key) => (text: string) => createHmac('sha256', key).update(text).digest()),
    ];
  }

  /** The first candidate that a kept digest proves. */
  find(candidates: Iterable<string>, { parts, written }: Template, digesters = this.#digesters): string | undefined {
    for (const candidate of candidates) {
      const text = parts.join(written(candidate));
      for (const digester of digesters) {
        this.tries += 1;
        const digest = digester(text);
        if (this.#beginnings.has(digest.readUIntBE(0, BYTES)) && this.#isKept(digest)) return candidate;
      }
    }
    return undefined;
  }

  /** The same with the plain digests alone, which are the quickest to try. */
  findPlain(candidates: Iterable<string>, template: Template): string | undefined {
    return this.find(candidates, template, this.#digesters.slice(0, 2));
  }

  #begin(run: string, encoding: 'hex' | 'base64', length: number): void {
    for (let at = 0; at + length <= run.length; at += 1)
      this.#beginnings.add(Buffer.from(run.slice(at, at + length), encoding).readUIntBE(0, BYTES));
  }

  #isKept(digest: Buffer): boolean {
    const hex = digest.toString('hex').slice(0, HEX_PROOF);
    return this.#base64.includes(digest.toString('base64').slice(0, PROOF)) || this.#hex.includes(hex);
  }
}
