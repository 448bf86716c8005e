/** Pages for operators: readiness and metrics. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Metrics } from '../metrics/metrics.ts';
import { isLoopbackPeer } from './addresses.ts';
import type { BearerCheck } from './bearer-token.ts';
import { errorReply } from './error-reply.ts';
import type { Readiness } from './readiness.ts';
import { refusedFor } from './request-notes.ts';

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

/** Headers that proxies add. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** Whether a request came by the public address or through a proxy: pages for operators are hidden there. */
export function cameThroughProxy(request: IncomingMessage, publicHosts: ReadonlySet<string>): boolean {
  const host = request.headers.host?.toLowerCase() ?? '';
  return publicHosts.has(host) || FORWARDED.some((name) => request.headers[name] !== undefined);
}

export interface MetricsAccess {
  /** Of FARECLERK_METRICS_TOKEN. */
  readonly checkScraper?: BearerCheck;
  /** Absent: callers sign in, so that every user of this machine may look. */
  readonly isSameUser?: (socket: Socket) => Promise<boolean>;
}

/** Needs the token. Without a configured token, answers this machine only, and without sign-in only our own user. */
export async function metricsPage(
  request: IncomingMessage,
  metrics: Metrics,
  { checkScraper, isSameUser }: MetricsAccess,
): Promise<Response> {
  const refused = checkScraper ? checkScraper(request) : await refusedNearby(request, isSameUser);
  if (refused !== undefined) return refused;
  const { contentType, body } = await metrics.text();
  return new Response(body, { headers: { 'content-type': contentType } });
}

async function refusedNearby(
  request: IncomingMessage,
  isSameUser: MetricsAccess['isSameUser'],
): Promise<Response | undefined> {
  const { socket } = request;
  if (!isLoopbackPeer(socket.remoteAddress)) {
    return refusedFor(request, 'other_user', errorReply(403, 'Metrics are for this machine only.'));
  }
  if (isSameUser === undefined || (await isSameUser(socket))) return undefined;
  const words = 'Metrics are for the same user only. Set FARECLERK_METRICS_TOKEN to let other users read them.';
  return refusedFor(request, 'other_user', errorReply(403, words));
}
