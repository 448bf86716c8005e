/** Pages for operators: readiness and metrics. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Clerk } from '../clerk.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { isLoopbackPeer } from './addresses.ts';
import { errorReply } from './error-reply.ts';

const READY_MS = 5_000;

/** Ready if the state store answers within 5 seconds. */
export async function readiness(clerk: Pick<Clerk, 'parts'>, stopping: boolean): Promise<Response> {
  if (stopping) return Response.json({ status: 'stopping' }, { status: 503 });
  const late = AbortSignal.timeout(READY_MS);
  const overdue = new Promise<never>((_, reject) => late.addEventListener('abort', () => reject(new Error('late'))));
  try {
    const sending = await Promise.race([reasonNothingIsSent(clerk), overdue]);
    return Response.json({ status: 'ready', ...(sending !== undefined && { sending }) });
  } catch {
    return Response.json({ status: 'no state store' }, { status: 503 });
  }
}

/** The same reply without its reason, for everybody but the operator. */
export function withoutDetails({ status }: Response): Response {
  return Response.json({ status: status === 200 ? 'ready' : 'not ready' }, { status });
}

/** Why sending is stopped, if it is. Reads still work then. */
async function reasonNothingIsSent(clerk: Pick<Clerk, 'parts'>): Promise<string | undefined> {
  const { state } = await clerk.parts();
  await state.operations.list({ limit: 1 });
  const chain = await state.chain?.status();
  if (chain?.hold !== undefined) return 'held: the journal went backwards; run fareclerk journal restored';
  return chain?.pause && 'paused by the operator; fareclerk resume ends it';
}

/** Compares hashes, so that the time of the comparison does not reveal the token. */
export function bringsToken(request: IncomingMessage, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const sha256 = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(sha256(given), sha256(token));
}

/** Headers that proxies add. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** Whether a request came by the public address or through a proxy: pages for operators are hidden there. */
export function cameThroughProxy(request: IncomingMessage, publicHosts: ReadonlySet<string>): boolean {
  const host = request.headers.host?.toLowerCase() ?? '';
  return publicHosts.has(host) || FORWARDED.some((name) => request.headers[name] !== undefined);
}

/** Needs the token. Without a configured token, answers this machine only. */
export async function metricsPage(
  request: IncomingMessage,
  metrics: Metrics,
  token: string | undefined,
): Promise<Response> {
  if (token === undefined && !isLoopbackPeer(request.socket.remoteAddress)) {
    return errorReply(403, 'Metrics are for this machine only.');
  }
  if (token !== undefined && !bringsToken(request, token)) {
    return errorReply(401, 'Metrics need their token.', { 'www-authenticate': 'Bearer' });
  }
  const { contentType, body } = await metrics.text();
  return new Response(body, { headers: { 'content-type': contentType } });
}
