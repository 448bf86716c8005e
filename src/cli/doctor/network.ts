/**
 * Checks whether an address can be reached: its name, a connection and a valid certificate; for those that get events,
 * where the name leads.
 */

import { lookup } from 'node:dns/promises';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls, type PeerCertificate, TLSSocket } from 'node:tls';
import type { Config } from '../../config/load.ts';
import { cleanText } from '../../core/clean-text.ts';
import { withoutBrackets } from '../../core/hosts.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { own } from '../../core/own.ts';
import { DAY_MS } from '../../core/times.ts';
import { reachOf } from '../../events/networks.ts';
import { type Check, type CheckOutcome, type FindingKey, finding, good, mild } from './check.ts';
import type { DoctorOptions } from './visit.ts';

type NetworkOptions = Pick<DoctorOptions, 'ca' | 'now'> & { readonly timeoutMs?: number };

const SOON_DAYS = 21;

/** By error code, before the connection. */
const CONNECTING: Readonly<Record<string, FindingKey>> = {
  ENOTFOUND: 'host_unknown',
  EAI_AGAIN: 'host_unknown.no_dns',
  ECONNREFUSED: 'connection_refused',
  ETIMEDOUT: 'connection_timeout',
};
/** By error code, after the connection. */
const HANDSHAKE: readonly (readonly [RegExp, FindingKey])[] = [
  [/^CERT_HAS_EXPIRED$/, 'tls_expired'],
  [/^CERT_NOT_YET_VALID$/, 'tls_not_yet_valid'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'tls_wrong_name'],
  [/SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT/, 'tls_unknown_issuer'],
  [/^(?:ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|EPROTO)$/, 'tls_not_spoken'],
  [/./, 'tls_failed'],
];

export async function checkAddress(
  { url, settings }: { readonly url: URL; readonly settings: readonly string[] },
  options: NetworkOptions,
): Promise<CheckOutcome> {
  const { code, connected, ip, protocol, certificate } = await connect(url, options);
  const host = withoutBrackets(url.hostname);
  const { subject, issuer, subjectaltname, valid_from: from = '', valid_to: to = '' } = certificate ?? {};
  if (code !== undefined) {
    const known = connected ? HANDSHAKE.find(([sign]) => sign.test(code))?.[1] : own(CONNECTING, code);
    return finding(known ?? 'connection_failed', {
      host,
      code,
      where: `${host} port ${portOf(url)}`,
      setting: settings.join(', '),
      from: dayOf(from),
      to: dayOf(to),
      names: certified(subjectaltname?.replaceAll(/(?:DNS|IP Address):/g, '') ?? subject?.CN),
      issuer: certified(issuer?.CN ?? issuer?.O),
    });
  }
  if (protocol === undefined) return good(`${host} (${ip}) accepts connections over plain http, not encrypted`);
  const days = Math.floor((Date.parse(to) - options.now()) / DAY_MS);
  const text = `${host} (${ip}), ${protocol}, certificate valid until ${dayOf(to)}`;
  return days < SOON_DAYS ? finding('tls_expires_soon', { text, days }) : good(text);
}

/** `code`: the error that ended it. `protocol`: the TLS version. */
interface ConnectionTrial {
  readonly connected: boolean;
  readonly code?: string | undefined;
  readonly ip?: string | undefined;
  readonly protocol?: string;
  readonly certificate?: PeerCertificate;
}

const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));

/** Connects, sends nothing and closes. Accepts untrusted certificates too, to say what is wrong with them. */
function connect(url: URL, { ca, timeoutMs = 5_000 }: NetworkOptions): Promise<ConnectionTrial> {
  const target = { host: withoutBrackets(url.hostname), port: portOf(url) };
  const servername = /[a-z]/i.test(target.host) && !target.host.includes(':') ? target.host : undefined;
  const tls = {
    ...target,
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
    ...omitUndefined({ servername, ca }),
  };
  return new Promise((resolve) => {
    const socket = url.protocol === 'https:' ? connectTls(tls) : connectTcp(target);
    let connected = false;
    const end = (code?: string, more: Partial<ConnectionTrial> = {}): void => {
      clearTimeout(timer);
      resolve({ connected, code, ip: socket.remoteAddress, ...more });
      socket.destroy();
    };
    const timer = setTimeout(() => end('ETIMEDOUT'), timeoutMs);
    socket.once('connect', () => {
      connected = true;
      if (!(socket instanceof TLSSocket)) end();
    });
    socket.once('secureConnect', () => {
      if (!(socket instanceof TLSSocket)) return;
      const certificate = socket.getPeerCertificate();
      const refused = socket.authorized ? undefined : String(socket.authorizationError);
      end(refused, { protocol: socket.getProtocol() ?? 'TLS', certificate });
    });
    socket.on('error', (error) => end('code' in error ? String(error.code) : 'no reason given'));
    socket.once('close', () => end('ECONNRESET'));
  });
}

function dayOf(text: string): string {
  const at = Date.parse(text);
  return Number.isNaN(at) ? 'a day that cannot be read' : new Date(at).toISOString().slice(0, 10);
}

/** Cleans a name from a certificate, which can have several, for our own sentences. */
const certified = (names: string | readonly string[] = ''): string =>
  cleanText([names].flat()[0] ?? '', 100).replace(/[^\p{L}\p{N}.*:, _()-]/gu, '') || 'nobody';

export function webhookChecks({ webhooks }: Config, options: DoctorOptions): readonly Check[] {
  if (webhooks === undefined) return [];
  const { addresses, notices, privateHosts } = webhooks;
  const all = [...addresses, ...notices.map(({ address }) => address)];
  return all.map((address, i) => ({
    id: all.length === 1 ? 'webhook' : `webhook.${i + 1}`,
    title: 'events',
    run: () => checkWebhook(new URL(address), privateHosts, options),
  }));
}

async function checkWebhook(url: URL, privateHosts: readonly string[], options: DoctorOptions): Promise<CheckOutcome> {
  const host = withoutBrackets(url.hostname);
  const found = await lookup(host, { all: true }).catch(() => []);
  const refused = found.find(({ address }) => {
    const reach = reachOf(address);
    return reach === 'never' || (reach === 'private' && !privateHosts.includes(host));
  });
  if (refused !== undefined) {
    const what = reachOf(refused.address) === 'never' ? 'webhook_never' : 'webhook_private';
    return finding(what, { host, ip: refused.address });
  }
  return mild(await checkAddress({ url, settings: ['FARECLERK_WEBHOOKS'] }, options));
}
