/**
 * Whether an address can be reached at all: its name, a connection, and a certificate that is good for it.
 */
import { lookup } from 'node:dns/promises';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import { cleanText } from '../../domain/time-and-text/clean-text.ts';
import { good, toMend, type Verdict, warning } from './check.ts';

export interface Address {
  /** Variables that point here, the first of them named in what is to be mended. */
  readonly settings: readonly string[];
  readonly url: URL;
}

export interface NetworkOptions {
  /** Certificate authorities to trust instead of the platform's, PEM. */
  readonly ca?: string | undefined;
  readonly timeoutMs?: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const TIMEOUT_MS = 5_000;
const DAY_MS = 86_400_000;
/** A certificate that ends sooner than this is told of. */
const SOON_DAYS = 21;

export async function reach(address: Address, options: NetworkOptions): Promise<Verdict> {
  const { url, settings } = address;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const named = await resolve(host, settings);
  if (typeof named !== 'string') return named;
  const port = portOf(url);
  const socket = await open(() => connectTcp({ host, port }), 'connect', options);
  if (!(socket instanceof Error)) socket.destroy();
  else return unconnected(socket, `${url.hostname} port ${port}`, address);
  if (url.protocol !== 'https:')
    return good(`${url.hostname} (${named}) takes connections; plain http, nothing encrypted`);
  return secured(host, port, named, address, options);
}

const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '');

/** Addresses of the name in words, or what is wrong with it. */
async function resolve(host: string, settings: readonly string[]): Promise<string | Verdict> {
  try {
    const found = await lookup(host, { all: true });
    return found[0]?.address ?? '';
  } catch (error) {
    const code = error instanceof Error ? codeOf(error) : '';
    const said =
      code === 'EAI_AGAIN'
        ? `The name ${host} could not be looked up: no name server answered.`
        : `There is no host named ${host}.`;
    const name = settings.join(', ');
    return toMend(
      'host_unknown',
      said,
      `Check the spelling of ${name}, and that this machine's DNS knows the host (a VPN may be needed).`,
    );
  }
}

/** A connected socket, or the error that came instead. */
function open<T extends Socket>(
  make: () => T,
  event: string,
  { timeoutMs = TIMEOUT_MS }: NetworkOptions,
): Promise<T | Error> {
  return new Promise((resolve) => {
    const socket = make();
    const end = (result: T | Error): void => {
      clearTimeout(timer);
      if (result instanceof Error) socket.destroy();
      resolve(result);
    };
    const timer = setTimeout(() => end(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })), timeoutMs);
    socket.once(event, () => end(socket));
    socket.on('error', end);
    socket.once('close', () => end(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  });
}

function unconnected(error: Error, where: string, { settings }: Address): Verdict {
  const name = settings.join(', ');
  const code = codeOf(error);
  if (code === 'ECONNREFUSED') {
    return toMend('connection_refused', `Nothing listens at ${where}.`, `Check host and port in ${name}.`);
  }
  if (code === 'ETIMEDOUT') {
    return toMend(
      'connection_timeout',
      `${where} does not answer: a firewall may be dropping the connection.`,
      `Ask for this machine's address to be let through to ${where}, or check ${name}.`,
    );
  }
  return toMend(
    'connection_failed',
    `No connection to ${where} (${code || 'no reason given'}).`,
    `Check ${name} and the network.`,
  );
}

async function secured(
  host: string,
  port: number,
  ip: string,
  address: Address,
  options: NetworkOptions,
): Promise<Verdict> {
  const { ca, now } = options;
  const handshake = (verify: boolean): (() => TLSSocket) => {
    const trusted = ca === undefined ? {} : { ca };
    const servername = /[a-z]/i.test(host) && !host.includes(':') ? { servername: host } : {};
    return () =>
      connectTls({ host, port, rejectUnauthorized: verify, ALPNProtocols: ['http/1.1'], ...servername, ...trusted });
  };
  const socket = await open(handshake(true), 'secureConnect', options);
  if (socket instanceof Error) {
    // Once more without judging, and without sending anything: to say what the certificate is.
    const shown = await open(handshake(false), 'secureConnect', options);
    const certificate = shown instanceof Error ? undefined : shown.getPeerCertificate(true);
    if (!(shown instanceof Error)) shown.destroy();
    return unsafe(socket, certificate, `${host} port ${port}`, address);
  }
  const { valid_to: end } = socket.getPeerCertificate();
  const protocol = socket.getProtocol() ?? 'TLS';
  socket.destroy();
  const days = Math.floor((Date.parse(end) - now()) / DAY_MS);
  const said = `${host} (${ip}), ${protocol}, certificate good until ${dayOf(end)}`;
  if (days >= SOON_DAYS || Number.isNaN(days)) return good(said);
  return warning(
    'tls_expires_soon',
    `${said}: ${days} days from now.`,
    'Tell whoever runs the address; nothing to change here.',
  );
}

function dayOf(text: string): string {
  const at = Date.parse(text);
  return Number.isNaN(at) ? 'a day that cannot be read' : new Date(at).toISOString().slice(0, 10);
}

type Shown = DetailedPeerCertificate | undefined;

function unsafe(error: Error, certificate: Shown, where: string, { settings }: Address): Verdict {
  const name = settings.join(', ');
  const code = codeOf(error);
  const { subject, issuer, valid_from: from = '', valid_to: to = '', subjectaltname } = certificate ?? {};
  const names = certified(subjectaltname?.replaceAll(/(?:DNS|IP Address):/g, '') || one(subject?.CN));
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return toMend(
        'tls_expired',
        `The certificate of ${where} ended on ${dayOf(to)}.`,
        `Whoever runs ${name} must renew it; also check this machine's clock.`,
      );
    case 'CERT_NOT_YET_VALID':
      return toMend(
        'tls_not_yet_valid',
        `The certificate of ${where} begins on ${dayOf(from)}.`,
        "Check this machine's clock first; then ask whoever runs the address.",
      );
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return toMend(
        'tls_wrong_name',
        `The certificate of ${where} is for ${names}, not for this name.`,
        `Use the name that the certificate has in ${name}, or a proxy stands between.`,
      );
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return toMend(
        'tls_unknown_issuer',
        `The certificate of ${where} was issued by "${certified(one(issuer?.CN) || one(issuer?.O))}", whom this machine does not trust.`,
        'Where a company proxy or a private authority is meant, name its certificate file in NODE_EXTRA_CA_CERTS; else do not connect.',
      );
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
    case 'EPROTO':
      return toMend('tls_not_spoken', `${where} answers, but not in TLS.`, `Check the port and https in ${name}.`);
    default:
      return toMend(
        'tls_failed',
        `No secure connection to ${where} (${code || 'no reason given'}).`,
        `Check ${name}; a firewall or proxy may be cutting it.`,
      );
  }
}

/** A stranger's name, fit to stand in a sentence of ours. */
function certified(names: string): string {
  return cleanText(names, 100).replace(/[^\p{L}\p{N}.*:, _()-]/gu, '') || 'nobody';
}

/** A name of a certificate can come several times. */
function one(name: string | string[] | undefined): string {
  return (Array.isArray(name) ? name[0] : name) ?? '';
}
