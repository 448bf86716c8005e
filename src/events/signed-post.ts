/**
 * Signs a message and posts it to an address. Although the address comes from a setting, it must not lead into a
 * private network: each connection resolves the name, checks the result and connects to exactly that. Follows no
 * redirects.
 */
import { createHmac } from 'node:crypto';
import { lookup as resolve } from 'node:dns';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP, isIPv4, isIPv6, type LookupFunction } from 'node:net';
import { withoutBrackets } from '../core/hosts.ts';

/** A message to post. */
export interface Message {
  readonly id: string;
  readonly body: string;
  /** Headers to add, or to replace the usual ones with. Names are in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether to sign it with the secrets, as the Standard Webhooks specification says. */
  readonly isSigned?: boolean;
}

/** The result of one try. `gone`: the address answered 410 and wants nothing more. */
export type SendResult =
  | { readonly kind: 'delivered' }
  | {
      readonly kind: 'failed' | 'gone';
      /** The HTTP status or the failure, for people. */
      readonly said: string;
      /** For how long the address wants nothing more, milliseconds. */
      readonly pauseMs?: number;
    };

export interface Sender {
  send(address: string, message: Message): Promise<SendResult>;
  close(): Promise<void>;
}

export interface SenderOptions {
  /** `whsec_…`; several while one is replaced by another. */
  readonly secrets: readonly string[];
  /** Host names or numbers that may be in a private network. */
  readonly privateHosts?: readonly string[];
  readonly now: () => number;
  /** Resolves names. Default: the system's resolver. */
  readonly lookup?: LookupFunction;
  /** How long the whole exchange may take, milliseconds. Default 15 000. */
  readonly timeoutMs?: number;
  /** Certificate authorities to trust instead of the platform's (PEM). */
  readonly ca?: string;
}

/** A connection that nobody used for this time is closed, milliseconds. */
const IDLE_MS = 4_000;
const AGENT = { keepAlive: true, maxSockets: 16, timeout: IDLE_MS } as const;

interface WebhookReply {
  readonly status: number;
  /** The pause that the address asks for. */
  readonly pauseMs?: number;
}

/** The HTTP status of an address that wants nothing more. */
const GONE_STATUS = 410;
/** Precedes the base64 of a secret. */
const SECRET_PREFIX = 'whsec_';
/** For how long and how much of a reply is read after its status, milliseconds and bytes. */
const REST_MS = 1_000;
const REST_BYTES = 64 * 1024;
/** The longest pause that an address may ask for, milliseconds. */
const MOST_PAUSE_MS = 60 * 60_000;
/** The pause after a 429 that names none, milliseconds. */
const DEFAULT_PAUSE_MS = 5_000;
const PRIVATE_ADDRESS = 'an address in a private network';

/** Nothing was sent, because the address is not allowed. */
class ForbiddenAddress extends Error {}

/** Whether a host may be reached at an address, in numbers and without brackets. */
type MayReach = (host: string, address: string) => boolean;

export function createSender(options: SenderOptions): Sender {
  const { secrets, privateHosts = [], now, timeoutMs = 15_000, ca } = options;

  const mayReach: MayReach = (host, address) => {
    const reach = addressReach(address);
    return reach === 'public' || (reach === 'private' && privateHosts.includes(host));
  };

  const lookup = guardedLookup(options.lookup ?? resolve, mayReach);
  // Each address has its own agent, so that none uses up the connections of another at the same host.
  const agents = new Map<string, http.Agent>();

  const agentTo = (address: string, { protocol }: URL): http.Agent => {
    const agent =
      agents.get(address) ?? (protocol === 'https:' ? new https.Agent({ ...AGENT, ca }) : new http.Agent(AGENT));
    agents.set(address, agent);
    return agent;
  };

  const post = async (address: string, message: Message): Promise<WebhookReply> => {
    const url = new URL(address);
    checkAddress(url, privateHosts, mayReach);

    const headers = {
      'content-type': 'application/json',
      'user-agent': 'fareclerk',
      ...message.headers,
      ...(message.isSigned && signatureHeaders(message, secrets, now())),
    };

    const signal = AbortSignal.timeout(timeoutMs);
    const agent = agentTo(address, url);
    const client = url.protocol === 'https:' ? https : http;
    const request = client.request(url, { method: 'POST', headers, lookup, signal, agent });

    // `readAnswer` waits for a failure before the answer. One after it changes nothing, but without a listener would throw.
    request.on('error', () => undefined).end(message.body);
    return readAnswer(request, signal);
  };

  return {
    async send(address, message) {
      try {
        const { status, pauseMs } = await post(address, message);
        if (status >= 200 && status < 300) return { kind: 'delivered' };
        return { kind: status === GONE_STATUS ? 'gone' : 'failed', said: `HTTP ${status}`, pauseMs };
      } catch (error) {
        return { kind: 'failed', said: describeFailure(error, timeoutMs) };
      }
    },

    async close() {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

/** Throws ForbiddenAddress if nothing may be posted to an address. Names are checked when they are resolved. */
function checkAddress(url: URL, privateHosts: readonly string[], mayReach: MayReach): void {
  const host = withoutBrackets(url.hostname);
  if (url.protocol !== 'https:' && !privateHosts.includes(host)) throw new ForbiddenAddress('not an https address');
  if (url.username !== '' || url.password !== '') throw new ForbiddenAddress('an address with a user name');
  if (isIP(host) !== 0 && !mayReach(host, host)) throw new ForbiddenAddress(PRIVATE_ADDRESS);
}

/**
 * Signs one try as the Standard Webhooks specification says: by an HMAC-SHA256 over id, time and body. Each secret adds
 * a signature, so that a secret can be replaced without a gap.
 * @param secrets each is `whsec_` and base64
 * @param now milliseconds since 1970
 */
function signatureHeaders({ id, body }: Message, secrets: readonly string[], now: number): Record<string, string> {
  const time = Math.floor(now / 1000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(time), 'webhook-signature': signatures.join(' ') };
}

/** Reads the status of the reply and a little of the rest, so that the connection can be used again. */
async function readAnswer(request: http.ClientRequest, signal: AbortSignal): Promise<WebhookReply> {
  try {
    const [reply] = (await once(request, 'response')) as [http.IncomingMessage];
    const timer = setTimeout(() => reply.destroy(), REST_MS);
    let bytes = 0;

    reply
      .on('error', () => undefined)
      .on('close', () => clearTimeout(timer))
      .on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > REST_BYTES) reply.destroy();
      });

    return { status: reply.statusCode ?? 0, ...requestedPause(reply) };
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

/**
 * The pause that the reply asks for by `Retry-After`, in seconds or as a date. A 429 asks for one in any case, of the usual
 * length without the header. A 503 asks for one only if it has the header. One that cannot be read asks for the usual length.
 */
function requestedPause({ statusCode, headers }: http.IncomingMessage): Pick<WebhookReply, 'pauseMs'> {
  const { 'retry-after': retryAfter } = headers;
  if (statusCode !== 429 && statusCode !== 503) return {};
  if (retryAfter === undefined) return statusCode === 429 ? { pauseMs: DEFAULT_PAUSE_MS } : {};
  const requestedMs = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now();
  if (Number.isNaN(requestedMs)) return { pauseMs: DEFAULT_PAUSE_MS };
  return { pauseMs: Math.min(Math.max(requestedMs, 0), MOST_PAUSE_MS) };
}

/**
 * Resolves a name only if all of its addresses are allowed. It always asks for all of them; node:net asks for all, or for
 * one (`options.all`), and gets its answer in the form that it asked for.
 */
function guardedLookup(lookup: LookupFunction, mayReach: MayReach): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, result) => {
      if (error) return done(error, '');
      const addresses = Array.isArray(result) ? result : [{ address: result, family: isIP(result) }];
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => mayReach(host, address)))
        return done(new ForbiddenAddress(PRIVATE_ADDRESS), '');
      if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}

/** Why a try failed, in a few words for people, without the address. */
function describeFailure(error: unknown, timeoutMs: number): string {
  if (error instanceof ForbiddenAddress) return `refused: ${error.message}`;
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`;
  const code: unknown = 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : error.name;
}

// Whether an address leads into the internet or into a private network.

/** `private`: reachable only for hosts that the operator names. `never`: not even for those. */
type Reach = 'public' | 'private' | 'never';

/** Makes a list of networks such as `10.0.0.0/8`. */
function networkList(version: 'ipv4' | 'ipv6', networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefixBits] = network.split('/');
    list.addSubnet(address, Number(prefixBits), version);
  }
  return list;
}

/** This host and its network, networks of providers, tests and examples (RFC 6890). */
const PRIVATE_IPV4 = networkList('ipv4', [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '127.0.0.0/8',
  '100.64.0.0/10',
  '198.18.0.0/15',
  '192.0.2.0/24',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '192.88.99.0/24',
]);

/** Unspecified, link-local, multicast and reserved addresses, and those at which clouds serve credentials. */
const NEVER_IPV4 = networkList('ipv4', [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '192.0.0.0/24',
  '100.100.100.200/32',
  '168.63.129.16/32',
]);

/** This host, and local networks. */
const PRIVATE_IPV6 = networkList('ipv6', ['::1/128', 'fc00::/7']);

/** Addresses at which clouds serve credentials. */
const NEVER_IPV6 = networkList('ipv6', ['fd00:ec2::254/128', 'fd20:ce::254/128']);

/** Addresses that the internet routes. */
const ROUTED_IPV6 = networkList('ipv6', ['2000::/3']);

/** The routed addresses that lead elsewhere: tunnels and examples. */
const UNTRUSTED_IPV6 = networkList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/** Addresses with an IPv4 address in their last 32 bits: mapped, and through a gateway (RFC 6052). */
const EMBEDDING_IPV6 = networkList('ipv6', ['::ffff:0:0/96', '64:ff9b::/96']);

/** Tells where an address leads. Exceptions come before the networks that contain them. @param address in numbers, without brackets */
export function addressReach(address: string): Reach {
  if (isIPv4(address)) return reachOfIPv4(address);
  if (!isIPv6(address) || address.includes('%')) return 'never';
  if (EMBEDDING_IPV6.check(address, 'ipv6')) return reachOfIPv4(embeddedIPv4(address));
  if (NEVER_IPV6.check(address, 'ipv6')) return 'never';
  if (PRIVATE_IPV6.check(address, 'ipv6')) return 'private';
  return ROUTED_IPV6.check(address, 'ipv6') && !UNTRUSTED_IPV6.check(address, 'ipv6') ? 'public' : 'never';
}

function reachOfIPv4(address: string): Reach {
  if (NEVER_IPV4.check(address)) return 'never';
  return PRIVATE_IPV4.check(address) ? 'private' : 'public';
}

/** The IPv4 address in the last two groups: 127.0.0.1 of `::ffff:7f00:1`, 0.0.0.1 of `64:ff9b::1`. */
function embeddedIPv4(address: string): string {
  // The URL parser writes every form of an address as groups of hexadecimal digits.
  const shortest = new URL(`http://[${address}]`).hostname.slice(1, -1);

  // It writes `::` for two zeros or more. Two are enough here, because only the last two groups count.
  const [high = 0, low = 0] = shortest
    .replace('::', ':0:0:')
    .split(':')
    .filter((group) => group !== '')
    .slice(-2)
    .map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
