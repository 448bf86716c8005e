import { describe, expect, it } from 'vitest';
import { ClerkError } from '../../../src/errors.ts';
import type { SpanAbout } from '../../../src/journal/tracing.ts';
import { currently, nextSpan, outsideTrace, type Trace, traceFields } from '../../../src/server/trace.ts';
import { createTracer, type Recorder } from '../../../src/server/tracing/tracer.ts';

const ASKED = '0af7651916cd43dd8448eb211c80319c';
const OTHER = '1111111111111111111111111111111f';
const kept = (trace: string) => `00-${trace}-b7ad6b7169203331-01`;

/** Keeps every span. */
function recorderOf() {
  const told: { about: SpanAbout; parent: Trace | undefined; links: string[]; says: unknown[] }[] = [];
  const recorder: Recorder = {
    start(about, parent, links) {
      const span = { about, parent, links: links.map(({ traceId }) => traceId), says: [] as unknown[] };
      told.push(span);
      return {
        trace: nextSpan(parent),
        mark: (fields, event) => void span.says.push(event ?? fields),
        fail: (type) => void span.says.push(`failed: ${type}`),
        link: ({ traceId }) => void span.links.push(traceId),
        end: () => void span.says.push('ended'),
      };
    },
    close: async () => undefined,
  };
  return { told, tracer: createTracer(async () => recorder) };
}

describe('a span', () => {
  it('of a kept trace continues it, and both traces link to each other', async () => {
    const { told, tracer } = recorderOf();
    await tracer.serve({ traceparent: kept(OTHER) }, { name: 'page' }, () =>
      tracer.span({ name: 'carry out', of: kept(ASKED), operation: 'op-1' }, async () => {
        expect(traceFields()).toMatchObject({ trace_id: ASKED, operation: 'op-1' });
      }),
    );
    expect(told).toMatchObject([
      { about: { name: 'page' }, links: [ASKED] },
      { about: { name: 'carry out' }, parent: { traceId: ASKED, flags: '01' }, links: [OTHER] },
    ]);
  });

  it('within the kept trace is a child of what runs, without links', async () => {
    const { told, tracer } = recorderOf();
    await tracer.serve({ traceparent: kept(ASKED) }, { name: 'call' }, async () => {
      const { trace } = currently() ?? {};
      await tracer.span({ name: 'carry out', of: kept(ASKED) }, async () => undefined);
      expect(told[1]?.parent).toEqual(trace);
    });
    expect(told.map(({ links }) => links)).toEqual([[], []]);
  });

  it('fails with the code of an error, never with its message', async () => {
    const { told, tracer } = recorderOf();
    const error = new ClerkError('E_AIRLINE_DOWN', 'Amal Haddad', { next: 'Wait.' });
    await expect(tracer.span({ name: 'read' }, () => Promise.reject(error))).rejects.toBe(error);
    expect(told[0]?.says).toEqual(['failed: E_AIRLINE_DOWN', 'ended']);
  });

  it('names its operation in later log lines of the same call', async () => {
    const { told, tracer } = recorderOf();
    await tracer.serve({}, { name: 'call' }, async () => {
      expect(traceFields().operation).toBeUndefined();
      tracer.about('op-1');
      await tracer.span({ name: 'read' }, async () => expect(traceFields().operation).toBe('op-1'));
      expect(traceFields().operation).toBe('op-1');
    });
    expect(told[0]?.says).toContainEqual({ 'fareclerk.operation.id': 'op-1' });
  });

  it('runs its work even if the recorder cannot be loaded', async () => {
    const tracer = createTracer(() => Promise.reject(new Error('no such chunk')));
    expect(await tracer.span({ name: 'read' }, async () => 'done')).toBe('done');
    await tracer.close();
  });
});

it('work outside the trace has none', () =>
  createTracer().serve({}, { name: 'call' }, async () => {
    expect(outsideTrace(() => traceFields())).toEqual({});
    expect(traceFields().trace_id).toBeDefined();
  }));
