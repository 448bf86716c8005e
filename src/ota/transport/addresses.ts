/** The address of each call. */

import { ClerkError } from '../../core/errors.ts';
import { isLoopback, withoutBrackets } from '../../core/hosts.ts';

/** Parsed already: most calls go to a few addresses, and each asks for parts of its own several times. */
const parsed = new Map<string, URL>();
const MOST_PARSED = 100;

/** The parts of an address. Throws TypeError if it is none. */
export function parseAddress(address: string): Readonly<URL> {
  const known = parsed.get(address) ?? new URL(address);
  if (parsed.size >= MOST_PARSED) parsed.clear();
  parsed.set(address, known);
  return known;
}

const SEAT_MAP_MESSAGE = 'OTA_AirSeatMapRQ';

/**
 * Address of the seat map call: `{base_url}/v2015b/OTA_AirSeatMapRQ`, or the message in the base's own folder if that is
 * `/v2015b` already (docs/wire/interface.md, Seat map; docs/wire/notes.md, Addressing).
 */
export function seatMapAddress(baseUrl: string): string {
  const isInFolder = /\/v2015b$/i.test(baseFolder(new URL(baseUrl)));
  return messageAddress(baseUrl, isInFolder ? SEAT_MAP_MESSAGE : `v2015b/${SEAT_MAP_MESSAGE}`);
}

/** `…/v2015b/OTA` becomes `…/v2015b/OTA_ReadRQ` (docs/wire/notes.md, Addressing). */
export function messageAddress(baseUrl: string, message: string): string {
  const url = new URL(baseUrl);
  url.pathname = `${baseFolder(url)}/${message}`;
  return url.href;
}

function baseFolder({ pathname }: URL): string {
  return pathname.replace(/\/+$/, '').replace(/(?<=\/v2015b)\/OTA$/i, '');
}

/** `{gateway_url}` + path + query. Throws E_CONFIG without a gateway. */
export function gatewayAddress(
  gatewayUrl: string | undefined,
  path: string,
  query: Readonly<Record<string, string>>,
): string {
  if (gatewayUrl === undefined) {
    throw new ClerkError('E_CONFIG', 'No schedule gateway address is set. Nothing was sent.', {
      next: 'Ask the operator to set FARECLERK_GATEWAY_URL.',
    });
  }
  const url = new URL(gatewayUrl);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Throws E_CONFIG unless the address is https, or http to loopback or a private host. Refuses credentials in it.
 * @param setting the variable that the error names
 */
export function assertSecure(address: string, setting: string, privateHosts: readonly string[]): void {
  const url = URL.parse(address);
  const scheme = url?.protocol;
  const isNear = url !== null && (isLoopback(url.hostname) || privateHosts.includes(withoutBrackets(url.hostname)));
  const plainAllowed = scheme === 'http:' && isNear;
  if (url !== null && url.username === '' && url.password === '' && (scheme === 'https:' || plainAllowed)) return;
  throw new ClerkError('E_CONFIG', `${setting} is not an https address without credentials. Nothing was sent.`, {
    next: `Ask the operator to set ${setting} to an https address, or to name its host in FARECLERK_PRIVATE_HOSTS for a test system.`,
  });
}
