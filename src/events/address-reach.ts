/**
 * Says whether an address leads into the internet or into a private network, so that no address in a setting leads to
 * an internal server unnoticed.
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** `private`: reachable only for hosts that the operator names. `never`: not even for those. */
type Reach = 'public' | 'private' | 'never';

function blockList(version: 'ipv4' | 'ipv6', ...nets: string[]): BlockList {
  const list = new BlockList();
  for (const net of nets) {
    const [address = '', bits] = net.split('/');
    list.addSubnet(address, Number(bits), version);
  }
  return list;
}

/** This host and its network, networks of providers, tests and examples (RFC 6890). */
const PRIVATE_4 = blockList(
  'ipv4',
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8', '100.64.0.0/10', '198.18.0.0/15'],
  ...['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '192.88.99.0/24'],
);

/** Unspecified, link-local, multicast and reserved addresses, and those at which clouds serve credentials. */
const NEVER_4 = blockList(
  'ipv4',
  ...[
    '0.0.0.0/8',
    '169.254.0.0/16',
    '224.0.0.0/4',
    '240.0.0.0/4',
    '192.0.0.0/24',
    '100.100.100.200/32',
    '168.63.129.16/32',
  ],
);

const PRIVATE_6 = blockList('ipv6', '::1/128', 'fc00::/7');

const NEVER_6 = blockList('ipv6', 'fd00:ec2::254/128', 'fd20:ce::254/128');

/** Addresses that the internet routes. */
const GLOBAL_6 = blockList('ipv6', '2000::/3');

/** Those among them that lead elsewhere: tunnels and examples. */
const ELSEWHERE_6 = blockList('ipv6', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20');

/** Addresses with an IPv4 address in their last 32 bits: mapped, and through a gateway (RFC 6052). */
const EMBEDS_4 = blockList('ipv6', '::ffff:0:0/96', '64:ff9b::/96');

/** Where an address leads. @param address in numbers, without brackets */
export function addressReach(address: string): Reach {
  if (isIPv4(address)) return reachOfIPv4(address);
  if (!isIPv6(address) || address.includes('%')) return 'never';
  if (EMBEDS_4.check(address, 'ipv6')) return reachOfIPv4(embeddedIPv4(address));
  if (NEVER_6.check(address, 'ipv6')) return 'never';
  if (PRIVATE_6.check(address, 'ipv6')) return 'private';
  return GLOBAL_6.check(address, 'ipv6') && !ELSEWHERE_6.check(address, 'ipv6') ? 'public' : 'never';
}

function reachOfIPv4(address: string): Reach {
  if (NEVER_4.check(address)) return 'never';
  return PRIVATE_4.check(address) ? 'private' : 'public';
}

function embeddedIPv4(address: string): string {
  // The URL parser writes groups of hexadecimal digits, whatever the given form.
  const expanded = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [high = 0, low = 0] = expanded
    .replace(/::$/, ':0:0')
    .replace('::', ':')
    .split(':')
    .slice(-2)
    .map((group) => Number.parseInt(group || '0', 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
