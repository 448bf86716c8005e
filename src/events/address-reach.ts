/**
 * Tells whether an address leads into the internet or into a private network, so that no address in a setting leads to
 * an internal server unnoticed.
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** `private`: reachable only for hosts that the operator names. `never`: not even for those. */
type Reach = 'public' | 'private' | 'never';

/** Makes a list of networks such as `10.0.0.0/8`. */
function networkList(version: 'ipv4' | 'ipv6', networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefixBits] = network.split('/');
    list.addSubnet(address, Number(prefixBits), version);
  }
  return list;
}

/** This host and its network, networks of providers, tests and examples (RFC 6890). */
const PRIVATE_IPV4 = networkList('ipv4', [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '127.0.0.0/8',
  '100.64.0.0/10',
  '198.18.0.0/15',
  '192.0.2.0/24',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '192.88.99.0/24',
]);

/** Unspecified, link-local, multicast and reserved addresses, and those at which clouds serve credentials. */
const NEVER_IPV4 = networkList('ipv4', [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '192.0.0.0/24',
  '100.100.100.200/32',
  '168.63.129.16/32',
]);

/** This host, and local networks. */
const PRIVATE_IPV6 = networkList('ipv6', ['::1/128', 'fc00::/7']);

/** Addresses at which clouds serve credentials. */
const NEVER_IPV6 = networkList('ipv6', ['fd00:ec2::254/128', 'fd20:ce::254/128']);

/** Addresses that the internet routes. */
const ROUTED_IPV6 = networkList('ipv6', ['2000::/3']);

/** The routed addresses that lead elsewhere: tunnels and examples. */
const UNTRUSTED_IPV6 = networkList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/** Addresses with an IPv4 address in their last 32 bits: mapped, and through a gateway (RFC 6052). */
const EMBEDDING_IPV6 = networkList('ipv6', ['::ffff:0:0/96', '64:ff9b::/96']);

/** Tells where an address leads. Exceptions come before the networks that contain them. @param address in numbers, without brackets */
export function addressReach(address: string): Reach {
  if (isIPv4(address)) return reachOfIPv4(address);
  if (!isIPv6(address) || address.includes('%')) return 'never';
  if (EMBEDDING_IPV6.check(address, 'ipv6')) return reachOfIPv4(embeddedIPv4(address));
  if (NEVER_IPV6.check(address, 'ipv6')) return 'never';
  if (PRIVATE_IPV6.check(address, 'ipv6')) return 'private';
  return ROUTED_IPV6.check(address, 'ipv6') && !UNTRUSTED_IPV6.check(address, 'ipv6') ? 'public' : 'never';
}

function reachOfIPv4(address: string): Reach {
  if (NEVER_IPV4.check(address)) return 'never';
  return PRIVATE_IPV4.check(address) ? 'private' : 'public';
}

/** The IPv4 address in the last two groups: 127.0.0.1 of `::ffff:7f00:1`, 0.0.0.1 of `64:ff9b::1`. */
function embeddedIPv4(address: string): string {
  // The URL parser writes every form of an address as groups of hexadecimal digits.
  const shortest = new URL(`http://[${address}]`).hostname.slice(1, -1);
  // It writes `::` for two zeros or more. Two are enough here, because only the last two groups count.
  const [high = 0, low = 0] = shortest
    .replace('::', ':0:0:')
    .split(':')
    .filter((group) => group !== '')
    .slice(-2)
    .map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
