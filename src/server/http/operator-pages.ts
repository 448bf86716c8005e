/** Pages for operators: readiness and metrics. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Metrics } from '../metrics/metrics.ts';
import { isLoopbackPeer } from './addresses.ts';
import { errorReply } from './error-reply.ts';
import type { Readiness } from './readiness.ts';

/** The answer to a readiness probe; reasons and details only for the operator. */
export function readinessPage({ reasons, sending }: Readiness, isOutside: boolean): Response {
  const isReady = reasons.length === 0;
  const body = { status: isReady ? 'ready' : 'not ready' };
  const details = isReady ? sending !== undefined && { sending } : { reasons };
  return Response.json(isOutside ? body : { ...body, ...details }, { status: isReady ? 200 : 503 });
}

/** The answer to a readiness probe while the server stops. */
export function stoppingPage(isOutside: boolean): Response {
  return Response.json({ status: isOutside ? 'not ready' : 'stopping' }, { status: 503 });
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

interface MetricsAccess {
  readonly metricsToken?: string;
  readonly isSameUser?: (socket: Socket) => Promise<boolean>;
}

/** Needs the token. Without a configured token, answers this machine only, and without sign-in only our own user. */
export async function metricsPage(
  request: IncomingMessage,
  metrics: Metrics,
  { metricsToken: token, isSameUser }: MetricsAccess,
): Promise<Response> {
  const { socket } = request;
  if (token === undefined && !isLoopbackPeer(socket.remoteAddress)) {
    return errorReply(403, 'Metrics are for this machine only.');
  }
  if (token === undefined && isSameUser !== undefined && !(await isSameUser(socket))) {
    return errorReply(
      403,
      'Metrics are for the same user only. Set FARECLERK_HTTP_TOKEN to let other users read them.',
    );
  }
  if (token !== undefined && !bringsToken(request, token)) {
    return errorReply(401, 'Metrics need their token.', { 'www-authenticate': 'Bearer' });
  }
  const { contentType, body } = await metrics.text();
  return new Response(body, { headers: { 'content-type': contentType } });
}
