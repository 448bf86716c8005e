/**
 * Whether a host is this machine, by its name or its number: names are not resolved. `localhost` and names under it
 * (RFC 6761, section 6.3), 127.0.0.0/8 and ::1; brackets of an address in a URL make no difference.
 */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return /^(?:(?:[a-z\d-]+\.)*localhost|127(?:\.(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])){3}|::1|\[::1\])$/.test(name);
}
