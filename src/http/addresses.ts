/**
 * The values of Host and Origin that a request may carry: exact lists, against DNS rebinding and requests from other sites. Also reads
 * the address at the other end of a connection.
 */

import { isLoopback } from '../core/hosts.ts';
import { withoutTrailing } from '../core/words.ts';

interface AddressOptions {
  readonly host: string;
  /** The port that was bound. */
  readonly port: number;
  /** Without a slash at the end. */
  readonly publicUrl?: string;
}

export interface ServerAddresses {
  /** Accepted values of the Host header, lower case. */
  readonly hosts: ReadonlySet<string>;
  /** Those of {@link hosts} that only the public address has. */
  readonly publicHosts: ReadonlySet<string>;
  /** Accepted origins: our own. */
  readonly origins: ReadonlySet<string>;
  /** Path of the public address: `/desk`, or empty. */
  readonly base: string;
}

/** Matches an address that binds all interfaces. */
const ALL_INTERFACES = /^(?:0\.0\.0\.0|::|\[::\])$/;

/** Whether the other end of a connection is this machine. */
export function isLoopbackPeer(address: string | undefined): boolean {
  // IPv4 on a socket of both families.
  return address !== undefined && isLoopback(address.replace(/^::ffff:/, ''));
}

/** Lists the addresses of a server by what it binds and by its public address. */
export function serverAddresses({ host, port, publicUrl }: AddressOptions): ServerAddresses {
  const url = publicUrl === undefined ? undefined : new URL(publicUrl);
  const local = isLoopback(host) || ALL_INTERFACES.test(host) ? ['127.0.0.1', 'localhost', '[::1]'] : [];
  const bound = ALL_INTERFACES.test(host) ? [] : [bracketed(host)];
  const localHosts = [...new Set([...local, ...bound])].flatMap((name) => withPort(name, port, 80));
  const allPublicHosts = url ? withPort(url.hostname, Number(url.port) || defaultPort(url), defaultPort(url)) : [];
  return {
    hosts: new Set([...localHosts, ...allPublicHosts]),
    publicHosts: new Set(allPublicHosts.filter((name) => !localHosts.includes(name))),
    origins: new Set([...localHosts.map((name) => `http://${name}`), ...(url ? [url.origin] : [])]),
    base: url === undefined ? '' : withoutTrailing(url.pathname, '/'),
  };
}

/** Writes a host with its port. The default port of the scheme may be left out. */
function withPort(name: string, port: number, schemePort: number): string[] {
  const lower = name.toLowerCase();
  return port === schemePort ? [lower, `${lower}:${port}`] : [`${lower}:${port}`];
}

function defaultPort({ protocol }: URL): number {
  return protocol === 'https:' ? 443 : 80;
}

/** Writes a host as in a URL: an IPv6 address in brackets. */
export function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/**
 * The key by which requests of an address are counted: of IPv6 the /64, because each user has a whole one (RFC 6177).
 * - `192.0.2.7` and `::ffff:192.0.2.7`, the same on a socket of both families: `192.0.2.7`
 * - `2001:db8::7` and `2001:db8::7%eth0`: `2001:db8:0:0::/64`
 */
export function addressKey(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (v4 !== undefined) return v4;
  if (!address.includes(':')) return address;
  const [withoutZone = ''] = address.split('%', 1);
  return `${ipv6Groups(withoutZone).slice(0, 4).join(':')}::/64`;
}

/** Writes out the groups of an IPv6 address: `::` stands for as many zeros as are missing from eight. */
function ipv6Groups(address: string): readonly string[] {
  const [before = [], after] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  if (after === undefined) return before;
  const missing = Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array<string>(missing).fill('0'), ...after];
}
