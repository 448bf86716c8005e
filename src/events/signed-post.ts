/**
 * Sends one event to one address. The address is that of a setting, and still it must not lead into a private network: what
 * its name resolves to is checked for each connection, and the connection goes to exactly that. Redirects are not followed.
 */
import { createHmac } from 'node:crypto';
import { lookup as resolve } from 'node:dns';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP, isIPv4, isIPv6, type LookupFunction } from 'node:net';
import { withoutBrackets } from '../core/hosts.ts';

/** `gone`: HTTP 410, the address wants nothing more. `said` is for people. */
export type Sent =
  | { readonly kind: 'delivered' }
  | {
      readonly kind: 'failed' | 'gone';
      readonly said: string;
      /** The address wants nothing for so long, milliseconds. */
      readonly pauseMs?: number;
    };

export interface Sender {
  send(address: string, message: Message): Promise<Sent>;
  close(): Promise<void>;
}

export interface SenderOptions {
  /** `whsec_…`; several while one is replaced by another. */
  readonly secrets: readonly string[];
  /** Host names or numbers that may be in a private network. */
  readonly privateHosts?: readonly string[];
  readonly now: () => number;
  /** Resolves names; the system's by default. */
  readonly lookup?: LookupFunction;
  /** For the whole exchange, milliseconds. Default 15 000. */
  readonly timeoutMs?: number;
  /** Certificate authorities to trust instead of the platform's (PEM). */
  readonly ca?: string;
}

const AGENT = { keepAlive: true, maxSockets: 16, timeout: 4_000 } as const;

interface WebhookReply {
  readonly status: number;
  readonly pauseMs?: number;
}

class RefusedAddress extends Error {}

export function createSender(options: SenderOptions): Sender {
  const { secrets, privateHosts = [], now, timeoutMs = 15_000, ca } = options;
  const mayReach = (host: string, address: string): boolean => {
    const reach = addressReach(address);
    return reach === 'public' || (reach === 'private' && privateHosts.includes(host));
  };
  const lookup = guarded(options.lookup ?? resolve, mayReach);
  // One for each address: none takes the connections of another at the same host.
  const agents = new Map<string, http.Agent>();
  const agentTo = (address: string, { protocol }: URL): http.Agent => {
    const made =
      agents.get(address) ?? (protocol === 'https:' ? new https.Agent({ ...AGENT, ca }) : new http.Agent(AGENT));
    agents.set(address, made);
    return made;
  };

  const post = async (address: string, message: Message): Promise<WebhookReply> => {
    const url = new URL(address);
    const host = withoutBrackets(url.hostname);
    if (url.protocol !== 'https:' && !privateHosts.includes(host)) throw new RefusedAddress('not an https address');
    if (url.username !== '' || url.password !== '') throw new RefusedAddress('an address with a user name');
    // Numbers are not looked up.
    if (isIP(host) !== 0 && !mayReach(host, host)) throw new RefusedAddress(PRIVATE);
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'fareclerk',
      ...message.headers,
      ...(message.isSigned && signed(message, secrets, now())),
    };
    const signal = AbortSignal.timeout(timeoutMs);
    const agent = agentTo(address, url);
    const { request: begin } = url.protocol === 'https:' ? https : http;
    const request = begin(url, { method: 'POST', headers, lookup, signal, agent });
    // Whatever fails after the answer changes nothing.
    request.on('error', () => undefined).end(message.body);
    return readAnswer(request, signal);
  };

  return {
    async send(address, message) {
      try {
        const { status, pauseMs } = await post(address, message);
        if (status >= 200 && status < 300) return { kind: 'delivered' };
        return {
          kind: status === 410 ? 'gone' : 'failed',
          said: `HTTP ${status}`,
          pauseMs,
        };
      } catch (error) {
        return { kind: 'failed', said: describeFailure(error, timeoutMs) };
      }
    },
    async close() {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

/** Of a reply that goes on behind its status, milliseconds and bytes. */
const REST_MS = 1_000;
const REST_BYTES = 64 * 1024;

/** The status is the answer; whatever follows changes nothing, and is read a little so that the connection can serve again. */
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
    return { status: reply.statusCode ?? 0, ...askedPause(reply) };
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

/** The longest pause, milliseconds; and the one after 429 without words. */
const MOST_PAUSE_MS = 60 * 60_000;
const PAUSE_MS = 5_000;

/** From `Retry-After`, in seconds or as a date. */
function askedPause({ statusCode, headers }: http.IncomingMessage): Pick<WebhookReply, 'pauseMs'> {
  const words = headers['retry-after'];
  if (statusCode !== 429 && (statusCode !== 503 || words === undefined)) return {};
  const asked = /^\d+$/.test(words ?? '') ? Number(words) * 1_000 : Date.parse(words ?? '') - Date.now();
  return { pauseMs: Number.isNaN(asked) ? PAUSE_MS : Math.min(Math.max(asked, 0), MOST_PAUSE_MS) };
}

const PRIVATE = 'an address in a private network';

/** Gives only addresses that may be reached, or none: a name with one that may not is not trusted. */
function guarded(lookup: LookupFunction, mayReach: (host: string, address: string) => boolean): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '');
      const all = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }];
      const [first] = all;
      if (first === undefined || !all.every(({ address }) => mayReach(host, address)))
        return done(new RefusedAddress(PRIVATE), '');
      if (options.all) done(null, all);
      else done(null, first.address, first.family);
    });
  };
}

function describeFailure(error: unknown, timeoutMs: number): string {
  if (error instanceof RefusedAddress) return `refused: ${error.message}`;
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`;
  const code: unknown = 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : error.name;
}

const PREFIX = 'whsec_';

export interface Message {
  readonly id: string;
  readonly body: string;
  /** Besides those of each message, or instead of them; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** With the secrets, as Standard Webhooks asks for. */
  readonly isSigned?: boolean;
}

/**
 * Signs one try as the Standard Webhooks specification says: one HMAC-SHA256 over id, time and body. Several secrets
 * give several signatures, so that a secret can be changed without a gap.
 * @param secrets each `whsec_` and base64
 * @param now milliseconds since 1970
 */
function signed({ id, body }: Message, secrets: readonly string[], now: number): Record<string, string> {
  const time = Math.floor(now / 1000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(time), 'webhook-signature': signatures.join(' ') };
}

/**
 * Where an address leads: the way to a server of our own must not lead from a setting. `private`: only for hosts that the operator
 * names. `never`: not even for them.
 */
type Reach = 'public' | 'private' | 'never';

const lists = (version: 'ipv4' | 'ipv6', ...nets: string[]): BlockList => {
  const list = new BlockList();
  for (const net of nets) {
    const [address = '', bits] = net.split('/');
    list.addSubnet(address, Number(bits), version);
  }
  return list;
};

/** This host and its network, shared by providers, tests, examples (RFC 6890). */
const PRIVATE_4 = lists(
  'ipv4',
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8', '100.64.0.0/10', '198.18.0.0/15'],
  ...['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '192.88.99.0/24'],
);
/** Unspecified, link-local, multicast, reserved; and where clouds answer with the machine's credentials. */
const NEVER_4 = lists(
  'ipv4',
  ...[
    '0.0.0.0/8',
    '169.254.0.0/16',
    '224.0.0.0/4',
    '240.0.0.0/4',
    '192.0.0.0/24',
    '100.100.100.200/32',
    '168.63.129.16/32',
  ],
);
const PRIVATE_6 = lists('ipv6', '::1/128', 'fc00::/7');
const NEVER_6 = lists('ipv6', 'fd00:ec2::254/128', 'fd20:ce::254/128');
/** What is routed in the internet, and in it what leads elsewhere: tunnels and examples. */
const GLOBAL_6 = lists('ipv6', '2000::/3');
const ELSEWHERE_6 = lists('ipv6', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20');
/** An address of version 4 in the last 32 bits: as such, and through a gateway (RFC 6052). */
const HOLDS_4 = lists('ipv6', '::ffff:0:0/96', '64:ff9b::/96');

/** @param address as numbers, without brackets */
export function addressReach(address: string): Reach {
  if (isIPv4(address)) return of4(address);
  if (!isIPv6(address) || address.includes('%')) return 'never';
  if (HOLDS_4.check(address, 'ipv6')) return of4(last32(address));
  if (NEVER_6.check(address, 'ipv6')) return 'never';
  if (PRIVATE_6.check(address, 'ipv6')) return 'private';
  return GLOBAL_6.check(address, 'ipv6') && !ELSEWHERE_6.check(address, 'ipv6') ? 'public' : 'never';
}

function of4(address: string): Reach {
  if (NEVER_4.check(address)) return 'never';
  return PRIVATE_4.check(address) ? 'private' : 'public';
}

function last32(address: string): string {
  // The parser of addresses writes groups of hexadecimal digits, whatever the form was.
  const expanded = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [high = 0, low = 0] = expanded
    .replace(/::$/, ':0:0')
    .replace('::', ':')
    .split(':')
    .slice(-2)
    .map((group) => Number.parseInt(group || '0', 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
