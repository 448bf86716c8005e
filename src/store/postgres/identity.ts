/**
 * Checks the server's certificate with `sslmode=verify-full`. If the address is an IP, the driver gives TLS no
 * host name. Node would then compare with `localhost` and accept a certificate issued for `localhost`.
 */
import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';

/** Returns undefined if the address does not ask for verification. */
export function verifiedTls(url: string) {
  if (!/[?&](?:sslmode|ssl)=verify-/.test(url)) return undefined;
  const hosts = hostsOf(url);
  const unnamed = hosts.filter((host) => isIP(host) !== 0);
  return {
    checkServerIdentity(name: string, certificate: PeerCertificate): Error | undefined {
      if (name !== 'localhost' || unnamed.length === 0) return checkServerIdentity(name, certificate);
      // The driver does not say which host it reached, so the certificate must be for one of them.
      const meant = hosts.includes('localhost') ? [...unnamed, 'localhost'] : unnamed;
      const wrong = meant.map((host) => checkServerIdentity(host, certificate));
      return wrong.includes(undefined) ? undefined : wrong[0];
    },
  };
}

/** `postgres://user:password@host1:5432,[::1]:5433/name`: several hosts are no URL to Node. */
function hostsOf(url: string): readonly string[] {
  const authority = /^[a-z]+:\/\/(?:[^@/?]*@)?([^/?]*)/.exec(url)?.[1] ?? '';
  return authority.split(',').map((host) => host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1'));
}
