/**
 * Everything beside /mcp: is it alive, is it ready, metrics, and the metadata of a protected resource.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Clerk } from '../clerk.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { isLoopbackPeer } from './addresses.ts';
import { json, type Reply, refusal } from './error-reply.ts';

const READY_MS = 5_000;

/** A look at the state store: reachable, and answering. */
export async function readiness(clerk: Pick<Clerk, 'parts'>, stopping: boolean): Promise<Reply> {
  if (stopping) return json(503, { status: 'stopping' });
  const late = AbortSignal.timeout(READY_MS);
  const overdue = new Promise<never>((_, reject) => late.addEventListener('abort', () => reject(new Error('late'))));
  try {
    const sending = await Promise.race([look(clerk), overdue]);
    return json(200, { status: 'ready', ...(sending !== undefined && { sending }) });
  } catch {
    return json(503, { status: 'no state store' });
  }
}

/** For whoever is not the operator: ready or not, and no reason. */
export function withoutDetails({ status }: Reply): Reply {
  return json(status, { status: status === 200 ? 'ready' : 'not ready' });
}

/** Why nothing is sent, where something stops that: reading goes on all the same. */
async function look(clerk: Pick<Clerk, 'parts'>): Promise<string | undefined> {
  const { state } = await clerk.parts();
  await state.operations.list({ limit: 1 });
  const standing = await state.chain?.standing();
  if (standing?.hold !== undefined) return 'held: the journal went backwards; run fareclerk journal restored';
  return standing?.pause && 'paused by the operator; fareclerk resume ends it';
}

/** With a token set, whoever brings it; else this machine alone. */
export function mayScrape(request: IncomingMessage, token: string | undefined): boolean {
  return token === undefined ? isLoopbackPeer(request.socket.remoteAddress) : bringsToken(request, token);
}

/** Compares as hashes, so that the time of the comparison reveals nothing of the token. */
export function bringsToken(request: IncomingMessage, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(sha256(given), sha256(token));
}

/** Headers by which a proxy says for whom it asks. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** Whether a request came by the public address or through a proxy: what operators look at is not shown there. */
export function cameThroughProxy(request: IncomingMessage, publicHosts: ReadonlySet<string>): boolean {
  const host = request.headers.host?.toLowerCase() ?? '';
  return publicHosts.has(host) || FORWARDED.some((name) => request.headers[name] !== undefined);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export async function metricsPage(
  request: IncomingMessage,
  metrics: Metrics,
  token: string | undefined,
): Promise<Reply> {
  if (!mayScrape(request, token)) {
    return token === undefined
      ? refusal(403, 'Metrics are for this machine only.')
      : refusal(401, 'Metrics need their token.', { 'www-authenticate': 'Bearer' });
  }
  const { contentType, body } = await metrics.text();
  return { status: 200, body, headers: { 'content-type': contentType } };
}
