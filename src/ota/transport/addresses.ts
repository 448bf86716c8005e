/** Makes the address of each call, and checks that configured addresses are safe. */

import { ClerkError } from '../../core/errors.ts';
import { isLoopback, withoutBrackets } from '../../core/hosts.ts';
import { memoize } from '../../core/memoize.ts';
import { withoutTrailing } from '../../core/words.ts';

const MOST_ADDRESSES = 100;

/**
 * The parts of an address. Remembered, because most calls go to a few addresses, and each needs their parts several times. Throws
 * TypeError if the text is not an address.
 */
export const parseAddress = memoize((address: string): Readonly<URL> => new URL(address), MOST_ADDRESSES);

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

/** The folder of {base_url}, in which the messages are. */
function baseFolder({ pathname }: URL): string {
  return withoutTrailing(pathname, '/').replace(/(?<=\/v2015b)\/OTA$/i, '');
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
  url.pathname = withoutTrailing(url.pathname, '/') + path;
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
  const mayBePlain = scheme === 'http:' && isNear;
  if (url !== null && url.username === '' && url.password === '' && (scheme === 'https:' || mayBePlain)) return;

  throw new ClerkError('E_CONFIG', `${setting} is not an https address without credentials. Nothing was sent.`, {
    next: `Ask the operator to set ${setting} to an https address, or to name its host in FARECLERK_PRIVATE_HOSTS for a test system.`,
  });
}
