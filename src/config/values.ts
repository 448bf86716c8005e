/**
 * Kinds of values that settings take. Every message says what was expected; none repeats a value.
 */
import * as z from 'zod';
import { isLoopback } from '../domain/time-and-text/loopback-host.ts';
import { Secret } from './secret.ts';

function isAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return false;
  return url.protocol === 'https:' || url.protocol === 'http:';
}

/** An http or https address without user, password or fragment; whether plain http is allowed is a rule of its own. */
export const address = () =>
  z.string().refine(isAddress, 'expected a whole https address, without a user name, password or #fragment');

/** As {@link address}; slashes at the end are dropped, because paths are added to it. */
export const addressPrefix = () => address().transform((text) => text.replace(/\/+$/, ''));

export const secret = () => z.string().transform((text) => new Secret(text));

/** A secret that travels in an HTTP header. */
export const headerSecret = () =>
  z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'expected visible ASCII characters without spaces: it travels in an HTTP header')
    .transform((text) => new Secret(text));

/** A word or name without control characters. */
export const plain = () =>
  z
    .string()
    .max(200, 'expected at most 200 characters')
    .regex(/^[^\p{Cc}]+$/u, 'expected text without control characters');

export const currency = () =>
  z
    .string()
    .toUpperCase()
    .regex(/^[A-Z]{3}$/, 'expected an ISO 4217 currency code of three letters, such as SAR');

export const country = () =>
  z
    .string()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, 'expected an ISO 3166 country code of two letters, such as SA');

export const carrier = () =>
  z
    .string()
    .toUpperCase()
    .regex(/^[A-Z0-9]{2,3}$/, 'expected a carrier code of two or three letters and digits, such as HHR');

/** An OpenTravel message name. */
export const messageName = () =>
  z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, 'expected a message name, such as OTA_AirPriceRQ');

export const yesNo = () => z.enum(['true', 'false'], 'expected true or false').transform((text) => text === 'true');

/** Decimal digits of an amount; the currency is known later. */
export const amount = () =>
  z
    .string()
    .regex(/^\d{1,12}(?:\.\d{1,3})?$/, 'expected an amount in digits without a currency, such as 2500 or 2500.00');

/** A duration in seconds, decimals allowed. Gives milliseconds. */
export function seconds(most: number) {
  return z
    .string()
    .refine(
      (text) => /^\d{1,6}(?:\.\d{1,3})?$/.test(text) && Number(text) > 0 && Number(text) <= most,
      `expected seconds: a number above 0 and at most ${most}`,
    )
    .transform((text) => Math.round(Number(text) * 1000));
}

function isLanguage(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

/** BCP 47. */
export const language = () => z.string().refine(isLanguage, 'expected a language tag, such as en or ar-SA');

export const toolsets = () =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine(
      (parts) => parts.includes('core') && parts.every((part) => part === 'core' || part === 'desk'),
      'expected core,desk or core',
    )
    .transform((parts): readonly ('core' | 'desk')[] => (parts.includes('desk') ? ['core', 'desk'] : ['core']));

export const EXTRA_HEADERS = ['x-realm', 'x-refresh-token'] as const;
export type ExtraHeader = (typeof EXTRA_HEADERS)[number];

/** Names of headers, in any case; their values follow from other settings. */
export const extraHeaders = () =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim().toLowerCase()))
    .refine(
      (parts) => parts.every((part) => EXTRA_HEADERS.some((known) => known === part)),
      'expected X-Realm, X-Refresh-Token or both, with a comma between them',
    )
    .transform((parts): readonly ExtraHeader[] => EXTRA_HEADERS.filter((known) => parts.includes(known)));

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.origin !== text) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

/** Origins of web sites (RFC 6454), as browsers write them. */
export const origins = () =>
  z
    .string()
    .transform((text): readonly string[] => text.split(',').map((part) => part.trim()))
    .refine(
      (parts) => parts.every(isOrigin),
      'expected https origins such as https://app.example, with commas between them',
    );

export function oneOf<const T extends readonly [string, ...string[]]>(...words: T) {
  return z.enum(words, `expected ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);
}

/** `postgres://…`; a secret, since it may hold a password. */
export const databaseUrl = () =>
  z
    .string()
    .regex(/^postgres(?:ql)?:\/\/\S+$/, 'expected an address that begins with postgres://')
    .transform((text) => new Secret(text));
