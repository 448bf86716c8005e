/**
 * Whose certificate is taken with `sslmode=verify-full`. The driver names no host to TLS where the address is an IP, and
 * Node then compares with `localhost`: any certificate for that name would do.
 */
import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';

export interface VerifiedTls {
  checkServerIdentity(name: string, certificate: PeerCertificate): Error | undefined;
}

/** Undefined where the address does not ask for a certificate to be verified. */
export function verifiedTls(url: string): VerifiedTls | undefined {
  if (!/[?&](?:sslmode|ssl)=verify-/.test(url)) return undefined;
  const hosts = hostsOf(url);
  const unnamed = hosts.filter((host) => isIP(host) !== 0);
  return {
    checkServerIdentity(name, certificate) {
      if (name !== 'localhost' || unnamed.length === 0) return checkServerIdentity(name, certificate);
      // Which of several was reached is not told: it must be one that was named.
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
