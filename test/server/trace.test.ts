import { describe, expect, it } from 'vitest';
import { currently, nextSpan, outgoingTrace, receivedTrace, traceFields } from '../../src/server/trace.ts';
import { plainTracer } from '../../src/server/tracing/tracer.ts';
import { callBody, goodHeaders, raw } from './http/support/raw.ts';
import { serve } from './http/support/serve.ts';
import { openTinyClerk } from './http/support/tiny-clerk.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = `00-${TRACE}-b7ad6b7169203331-01`;

describe('traceparent', () => {
  it('continues a traceparent with a new span', () => {
    const trace = nextSpan(receivedTrace({ traceparent: PARENT, tracestate: 'vendor=1' }));
    expect(trace).toMatchObject({ traceId: TRACE, flags: '01', state: 'vendor=1' });
    expect(trace.spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(trace.spanId).not.toBe('b7ad6b7169203331');
  });

  it.each([
    undefined,
    7,
    '',
    'x',
    PARENT.toUpperCase(),
    `ff-${TRACE}-b7ad6b7169203331-01`,
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `${PARENT}-more`,
    `${PARENT}\r\nx: y`,
    `00-${TRACE}x-b7ad6b7169203331-01`,
  ])('begins a new trace after an invalid traceparent: %j', (traceparent) => {
    const trace = nextSpan(receivedTrace({ traceparent, tracestate: 'vendor=1' }));
    expect(trace.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(trace.traceId).not.toBe(TRACE);
    expect(trace.flags).toBe('00');
    expect(trace.state).toBeUndefined();
  });

  it('accepts more fields in a traceparent of a later version', () => {
    expect(receivedTrace({ traceparent: `01-${TRACE}-b7ad6b7169203331-03-more` })).toMatchObject({
      traceId: TRACE,
      flags: '01',
    });
  });

  it.each([`a${'b'.repeat(512)}`, 'a\u0001b', 'ä=1', '', 7])('drops an invalid tracestate: %j', (tracestate) => {
    expect(receivedTrace({ traceparent: PARENT, tracestate })?.state).toBeUndefined();
  });

  it('provides the trace only during a call', async () => {
    expect([currently(), traceFields(), outgoingTrace()]).toEqual([undefined, {}, {}]);
    await plainTracer.serve({ traceparent: PARENT, tracestate: 'v=1' }, { name: 'call' }, async () => {
      await new Promise(setImmediate);
      const { span_id: span } = traceFields();
      expect(traceFields()).toEqual({ trace_id: TRACE, span_id: expect.stringMatching(/^[0-9a-f]{16}$/) });
      expect(outgoingTrace()).toEqual({ traceparent: `00-${TRACE}-${span}-01`, tracestate: 'v=1' });
      plainTracer.about('op-1');
      expect(traceFields()).toMatchObject({ trace_id: TRACE, operation: 'op-1' });
    });
    expect(currently()).toBeUndefined();
  });
});

describe('over HTTP', () => {
  it('logs the trace of the header, or of the message, which has precedence', async () => {
    const lines: object[] = [];
    const log = { call: (fields: object) => lines.push({ ...fields, ...traceFields() }), failure() {} };
    const at = await serve({}, await openTinyClerk({ log }));
    const other = TRACE.replace('0af', 'fff');
    const call = (headers: [string, string][], meta?: object) => {
      const message = JSON.parse(callBody('who_am_i'));
      if (meta) message.params._meta = meta;
      return raw(at.port, { headers: [...goodHeaders(at.port), ...headers], body: JSON.stringify(message) });
    };
    await call([['traceparent', PARENT]]);
    await call([['traceparent', PARENT]], { traceparent: PARENT.replace(TRACE, other) });
    await call([]);
    expect(lines).toMatchObject([{ tool: 'who_am_i', trace_id: TRACE }, { trace_id: other }, { outcome: 'ok' }]);
    await at.close();
  });
});
