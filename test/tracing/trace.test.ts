/** Traces: whose a call continues, what its log lines and requests carry, and what a recorder gets of its spans. */
import { describe, expect, it } from 'vitest';
import { ClerkError } from '../../src/core/errors.ts';
import { createTracer, nextSpan, outgoingTrace, traceFields } from '../../src/tracing/tracer.ts';
import { callBody, goodHeaders, raw } from '../http/support/raw.ts';
import { serve } from '../http/support/serve.ts';
import { openTinyClerk } from '../http/support/tiny-clerk.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const OTHER = '1111111111111111111111111111111f';
const parent = (trace: string) => `00-${trace}-b7ad6b7169203331-01`;
const PARENT = parent(TRACE);

type Recorder = Awaited<ReturnType<NonNullable<Parameters<typeof createTracer>[0]>>>;
type Span = Parameters<Recorder['start']>;

/** Keeps every span. */
function recording() {
  const spans: { about: Span[0]; parent: Span[1]; says: unknown[] }[] = [];
  const recorder: Recorder = {
    start(about, above) {
      const span = { about, parent: above, says: [] as unknown[] };
      spans.push(span);
      return {
        trace: nextSpan(above),
        mark: (fields, event) => void span.says.push(event ?? fields),
        fail: (type) => void span.says.push(`failed: ${type}`),
        end: () => void span.says.push('ended'),
      };
    },
    close: async () => undefined,
  };
  return { spans, tracer: createTracer(async () => recorder) };
}

describe('a traceparent', () => {
  /** What a call carries on that came with this. */
  const carried = (headers: Parameters<ReturnType<typeof createTracer>['serve']>[0]) =>
    createTracer().serve(headers, { name: 'call' }, async () => {
      await new Promise(setImmediate);
      const { span_id: span, trace_id } = traceFields();
      const { traceparent = '', tracestate } = outgoingTrace() as { traceparent?: string; tracestate?: string };
      expect(traceparent).toMatch(new RegExp(`^00-${trace_id}-${span}-0[0-9a-f]$`));
      return { trace: trace_id, flags: traceparent.slice(-2), span, state: tracestate };
    });

  it('is continued with a new span, also of a later version with more fields', async () => {
    const continued = await carried({ traceparent: PARENT, tracestate: 'vendor=1' });
    expect(continued).toMatchObject({ trace: TRACE, flags: '01', state: 'vendor=1' });
    expect(continued.span).toMatch(/^[0-9a-f]{16}$/);
    expect(continued.span).not.toBe('b7ad6b7169203331');
    expect(await carried({ traceparent: `01-${TRACE}-b7ad6b7169203331-03-more` })).toMatchObject({
      trace: TRACE,
      flags: '01',
    });
    expect([traceFields(), outgoingTrace()]).toEqual([{}, {}]);
  });

  it.each([
    ...[undefined, 7, '', 'x', PARENT.toUpperCase(), `ff-${TRACE}-b7ad6b7169203331-01`, `${PARENT}-more`],
    ...[`00-${'0'.repeat(32)}-b7ad6b7169203331-01`, `00-${TRACE}-${'0'.repeat(16)}-01`, `${PARENT}\r\nx: y`],
    `00-${TRACE}x-b7ad6b7169203331-01`,
  ])('that is invalid begins a new trace: %j', async (traceparent) => {
    const fresh = await carried({ traceparent: traceparent as string, tracestate: 'vendor=1' });
    expect(fresh).toMatchObject({ trace: expect.stringMatching(/^[0-9a-f]{32}$/), flags: '00' });
    expect([fresh.trace === TRACE, fresh.state]).toEqual([false, undefined]);
  });

  it.each([`a${'b'.repeat(512)}`, 'a\u0001b', 'ä=1', '', 7])('loses an invalid tracestate: %j', async (tracestate) => {
    const { trace, state } = await carried({ traceparent: PARENT, tracestate: tracestate as string });
    expect([trace, state]).toEqual([TRACE, undefined]);
  });

  it('comes in a header over HTTP, or in the message, which has precedence', async () => {
    const lines: object[] = [];
    const log = { call: (fields: object) => lines.push({ ...fields, ...traceFields() }), failure() {} };
    const at = await serve({}, await openTinyClerk({ log: log as never }));
    const call = (headers: [string, string][], _meta?: object) => {
      const message = JSON.parse(callBody('who_am_i'));
      const body = JSON.stringify({ ...message, params: { ...message.params, ...(_meta && { _meta }) } });
      return raw(at.port, { headers: [...goodHeaders(at.port), ...headers], body });
    };
    await call([['traceparent', PARENT]]);
    await call([['traceparent', PARENT]], { traceparent: parent(OTHER) });
    await call([]);
    expect(lines).toMatchObject([{ tool: 'who_am_i', trace_id: TRACE }, { trace_id: OTHER }, { outcome: 'ok' }]);
    await at.close();
  });
});

describe('a span', () => {
  it('is a child of the one in which it runs', async () => {
    const { spans, tracer } = recording();
    await tracer.serve({ traceparent: PARENT }, { name: 'page' }, () =>
      tracer.span({ name: 'carry out' }, async () => undefined),
    );
    expect(spans).toMatchObject([{ parent: { traceId: TRACE, flags: '01' } }, { parent: { traceId: TRACE } }]);
  });

  it('fails with the code of an error, never with its message', async () => {
    const { spans, tracer } = recording();
    const error = new ClerkError('E_AIRLINE_DOWN', 'Amal Haddad', { next: 'Wait.' });
    await expect(tracer.span({ name: 'read' }, () => Promise.reject(error))).rejects.toBe(error);
    expect(spans[0]?.says).toEqual(['failed: E_AIRLINE_DOWN', 'ended']);
  });

  it('runs its work even if the recorder cannot be loaded', async () => {
    const tracer = createTracer(() => Promise.reject(new Error('no such chunk')));
    expect(await tracer.span({ name: 'read' }, async () => 'done')).toBe('done');
    await tracer.close();
  });
});
