/** Checks whether a host can be reached, and its certificate. */
import { connect as connectTcp } from 'node:net';
import { connect as connectTls, type PeerCertificate, TLSSocket } from 'node:tls';
import { cleanText } from '../../core/clean-text.ts';
import { withoutBrackets } from '../../core/hosts.ts';
import { own } from '../../core/own.ts';
import { utcDay } from '../../core/times.ts';
import { type CheckOutcome, type FindingName, finding, good } from './findings.ts';

/** Limit for a connection. */
const CONNECT_MS = 5_000;

/** The finding for an error before the connection, by its code. Any other: `connection_failed`. */
const CONNECTING: Readonly<Record<string, FindingName>> = {
  ENOTFOUND: 'host_unknown',
  ECONNREFUSED: 'connection_refused',
};
/** The finding for an error after the connection, by its code. Any other: `tls_failed`. */
const HANDSHAKE: Readonly<Record<string, FindingName>> = {
  CERT_HAS_EXPIRED: 'tls_expired',
  CERT_NOT_YET_VALID: 'tls_not_yet_valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_wrong_name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_unknown_issuer',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_unknown_issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls_unknown_issuer',
  UNABLE_TO_GET_ISSUER_CERT: 'tls_unknown_issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls_unknown_issuer',
};

/** Connects to the host of an address, sends nothing and closes. @param setting the setting that names it */
export function checkHost(address: string, setting: string, ca: string | undefined): Promise<CheckOutcome> {
  const url = new URL(address);
  const isSecure = url.protocol === 'https:';
  const host = withoutBrackets(url.hostname);
  const port = Number(url.port || (isSecure ? 443 : 80));
  const servername = /[a-z]/i.test(host) && !host.includes(':') ? host : undefined;
  // Accepts untrusted certificates too, to say what is wrong with them.
  const tls = { rejectUnauthorized: false, ALPNProtocols: ['http/1.1'], servername, ca };
  return new Promise((resolve) => {
    const socket = isSecure ? connectTls({ host, port, ...tls }) : connectTcp({ host, port });
    let isConnected = false;
    const end = (found: CheckOutcome): void => {
      clearTimeout(timer);
      resolve(found);
      socket.destroy();
    };
    const fail = (code: string, facts: object = {}): void => {
      const name = isConnected
        ? (own(HANDSHAKE, code) ?? 'tls_failed')
        : (own(CONNECTING, code) ?? 'connection_failed');
      end(finding(name, { ...facts, host, code, setting, where: `${host} port ${port}` }));
    };
    const timer = setTimeout(() => fail('ETIMEDOUT'), CONNECT_MS);
    socket.once('connect', () => {
      isConnected = true;
      if (!isSecure) end(good(`${host} (${socket.remoteAddress}) accepts connections over plain http, not encrypted`));
    });
    socket.once('secureConnect', () => {
      if (!(socket instanceof TLSSocket)) return;
      const certificate = certificateFacts(socket.getPeerCertificate());
      if (!socket.authorized) return fail(String(socket.authorizationError), certificate);
      const valid = `certificate valid until ${certificate.to}`;
      end(good(`${host} (${socket.remoteAddress}), ${socket.getProtocol() ?? 'TLS'}, ${valid}`));
    });
    socket.on('error', (error) => fail('code' in error ? String(error.code) : 'no reason given'));
    socket.once('close', () => fail('ECONNRESET'));
  });
}

function certificateFacts({ subject, issuer, subjectaltname, valid_from, valid_to }: PeerCertificate) {
  return {
    from: certificateDay(valid_from),
    to: certificateDay(valid_to),
    names: certificateName(subjectaltname?.replaceAll(/(?:DNS|IP Address):/g, '') ?? subject?.CN),
    issuer: certificateName(issuer?.CN ?? issuer?.O),
  };
}

function certificateDay(text: string): string {
  const at = Date.parse(text);
  return Number.isNaN(at) ? 'a day that cannot be read' : utcDay(at);
}

/** Cleans a name from a certificate, which can have several, for our own sentences. */
const certificateName = (names: string | readonly string[] = ''): string =>
  cleanText([names].flat()[0] ?? '', 100).replace(/[^\p{L}\p{N}.*:, _()-]/gu, '') || 'nobody';
