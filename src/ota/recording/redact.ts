/**
 * A request or reply as it may be written down: protocol as it was, secrets gone, everything of a person by a stand-in.
 */
import { type FieldKind, fieldKind, isPlainText } from '../messages/field-kinds.ts';
import type { Pseudonyms } from './pseudonyms.ts';

export interface Redactor {
  /** Learns the people in a value, before it or anything beside it is written. */
  learn(value: unknown): void;
  /** Of a JSON value. */
  tree(value: unknown): unknown;
  /** Of a query or form, by name. */
  parameters(parameters: URLSearchParams): Record<string, string>;
  /** One more secret, as calls carry it: never written from now on. */
  hide(secret: string): void;
}

export interface RedactorOptions {
  readonly pseudonyms: Pseudonyms;
  /** Configured secrets: never written, wherever they turn up. */
  readonly secrets: readonly string[];
  /** {rest_url}: its links keep their form. */
  readonly restUrl?: string;
}

const DROPPED = '[dropped]';
/** Where the airline's own downloads are; a replay puts its own address there. */
export const REST_PLACEHOLDER = '{rest_url}';

/** Parts of documented download addresses (docs/wire/interface.md, Payment; docs/wire/notes.md, Addressing). */
const PATH_WORDS = new Set(['tickets', 'confirmation', 'download', 'passenger-segment', '']);
/** As interfaces name fields (`airTraveler`, `TPA_Extensions`), and not as people are named. */
const FIELD_NAME = /^(?:[a-z_][\w.-]{0,60}|[A-Z][A-Za-z]*_\w{0,60})$/;
/** Numbers below this are counts and codes; longer ones can be somebody's. */
const SMALL = 1_000;
/** Protocol words that can be somebody's name. */
const PROTOCOL = new Set([
  'male',
  'female',
  'unknown',
  'paid',
  'pending',
  'open',
  'other',
  'booking',
  'payment',
  'refund',
]);
const LEARNED_LENGTH = 4;

export function createRedactor({ pseudonyms, secrets, restUrl }: RedactorOptions): Redactor {
  /** Words of persons seen so far: they are replaced in fields of the protocol too. */
  const learned = new Set<string>();
  const hidden = new Set<string>();
  const hide = (secret: string): void => {
    if (secret.length > 3) hidden.add(secret);
  };
  secrets.forEach(hide);

  const learnWords = (text: string): void => {
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
      if (word.length >= LEARNED_LENGTH && !PROTOCOL.has(word)) learned.add(word);
    }
  };
  const holdsLearned = (text: string): boolean =>
    learned.size > 0 && (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).some((word) => learned.has(word));
  const holdsSecret = (text: string): boolean => [...hidden].some((secret) => text.includes(secret));

  function text(value: string, key: string, parent: string): string {
    if (holdsSecret(value)) return DROPPED;
    const kind = fieldKind(key, parent);
    if (kind === 'secret') return DROPPED;
    if (kind === 'plain') return isPlainText(key, value) && !holdsLearned(value) ? value : pseudonyms.of('text', value);
    if (kind === 'link') return value.split(' ').map(link).join(' ');
    if (key === 'value' && parent === 'comment' && /^\d{1,3}$/.test(value)) return value;
    if (key === 'error' && isReason(value)) return value;
    return pseudonyms.of(kind, value);
  }

  function learn(value: unknown, key = '', parent = ''): void {
    if (typeof value === 'string' || typeof value === 'number') {
      if (PERSONAL.has(fieldKind(key, parent))) learnWords(String(value));
    } else if (Array.isArray(value)) {
      for (const item of value) learn(item, key, parent);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value)) learn(item, name, key);
    }
  }

  function link(href: string): string {
    const url = URL.parse(href);
    if (url === null) return pseudonyms.of('text', href);
    const own = restUrl === undefined ? null : URL.parse(restUrl);
    const root = own?.pathname.replace(/\/+$/, '') ?? '';
    const isOwn = own?.origin === url.origin && url.pathname.startsWith(`${root}/`);
    const path = (isOwn ? url.pathname.slice(root.length) : url.pathname)
      .split('/')
      .map((part) => (PATH_WORDS.has(part) ? part : pseudonyms.of('text', decoded(part))))
      .join('/');
    const query = new URLSearchParams(parameters(url.searchParams)).toString();
    return `${isOwn ? REST_PLACEHOLDER : 'https://elsewhere.example'}${path}${query === '' ? '' : `?${query}`}`;
  }

  function parameters(given: URLSearchParams): Record<string, string> {
    return Object.fromEntries([...given].map(([name, value]) => [fieldName(name), text(value, name, 'query')]));
  }

  const fieldName = (name: string): string =>
    FIELD_NAME.test(name) && !holdsLearned(name) && !holdsSecret(name) ? name : pseudonyms.of('text', name);

  function number(value: number, key: string, parent: string): number {
    const kind = fieldKind(key, parent);
    if (kind === 'plain' || (kind === 'text' && Math.abs(value) < SMALL)) return value;
    const digits = pseudonyms.of(kind, String(value)).replace(/^0/, '1');
    return /^-?\d+(?:\.\d+)?$/.test(digits) ? Number(digits) : 0;
  }

  function tree(value: unknown, key = '', parent = ''): unknown {
    if (typeof value === 'string') return text(value, key, parent);
    if (typeof value === 'number') return number(value, key, parent);
    if (Array.isArray(value)) return value.map((item) => tree(item, key, parent));
    if (typeof value !== 'object' || value === null) return value;
    // An item of a list is known by the list's name, and so is what lies in it.
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [fieldName(name), tree(item, name, key)]));
  }

  return { learn: (value) => learn(value), tree: (value) => tree(value), parameters, hide };
}

const PERSONAL: ReadonlySet<FieldKind> = new Set(['name', 'email', 'phone', 'document', 'locator', 'ticket']);

/** HTTP reason phrases and OAuth error codes (RFC 6749, 5.2): words of the protocol. */
function isReason(text: string): boolean {
  return /^(?:invalid_\w{1,20}|unauthorized_client|unsupported_grant_type)$/.test(text) || REASONS.has(text);
}

const REASONS = new Set([
  'Bad Request',
  'Unauthorized',
  'Forbidden',
  'Not Found',
  'Method Not Allowed',
  'Conflict',
  'Unsupported Media Type',
  'Unprocessable Entity',
  'Unprocessable Content',
  'Too Many Requests',
  'Internal Server Error',
  'Bad Gateway',
  'Service Unavailable',
  'Gateway Timeout',
]);

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
