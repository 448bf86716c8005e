/**
 * Where each call goes.
 */
import { isLoopback } from '../../domain/time-and-text/loopback-host.ts';
import { ClerkError } from '../../errors.ts';

const SEAT_MAP_MESSAGE = 'OTA_AirSeatMapRQ';

/**
 * Address of the seat map call. docs/wire/interface.md gives it as `{base_url}/v2015b/OTA_AirSeatMapRQ`; where the base
 * already ends in `/v2015b` or `/v2015b/OTA`, the message stands in that folder (docs/wire/notes.md, Addressing).
 */
export function seatMapAddress(baseUrl: string, given?: string): string {
  if (given !== undefined) return given;
  const url = new URL(baseUrl);
  const folder = folderOf(url);
  url.pathname = /\/v2015b$/i.test(folder) ? `${folder}/${SEAT_MAP_MESSAGE}` : `${folder}/v2015b/${SEAT_MAP_MESSAGE}`;
  return url.href;
}

/**
 * Address of a message named by its path: `…/v2015b/OTA` becomes `…/v2015b/OTA_ReadRQ` (docs/wire/notes.md,
 * Addressing).
 */
export function messageAddress(baseUrl: string, message: string): string {
  const url = new URL(baseUrl);
  url.pathname = `${folderOf(url)}/${message}`;
  return url.href;
}

/** The path without a last element `OTA`, which the name of a message replaces. */
function folderOf({ pathname }: URL): string {
  return pathname.replace(/\/+$/, '').replace(/(?<=\/v2015b)\/OTA$/i, '');
}

/** `{gateway_url}` + path + query. Without a gateway: E_CONFIG that names the setting. */
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
 * Throws E_CONFIG unless the address is https, or http to loopback, or http is allowed. Also refuses credentials in the
 * address. `setting` is the variable to name.
 */
export function assertSecure(address: string, setting: string, allowHttp: boolean): void {
  const url = URL.parse(address);
  const scheme = url?.protocol;
  const plainAllowed = url !== null && scheme === 'http:' && (allowHttp || isLoopback(url.hostname));
  if (url !== null && url.username === '' && url.password === '' && (scheme === 'https:' || plainAllowed)) return;
  throw new ClerkError('E_CONFIG', `${setting} is not an https address without credentials. Nothing was sent.`, {
    next: `Ask the operator to set ${setting} to an https address, or to set FARECLERK_ALLOW_HTTP for a test system.`,
  });
}
