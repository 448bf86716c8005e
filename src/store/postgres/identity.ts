/**
 * Checks the server's certificate with `sslmode=verify-full`. The driver names no host to TLS if the address is an IP, and
 * Node then compares with `localhost`: it would accept any certificate for that name.
 */
import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';

export interface VerifiedTls {
  checkServerIdentity(name: string, certificate: PeerCertificate): Error | undefined;
}

/** Undefined if the address does not ask for verification. */
export function verifiedTls(url: string): VerifiedTls | undefined {
  if (!/[?&](?:sslmode|ssl)=verify-/.test(url)) return undefined;
  const hosts = hostsOf(url);
  const unnamed = hosts.filter((host) => isIP(host) !== 0);
  return {
    checkServerIdentity(name, certificate) {
      if (name !== 'localhost' || unnamed.length === 0) return checkServerIdentity(name, certificate);
      // The driver does not say which of several it reached: the certificate must be of one of them.
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
