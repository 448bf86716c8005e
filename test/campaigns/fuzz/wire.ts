/**
 * A share of the spoilt replies over real HTTP: our transport, a real socket, and HTTP that is spoilt as well.
 */
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createTransport, type HttpReply, type HttpRequest } from '../../../src/ota/transport/http.ts';
import { type Received, startWire, type WireServer } from '../../ota/support/wire-server.ts';
import { type Bench, callAndAgree, callOnly, openBench } from './bench.ts';
import type { Corpus } from './corpus.ts';
import { type Plan, planFor } from './plans.ts';
import { pick, type Random, randomOf } from './random.ts';
import { count, type ReplyRuns, type Report } from './replies.ts';
import { judgePlan, judgeResult } from './verdict.ts';

const CRLF = '\r\n';

/** The reply on the wire: mostly as HTTP wants it. */
function written({ status, text, retryAfterSeconds }: HttpReply, random: Random): Buffer | 'reset' | 'end' {
  const body = Buffer.from(text);
  const after = retryAfterSeconds === undefined ? '' : `retry-after: ${retryAfterSeconds}${CRLF}`;
  const head = (length: number, more = ''): string =>
    `HTTP/1.1 ${status} X${CRLF}content-type: application/json${CRLF}content-length: ${length}${CRLF}${after}${more}${CRLF}`;
  switch (random(14)) {
    case 0:
      return 'reset';
    case 1:
      return 'end';
    case 2:
      return Buffer.concat([Buffer.from(head(body.length + 1 + random(500))), body]);
    case 3:
      return Buffer.concat([Buffer.from(head(Math.max(0, body.length - random(200)))), body]);
    case 4: {
      const packed = gzipSync(body);
      return Buffer.concat([Buffer.from(head(packed.length, `content-encoding: gzip${CRLF}`)), packed]);
    }
    case 5:
      return Buffer.concat([
        Buffer.from(head(body.length, `content-encoding: ${pick(['gzip', 'br', 'zstd', 'x'], random)}${CRLF}`)),
        body,
      ]);
    case 6: {
      const chunks = `${body.length.toString(16)}${CRLF}`;
      const chunked = head(0).replace(/content-length: 0/, 'transfer-encoding: chunked');
      return Buffer.concat([
        Buffer.from(chunked + chunks),
        body,
        Buffer.from(`${CRLF}${pick(['0', 'zz', '0'], random)}${CRLF}${CRLF}`),
      ]);
    }
    case 7: {
      const bytes = Buffer.concat([Buffer.from(head(body.length)), body]);
      bytes[random(bytes.length)] = random(256);
      return bytes;
    }
    default:
      return Buffer.concat([Buffer.from(head(body.length)), body]);
  }
}

export async function fuzzWire({ corpora, first, count: runs, seed, onProgress }: ReplyRuns): Promise<Report> {
  const report: Report = { runs, outcomes: new Map(), failures: [] };
  let current: { plan: Plan; random: Random } | undefined;
  let sends: string[] = [];
  const server: WireServer = await startWire((request: Received, socket: Socket) => {
    if (current === undefined) return;
    const message = request.headers['local-name'] ?? request.path.split('?')[0]?.split('/').at(-1) ?? '';
    if (/Book|Ticket|Cancel|Price/.test(message)) sends.push(message);
    const reply = current.plan.airline(message, request as unknown as HttpRequest);
    const bytes = reply === undefined ? 'end' : written(reply, current.random);
    if (bytes === 'reset') socket.resetAndDestroy();
    else if (bytes === 'end') socket.end();
    else socket.end(bytes);
  });
  const transport = createTransport();
  const benches = new Map<Corpus, Bench>();
  for (const corpus of corpora) benches.set(corpus, await openBench(corpus, { transport, baseUrl: server.origin }));
  try {
    for (let run = first; run < first + runs; run += 1) {
      const random = randomOf(Math.imul(seed, 7_368_787) + run);
      const { plan, corpus } = planFor(corpora, random);
      const bench = benches.get(corpus) as Bench;
      current = { plan, random };
      sends = [];
      bench.failures.length = 0;
      const answer = await (plan.agrees ? callAndAgree : callOnly)(bench.clerk, plan.tool, plan.args);
      const { outcome, wrong } = judgeResult(answer, plan.tool, bench, true);
      count(report.outcomes, outcome);
      const broken = wrong ?? judgePlan(answer, plan, sends);
      const inside = bench.failures[0];
      const told = inside instanceof Error && inside.stack !== undefined ? { inside: inside.stack } : {};
      if (broken !== undefined)
        report.failures.push({ run, tool: plan.tool, why: broken, input: plan.spoiltText().slice(0, 3_000), ...told });
      onProgress?.(run - first + 1);
    }
  } finally {
    for (const bench of benches.values()) await bench.close();
    await transport.close();
    await server.close();
  }
  return report;
}
