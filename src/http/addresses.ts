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
