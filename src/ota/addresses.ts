/**
 * Where each call goes.
 */
import { isLoopback } from '../domain/loopback.ts';
import { ClerkError } from '../errors.ts';

const SEAT_MAP_MESSAGE = 'OTA_AirSeatMapRQ';

/**
 * Address of the seat map call. interface.md gives it as `{base_url}/v2015b/OTA_AirSeatMapRQ`; a base that already ends
 * in `/v2015b` or `/v2015b/OTA` has the message beside it (field-notes.md, addressing).
 */
export function seatMapAddress(baseUrl: string, given?: string): string {
  if (given !== undefined) return given;
  const url = new URL(baseUrl);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = /\/v2015b(\/OTA)?$/.test(path) ? `${path}/${SEAT_MAP_MESSAGE}` : `${path}/v2015b/${SEAT_MAP_MESSAGE}`;
  return url.href;
}

/** Address of a message where its name stands in the path: `{base_url}/OTA_ReadRQ` (field-notes.md, addressing). */
export function messageAddress(baseUrl: string, message: string): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${message}`;
  return url.href;
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
