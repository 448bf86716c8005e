/** Classifies the hosts of addresses without resolving names. */

/**
 * Whether a host is this machine: `localhost` and names under it (RFC 6761, section 6.3),
 * 127.0.0.0/8 and ::1, with or without brackets.
 */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return /^(?:(?:[a-z\d-]+\.)*localhost|127(?:\.(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])){3}|::1|\[::1\])$/.test(name);
}

/** An IPv6 address without the brackets that it has in a URL; any other host as it is. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}
