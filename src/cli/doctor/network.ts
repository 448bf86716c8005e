/** Checks whether a host can be reached, and its certificate. */
import { connect as connectTcp } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { cleanText } from '../../core/clean-text.ts';
import { withoutBrackets } from '../../core/hosts.ts';
import { utcDay } from '../../core/times.ts';
import { type CheckOutcome, finding, good } from './check-outcomes.ts';

/** Limit for a connection. */
const CONNECT_MS = 5_000;

/** Codes of errors about the certificate of a host (OpenSSL, Node.js). */
const ABOUT_CERTIFICATE = /CERT|VERIFY|ALTNAME/;

/** Connects to the host of an address, sends nothing and closes. @param setting the setting that names it */
export function checkHost(address: string, setting: string, ca: string | undefined): Promise<CheckOutcome> {
  const url = new URL(address);
  const isSecure = url.protocol === 'https:';
  const host = withoutBrackets(url.hostname);
  const port = Number(url.port || (isSecure ? 443 : 80));
  const servername = /[a-z]/i.test(host) && !host.includes(':') ? host : undefined;
  const tls = { ALPNProtocols: ['http/1.1'], servername, ca };

  return new Promise((resolve) => {
    const socket = isSecure ? connectTls({ host, port, ...tls }) : connectTcp({ host, port });
    const end = (found: CheckOutcome): void => {
      clearTimeout(timer);
      resolve(found);
      socket.destroy();
    };

    const fail = (code: string, words = ''): void => {
      const name = ABOUT_CERTIFICATE.test(code) ? 'tls_certificate' : 'connection_failed';
      end(finding(name, { code, words, setting, where: `${host} port ${port}` }));
    };

    const timer = setTimeout(() => fail('ETIMEDOUT'), CONNECT_MS);
    socket.once('connect', () => {
      if (!isSecure) end(good(`${host} (${socket.remoteAddress}) accepts connections over plain http, not encrypted`));
    });

    socket.once('secureConnect', () => {
      if (!(socket instanceof TLSSocket)) return;
      const validTo = Date.parse(socket.getPeerCertificate().valid_to);
      const valid = `certificate valid until ${utcDay(validTo)}`;
      end(good(`${host} (${socket.remoteAddress}), ${socket.getProtocol() ?? 'TLS'}, ${valid}`));
    });

    socket.on('error', (error: NodeJS.ErrnoException) => {
      // Node's words may quote names from the certificate.
      fail(error.code ?? 'no reason given', cleanText(error.message, 200).replace(/[^\p{L}\p{N}.*:,;'/ _()-]/gu, ''));
    });

    socket.once('close', () => fail('ECONNRESET'));
  });
}
