/** The kinds of values that settings have. Each message says what was expected; none repeats a value. */

import { inspect } from 'node:util';
import * as z from 'zod';
import { withoutBrackets } from '../core/hosts.ts';
import { withoutTrailing } from '../core/words.ts';
import { isTimeZone } from '../core/zone.ts';
import { type NoticeTarget, noticeTarget } from '../domain/people/caller.ts';

/** Stands in place of a secret. */
export const MASK = '[secret]';

/** A secret that cannot be printed by accident: every conversion to text gives `[secret]`. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The secret itself, for the one place that sends it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [Symbol.toPrimitive](): string {
    return MASK;
  }

  [inspect.custom](): string {
    return MASK;
  }
}

const matching = (pattern: RegExp, expected: string) => z.string().regex(pattern, expected);
const upperCase = (pattern: RegExp, expected: string) => z.string().toUpperCase().regex(pattern, expected);
const list = () => z.string().transform((text): readonly string[] => text.split(',').map((item) => item.trim()));

function isAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return false;
  return url.protocol === 'https:' || url.protocol === 'http:';
}

/** An http or https address without user, password or fragment. Another rule decides whether plain http is allowed. */
export const address = z
  .string()
  .refine(isAddress, 'a whole https address, without a user name, password or #fragment');

/** An {@link address} to which paths are added: drops slashes at its end. */
export const addressPrefix = address.transform((text) => withoutTrailing(text, '/'));

/** The realm of an identity provider: `https://id.example/auth/realms/air`. Also accepts its token address. */
export const realmAddress = addressPrefix
  .transform((text) => text.replace(/\/protocol\/openid-connect\/token$/, ''))
  .refine(
    (text) => /\/realms\/(?:(?![/?%])[!-~])+$/.test(text),
    'a whole https address that ends in /realms/ and the name of the realm, in ASCII',
  );

/** Splits a {@link realmAddress} into `{auth_url}` and `{tenant}` (docs/wire/interface.md, Authentication). */
export function realmIn(url: string): { readonly authUrl: string; readonly tenant: string } {
  const [authUrl = '', tenant = ''] = url.split(/\/realms\/(?=[^/]+$)/);
  return { authUrl, tenant };
}

export const secret = z.string().transform((text) => new Secret(text));

export const headerSecret = matching(
  /^[\x21-\x7e]+$/,
  'visible ASCII characters without spaces: it travels in an HTTP header',
).transform((text) => new Secret(text));

/** A token that callers of this server send. */
export const callToken = matching(
  /^[\x21-\x7e]{32,}$/,
  'at least 32 visible ASCII characters without spaces, which nobody can guess: `openssl rand -hex 32` prints some',
).transform((text) => new Secret(text));

/** `postgres://…`; a secret, since it may hold a password. */
export const databaseUrl = matching(/^postgres(?:ql)?:\/\/\S+$/, 'an address that begins with postgres://').transform(
  (text) => new Secret(text),
);

export const plain = matching(/^[^\p{Cc}]+$/u, 'text without control characters').max(200, 'at most 200 characters');

/** Id of the seller. Rejects an address, which some manuals print in its place. */
export const sellerId = plain.refine(
  (text) => !/:\/\/|^www\./i.test(text),
  'the id that the airline gave the seller, such as A1, and not an address: every message carries it',
);

export const currency = upperCase(/^[A-Z]{3}$/, 'an ISO 4217 currency code of three letters, such as SAR');

export const country = upperCase(/^[A-Z]{2}$/, 'an ISO 3166 country code of two letters, such as SA');

export const carrier = upperCase(/^[A-Z0-9]{2,3}$/, 'a carrier code of two or three letters and digits, such as HHR');

/** An IANA name. */
export const timeZone = z.string().refine(isTimeZone, 'a name of the IANA list of time zones, such as Asia/Riyadh');

export const yesNo = z.enum(['true', 'false'], 'true or false').transform((text) => text === 'true');

/** Decimal digits of an amount, without a currency: that is a setting of its own. */
export const amount = matching(
  /^\d{1,12}(?:\.\d{1,3})?$/,
  'an amount in digits without a currency, such as 2500 or 2500.00',
);

/** A count; 0 is allowed. */
export function countOrNone(most: number) {
  return z
    .string()
    .refine((text) => /^\d{1,6}$/.test(text) && Number(text) <= most, `a whole number from 0 to ${most}`)
    .transform(Number);
}

/** Addresses, each like {@link address}. Secret, because an address may contain a key. */
export const addresses = list().refine(
  (items) => items.every(isAddress),
  'whole https addresses, without a user name, password or #fragment, with commas between them',
);

/** Targets of notices, each a form, `+` and an address: `slack+https://…`. */
export const noticeTargets = list()
  .refine(
    (items) => items.every((item) => isAddress(noticeTarget(item)?.address ?? '')),
    'slack+, teams+, ntfy+ or webhook+ and a whole https address each, with commas between them',
  )
  .transform((items): readonly NoticeTarget[] => items.flatMap((item) => noticeTarget(item) ?? []));

/** Names or numbers of hosts, spelt as a parsed address spells them. */
export const hosts = list().refine(
  (items) =>
    items.every((host) => {
      const url = URL.parse(`http://${host.includes(':') ? `[${host}]` : host}`);
      return url !== null && withoutBrackets(url.hostname) === host;
    }),
  'hosts without a port, in lower case, such as n8n or 10.0.0.7, with commas between them',
);

/** One or two secrets of 24 to 64 bytes, as the Standard Webhooks specification says. */
export const webhookSecrets = matching(
  /^whsec_[A-Za-z0-9+/]{32,88}={0,2}(?:,whsec_[A-Za-z0-9+/]{32,88}={0,2})?$/,
  'whsec_ and 24 to 64 random bytes in base64; two of them with a comma while one replaces the other',
).transform((text) => new Secret(text));

export function oneOf<const T extends readonly [string, ...string[]]>(...words: T) {
  return z.enum(words, alternatives(words));
}

/** `rail, airline or bus` */
export function alternatives(words: readonly string[], last = 'or'): string {
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
