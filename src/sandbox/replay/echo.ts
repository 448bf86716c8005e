/**
 * Makes recorded replies fit the present caller. A recording holds stand-ins for people, and times of its day; the caller
 * has other people on another day. Each request is matched with its recorded one, and replies are translated back.
 */
import { isRecord } from '../wire.ts';
import { type Kind, kindOf, timeOf } from './kinds.ts';

const ECHOED: ReadonlySet<Kind | undefined> = new Set([
  'name',
  'email',
  'phone',
  'document',
  'birth_date',
  'expiry_date',
]);
const DAY_MS = 86_400_000;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const INSTANT = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}.*)?$/;

export class Echo {
  readonly #whole = new Map<string, string>();
  readonly #words = new Map<string, string>();
  readonly #shiftMs: number;
  readonly #restUrl: string;

  /** @param shiftMs from the recording to now @param restUrl where downloads are */
  constructor(shiftMs: number, restUrl: string) {
    this.#shiftMs = shiftMs;
    this.#restUrl = restUrl;
  }

  /** Learns from one request which of the caller's values replace the recorded ones. */
  learn(recorded: unknown, actual: unknown, key = '', parent = ''): void {
    if (typeof recorded === 'string' && typeof actual === 'string') {
      if (ECHOED.has(kindOf(key, parent)) && recorded !== actual) this.#pair(recorded, actual);
    } else if (Array.isArray(recorded) && Array.isArray(actual)) {
      for (const [i, item] of recorded.entries()) this.learn(item, actual[i], key, parent);
    } else if (isRecord(recorded) && isRecord(actual)) {
      for (const [name, item] of Object.entries(recorded)) this.learn(item, actual[name], name, key);
    }
  }

  #pair(recorded: string, actual: string): void {
    this.#whole.set(recorded, actual);
    const [from, to] = [recorded.match(WORD) ?? [], actual.match(WORD) ?? []];
    if (from.length !== to.length) return;
    for (const [i, word] of from.entries()) this.#words.set(word.toLowerCase(), to[i] ?? '');
  }

  /** Translates a recorded reply for this caller. */
  reply(value: unknown, key = '', parent = ''): unknown {
    if (typeof value === 'string') return this.#text(value, key, parent);
    if (Array.isArray(value)) return value.map((item) => this.reply(item, key, parent));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.reply(item, name, key)]));
  }

  #text(value: string, key: string, parent: string): string {
    const time = timeOf(key);
    if (time !== undefined) return this.#shifted(value, time);
    const kind = kindOf(key, parent);
    if (kind === 'link') return this.#byWord(value).replaceAll('{rest_url}', this.#restUrl);
    if (!ECHOED.has(kind)) return value;
    return this.#whole.get(value) ?? this.#byWord(value);
  }

  /** Replies merge, cut or capitalise names: translates word by word, in the reply's letter case. */
  #byWord(value: string): string {
    return value.replace(WORD, (word) => {
      const known = this.#words.get(word.toLowerCase());
      if (known === undefined) return word;
      return word === word.toUpperCase() && /\p{L}/u.test(word) ? known.toUpperCase() : known;
    });
  }

  /** Travel dates move by whole days to keep the timetable; time limits move with the clock. */
  #shifted(value: string, kind: 'deadline' | 'travel'): string {
    const match = INSTANT.exec(value);
    const [, date = '', time = ''] = match ?? [];
    if (match === null) return value;
    if (kind === 'travel' || time === '') return this.day(date) + time;
    const at = Date.parse(value);
    return Number.isNaN(at) ? value : new Date(at + this.#shiftMs).toISOString();
  }

  /** Moves a recorded date to the present. */
  day(date: string): string {
    const days = Math.round(this.#shiftMs / DAY_MS) * DAY_MS;
    const at = Date.parse(`${date}T00:00:00Z`);
    return Number.isNaN(at) ? date : new Date(at + days).toISOString().slice(0, 10);
  }
}
