/** Checks whether addresses can be reached: of hosts, and of a team's sign-in. */
import { connect as connectTcp } from 'node:net';
import { connect as connectTls, type PeerCertificate, TLSSocket } from 'node:tls';
import { SCOPES } from '../../access/scopes.ts';
import { ALGORITHMS } from '../../auth/callers/access-tokens.ts';
import { type PageClient, tryRedirect, trySecret } from '../../auth/callers/browser-login.ts';
import {
  hostSignIn,
  type IssuerMetadata,
  issuerMetadata,
  type ProviderFetch,
  ProviderUnavailable,
  providerFetch,
} from '../../auth/callers/identity-provider.ts';
import { readCallersFile } from '../../config/callers.ts';
import type { Config } from '../../config/load.ts';
import { cleanText } from '../../core/clean-text.ts';
import { withoutBrackets } from '../../core/hosts.ts';
import { own } from '../../core/own.ts';
import { utcDay } from '../../core/times.ts';
import { counted } from '../../core/words.ts';
import { METADATA_PATH } from '../../http/authenticate.ts';
import { redirectUrl } from '../../pages/approval/public-page.ts';
import { type Check, type CheckOutcome, type FindingKey, finding, good, joined, mild } from './check.ts';
import { type ClockReading, type DoctorOptions, dateReading } from './visit.ts';

type NetworkOptions = Pick<DoctorOptions, 'ca'> & { readonly timeoutMs?: number };

/** Limit for a connection. */
const CONNECT_MS = 5_000;

/** The finding for an error before the connection, by its code. */
const CONNECTING: Readonly<Record<string, FindingKey>> = {
  ENOTFOUND: 'host_unknown',
  EAI_AGAIN: 'host_unknown.no_dns',
  ECONNREFUSED: 'connection_refused',
  ETIMEDOUT: 'connection_timeout',
};
/** The finding for an error after the connection, by its code. */
const HANDSHAKE: readonly (readonly [RegExp, FindingKey])[] = [
  [/^CERT_HAS_EXPIRED$/, 'tls_expired'],
  [/^CERT_NOT_YET_VALID$/, 'tls_not_yet_valid'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'tls_wrong_name'],
  [/SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT/, 'tls_unknown_issuer'],
  [/^(?:ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|EPROTO)$/, 'tls_not_spoken'],
  [/./, 'tls_failed'],
];

/** Connects to a host, and judges its certificate. @param settings the settings that name it */
export async function checkAddress(
  { url, settings }: { readonly url: URL; readonly settings: readonly string[] },
  options: NetworkOptions,
): Promise<CheckOutcome> {
  const { code, connected, ip, protocol, certificate } = await connect(url, options);
  const host = withoutBrackets(url.hostname);
  const { subject, issuer, subjectaltname, valid_from: from = '', valid_to: to = '' } = certificate ?? {};
  if (code !== undefined) {
    const key = connected ? HANDSHAKE.find(([sign]) => sign.test(code))?.[1] : own(CONNECTING, code);
    return finding(key ?? 'connection_failed', {
      host,
      code,
      where: `${host} port ${port(url)}`,
      setting: settings.join(', '),
      from: certificateDay(from),
      to: certificateDay(to),
      names: certificateName(subjectaltname?.replaceAll(/(?:DNS|IP Address):/g, '') ?? subject?.CN),
      issuer: certificateName(issuer?.CN ?? issuer?.O),
    });
  }
  if (protocol === undefined) return good(`${host} (${ip}) accepts connections over plain http, not encrypted`);
  return good(`${host} (${ip}), ${protocol}, certificate valid until ${certificateDay(to)}`);
}

interface ConnectionTrial {
  /** Whether the host accepted the connection, before TLS. */
  readonly connected: boolean;
  /** The code of the error that ended it. */
  readonly code?: string | undefined;
  readonly ip?: string | undefined;
  /** The TLS version. */
  readonly protocol?: string;
  readonly certificate?: PeerCertificate;
}

const port = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));

/** Connects, sends nothing and closes. Accepts untrusted certificates too, to say what is wrong with them. */
function connect(url: URL, { ca, timeoutMs = CONNECT_MS }: NetworkOptions): Promise<ConnectionTrial> {
  const target = { host: withoutBrackets(url.hostname), port: port(url) };
  const servername = /[a-z]/i.test(target.host) && !target.host.includes(':') ? target.host : undefined;
  const tls = { ...target, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'], servername, ca };
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

function certificateDay(text: string): string {
  const at = Date.parse(text);
  return Number.isNaN(at) ? 'a day that cannot be read' : utcDay(at);
}

/** Cleans a name from a certificate, which can have several, for our own sentences. */
const certificateName = (names: string | readonly string[] = ''): string =>
  cleanText([names].flat()[0] ?? '', 100).replace(/[^\p{L}\p{N}.*:, _()-]/gu, '') || 'nobody';

/** The settings of a server that a team signs in to, with its issuer and its own address. */
type TeamHttp = Config['http'] & { readonly issuer: string; readonly publicUrl: string };

/**
 * Returns the checks of a team's sign-in; none without an issuer.
 * @param onClock gets how far the issuer's clock is off by each reply; an empty list if the reply names no time
 */
export function signInChecks(
  { http }: Config,
  options: DoctorOptions,
  onClock: (readings: readonly ClockReading[]) => void,
): readonly Check[] {
  const { issuer, publicUrl, page } = http;
  if (issuer === undefined || publicUrl === undefined) return [];
  const team: TeamHttp = { ...http, issuer, publicUrl };
  // The check of the issuer writes its metadata here, and the checks after it read them.
  let metadata: IssuerMetadata | undefined;
  const fetchAndTime: ProviderFetch = async (...args) => {
    const reply = await providerFetch(...args);
    // A reply from a cache shows an earlier time.
    if (!reply.headers.has('age')) onClock(dateReading(issuer, reply.headers.get('date'), options.now()));
    return reply;
  };
  const checkHost = (url: string, setting: string) => checkAddress({ url: new URL(url), settings: [setting] }, options);
  const checkPage = async () => (metadata && page ? checkPageClient(team, metadata) : undefined);
  return [
    { id: 'address.issuer', title: 'issuer host', run: () => checkHost(issuer, 'FARECLERK_ISSUER') },
    {
      id: 'issuer',
      title: 'issuer',
      needs: ['address.issuer'],
      async run() {
        metadata = await issuerMetadata(issuer, fetchAndTime).catch(() => undefined);
        return metadata === undefined ? explainNoMetadata(issuer) : checkKeys(metadata);
      },
    },
    { id: 'hosts', title: 'hosts', needs: ['issuer'], run: () => metadata && checkHosts(metadata) },
    { id: 'audience', title: 'tokens', needs: ['issuer'], run: () => metadata && checkTokens(team, metadata) },
    { id: 'page_client', title: 'page client', needs: ['issuer'], run: checkPage },
    { id: 'approver_role', title: 'approvers', run: () => (page ? checkApproverRole(page.approverRole) : undefined) },
    // Some networks cannot reach their own public address from inside.
    {
      id: 'address.public',
      title: 'public host',
      run: async () => mild(await checkHost(publicUrl, 'FARECLERK_PUBLIC_URL')),
    },
    { id: 'public_url', title: 'public address', needs: ['address.public', 'issuer'], run: () => checkPublicUrl(team) },
  ];
}

function pageClient({ page, publicUrl }: TeamHttp): PageClient {
  const clientSecret = page?.clientSecret?.reveal();
  return { clientId: page?.clientId ?? '', redirect: redirectUrl(publicUrl), clientSecret };
}

/** Fetches the metadata once more, to say what is wrong with it. */
async function explainNoMetadata(issuer: string): Promise<CheckOutcome> {
  try {
    const where = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const metadata = await fetchJson<{ issuer?: unknown }>(where);
    if (typeof metadata.issuer === 'string' && metadata.issuer !== issuer)
      return finding('issuer_wrong.other', { issuer, found: cleanReply(metadata.issuer) });
    return finding('issuer_wrong', { issuer, said: 'incomplete metadata' });
  } catch (error) {
    return finding('issuer_wrong', { issuer, said: failureText(error) });
  }
}

async function checkKeys(metadata: IssuerMetadata): Promise<CheckOutcome> {
  const { issuer, jwks_uri: where } = metadata;
  try {
    const { keys = [] } = await fetchJson<{ keys?: readonly Record<string, unknown>[] }>(where);
    const goodKeys = keys.filter(({ use, alg }) => use !== 'enc' && ALGORITHMS.includes(String(alg ?? ALGORITHMS[0])));
    if (goodKeys.length === 0) {
      const algorithms = keys.map(({ alg }) => cleanReply(String(alg)));
      return finding('issuer_keys', { where, said: algorithms.join(', ') || 'no keys' });
    }
    if (!metadata.code_challenge_methods_supported?.includes('S256'))
      return finding('issuer_incomplete', { missing: 'PKCE with S256 (code_challenge_methods_supported)' });
    return good(`${issuer} answers, with ${counted(goodKeys.length, 'key')} for tokens`);
  } catch (error) {
    return finding('issuer_keys', { where, said: failureText(error) });
  }
}

/** Checks only the metadata: the first sign-in of a host shows whether the provider does what they offer. */
function checkHosts(metadata: IssuerMetadata): CheckOutcome {
  const signIn = hostSignIn(metadata);
  const methods = signIn.means.join(' or ');
  if (signIn.unknownHosts.length === 0) return good(`Hosts can sign in without a client made by hand: by ${methods}`);
  return finding('hosts_unknown', { hosts: signIn.unknownHosts.join(', '), lacks: signIn.lacks.join('; ') });
}

function checkTokens({ issuer, audience, publicUrl, callersFile }: TeamHttp, metadata: IssuerMetadata): CheckOutcome {
  const tenantClaim = readCallersFile(callersFile)?.tenantClaim;
  const offered = metadata.scopes_supported;
  const missing = offered === undefined ? [] : SCOPES.filter((scope) => !offered.includes(scope));
  if (missing.length > 0) return finding('scopes_unknown', { missing: missing.join(', ') });
  const claims = joined(
    [`iss ${issuer}`, `aud ${audience ?? `${publicUrl}/mcp`}`, 'sub', tenantClaim && `${tenantClaim} (the tenant)`],
    ', ',
  );
  return good(`Access tokens need ${claims}, and scopes such as ${SCOPES[0]}`);
}

async function checkPageClient(team: TeamHttp, metadata: IssuerMetadata): Promise<CheckOutcome> {
  const client = pageClient(team);
  const { clientId, clientSecret, redirect } = client;
  const without = clientSecret === undefined ? ' without a secret' : '';
  const secretTrial = await trySecret(client, metadata);
  if (secretTrial.kind === 'refused')
    return finding('page_client_refused', { without, said: cleanReply(secretTrial.code) });
  const redirectTrial = await tryRedirect(client, metadata);
  if (redirectTrial.kind === 'refused') {
    const said = cleanReply(redirectTrial.code);
    return finding('page_redirect_refused', { client: clientId, redirect, said });
  }
  // Hosts name the server as `resource` (RFC 8707), which a provider may refuse if it knows no such resource.
  const resource = `${team.publicUrl}/mcp`;
  const resourceTrial = await tryRedirect(client, metadata, resource);
  if (resourceTrial.kind === 'refused')
    return finding('resource_refused', { resource, said: cleanReply(resourceTrial.code) });
  for (const trial of [secretTrial, redirectTrial])
    if (trial.kind === 'unclear') return finding('page_client_unclear', { said: cleanReply(trial.code) });
  return good(`The provider knows ${clientId}${without} and its redirect address ${redirect}`);
}

function checkApproverRole(role: string | undefined): CheckOutcome {
  if (role === undefined)
    return good('Only the person who asked can approve, because FARECLERK_APPROVER_ROLE is not set');
  return good(`People whose ID token has the role ${role} decide for others. Who has it, only the provider knows`);
}

/** Compares the metadata at the public address (RFC 9728) with the settings. */
async function checkPublicUrl({ publicUrl, issuer }: TeamHttp): Promise<CheckOutcome> {
  const { origin, pathname } = new URL(`${publicUrl}/mcp`);
  const where = `${origin}${METADATA_PATH}${pathname}`;
  try {
    const { resource, authorization_servers: issuers } = await fetchJson<Record<string, unknown>>(where);
    const differences = joined(
      [
        resource !== `${publicUrl}/mcp` && `public address ${cleanReply(String(resource))}`,
        !(Array.isArray(issuers) && issuers.includes(issuer)) && `issuer ${cleanReply(String(issuers))}`,
      ],
      ', ',
    );
    return differences === ''
      ? good(`${publicUrl} leads to this server`)
      : finding('public_not_here.other', { where, found: differences });
  } catch (error) {
    return finding('public_not_here', { where, said: failureText(error) });
  }
}

/** @throws ProviderUnavailable; other errors if the reply is no JSON object */
const fetchJson = async <T>(where: string): Promise<T> => (await (await providerFetch(where)).json()) as T;

const cleanReply = (text: string): string => cleanText(text, 200);

function failureText(error: unknown): string {
  return error instanceof ProviderUnavailable ? error.message : 'unknown JSON';
}
