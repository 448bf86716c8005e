/** The way of a payment in docs/reference/architecture.md: a real payment over HTTP takes it, step by step, in that order. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { console as inspectorConsole, type Profiler, type Runtime, Session } from 'node:inspector/promises';
import { PassThrough } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { airlineOfPointOfSale } from '../../src/clerk/way-to-airline.ts';
import { createMcpServer } from '../../src/mcp/server.ts';
import { createBulkheads, withBulkheads } from '../../src/ota/transport/bulkhead.ts';
import { heldBooking } from '../clerk/calls/bookings.ts';
import { accept, CALLER, openDesk, PAY } from '../clerk/calls/desk.ts';
import { META, message, messageIn } from '../http/support/raw.ts';
import { serveSigned } from '../http/support/serve.ts';

const page = readFileSync(new URL('../../docs/reference/architecture.md', import.meta.url), 'utf8');
const rows = [...page.matchAll(/^\| +(\d+[a-z]?) \| `([^`]+)` +\| `src\/([^`]+)` +\| (.+?) +\|$/gm)];
const WAY = rows.map(([, n = '', step = '', file = '', why = '']) => ({ n, why, at: `${file} ${step}` }));
/** Without those that return before the next begins. */
const NUMBERED = WAY.filter(({ n }) => /^\d+$/.test(n));

let desk: Awaited<ReturnType<typeof openDesk>>;
let served: Awaited<ReturnType<typeof serveSigned>>;
let session: Session;
beforeAll(async () => {
  desk = await openDesk({ before: (adapter) => airlineOfPointOfSale(withBulkheads(adapter, createBulkheads())) });
  served = await serveSigned({}, {}, { clerk: desk.clerk, close: async () => undefined } as never);
  session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Debugger.enable');
});
afterAll(async () => {
  session.disconnect();
  await served.close();
  await desk.close();
});

/** The steps in the line above the table. */
const [, shortLine = ''] = page.split('In short, one verb a step:\n\n');
const IN_SHORT = [...(shortLine.split('\n\n')[0] ?? '').matchAll(/`(\w+)`/g)].map(([, step]) => step);

/** A tool call as a host with dialogs makes it. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields the contract names
async function call(name: string, args: object, answer: object = {}): Promise<any> {
  const _meta = { ...META, 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
    authorization: `Bearer ${await served.token({ sub: 'ann' })}`,
  };
  const body = message('tools/call', { name, arguments: args, _meta, ...answer });
  const reply = await fetch(served.url, { method: 'POST', headers, body });
  return messageIn(await reply.text()).result;
}

/** Asks about a payment; the function that comes back says yes. */
async function askToPay(): Promise<() => Promise<void>> {
  const locator = await heldBooking(desk);
  await call('read_booking', { locator, surname: await desk.surnameIn(locator) });
  const { requestState, inputRequests } = await call('pay_booking', { locator, ...PAY });
  const act = inputRequests.approval.params.requestedSchema.properties.decision.enum[1];
  return async () => {
    const answer = { requestState, inputResponses: { approval: accept(act) } };
    const paid = await call('pay_booking', { locator, ...PAY }, answer);
    expect(paid.structuredContent).toMatchObject({ status: 'done' });
  };
}

interface Found {
  readonly startOffset: number;
  readonly at: string;
  readonly scriptId: string;
}

/** The functions of our sources that ran while this work was done, each `FILE NAME`. */
async function ranIn(work: () => Promise<void>): Promise<readonly Found[]> {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await work();
  const { result } = (await session.post('Profiler.takePreciseCoverage')) as Profiler.TakePreciseCoverageReturnType;
  await session.post('Profiler.stopPreciseCoverage');
  return result
    .filter(({ url }) => url.includes('/src/'))
    .flatMap(({ url, scriptId, functions }) =>
      functions.flatMap(({ functionName, ranges: [range] }) => {
        const file = url.slice(url.lastIndexOf('/src/') + 5).replace(/\?.*$/, '');
        if (range === undefined || range.count === 0) return [];
        return [{ startOffset: range.startOffset, scriptId, at: `${file} ${functionName}` }];
      }),
    );
}

/** Those of {@link noteCalls}. */
const breakpoints: string[] = [];

/** Notes each call of these functions from now on: a breakpoint whose condition notes it, and never holds. */
async function noteCalls(found: readonly Found[], called: string[]): Promise<void> {
  Object.assign(globalThis, { noteCall: (at: string) => void called.push(at) });
  // A test that is tried again has set some before.
  for (const breakpointId of breakpoints.splice(0)) await session.post('Debugger.removeBreakpoint', { breakpointId });
  for (const { at, scriptId, startOffset } of found) {
    const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
    // Behind its first character: there it is still a value of the function around it.
    const lines = scriptSource.slice(0, startOffset + 1).split('\n');
    const location = { scriptId, lineNumber: lines.length - 1, columnNumber: lines.at(-1)?.length ?? 0 };
    const condition = `noteCall(${JSON.stringify(at)})`;
    const made = (await session.post('Debugger.setBreakpoint', { location, condition })) as { breakpointId: string };
    breakpoints.push(made.breakpointId);
  }
}

// The inspector has missed one call, in one of many runs: what is truly missing is missing three times.
test('a payment takes the steps of the page in their order, each once, and none has no reason', {
  retry: 2,
}, async () => {
  const known = new Set(WAY.map(({ at }) => at));
  const found = (await ranIn(await askToPay())).filter(({ at }) => known.has(at));
  const called: string[] = [];
  const yes = await askToPay();
  await noteCalls(found, called);
  await yes();
  const begun = called.indexOf('clerk/context.ts previewAgain') + 1;
  const reading = called.splice(begun, called.indexOf('journal/perform.ts commitDispatch') - begun);
  expect(reading.at(-1)).toBe('ota/transport/http.ts onRequestStart');
  // Behind the first byte the booking is read once more, for the answer.
  expect(called.slice(0, WAY.length)).toEqual(WAY.map(({ at }) => at));
  expect(NUMBERED.map(({ n }) => n)).toEqual(NUMBERED.map((_, i) => String(i + 1)));
  expect(IN_SHORT).toEqual(NUMBERED.map(({ at }) => at.split(' ')[1]));
  expect(NUMBERED.length).toBeGreaterThan(15);
  expect(WAY.length).toBeGreaterThan(NUMBERED.length);
  expect(NUMBERED.length).toBeLessThanOrEqual(18);
  expect(WAY.length).toBeLessThanOrEqual(33);
  expect(WAY.filter(({ why }) => why.length < 15)).toEqual([]);
});

/** Calls as a host on stdio makes them. */
function connectStdio() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = new StdioServerTransport(input, output);
  const handle = serveStdio(() => createMcpServer(desk.clerk, { version: '0', caller: CALLER }), { transport });
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields the contract names
  async function callOn(name: string, args: object, answer: object = {}): Promise<any> {
    const _meta = { ...META, 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
    const line = once(output, 'data');
    input.write(`${message('tools/call', { name, arguments: args, _meta, ...answer })}\n`);
    return JSON.parse(String((await line)[0])).result;
  }
  return { callOn, close: () => handle.close() };
}

/** The functions of our sources in a stack and in what it was awaited by, the innermost first. */
function framesOf(stack: Runtime.StackTrace | undefined): readonly string[] {
  if (stack === undefined) return [];
  const frames = stack.callFrames.map(({ url, functionName }) => ({ url, functionName }));
  const ours = frames.flatMap(({ url, functionName }) =>
    url.includes('/src/') && !url.includes('node_modules')
      ? [`${url.slice(url.lastIndexOf('/src/') + 5).replace(/\?.*$/, '')} ${functionName}`]
      : [],
  );
  return [...ours, ...framesOf(stack.parent)];
}

/** What runs the work of steps, and stands between them in a stack. */
const RUNNERS = [...page.matchAll(/^\| `([^`]+)` +\| `src\/([^`]+)` +\| .+? +\|$/gm)].map(
  ([, name, file]) => `${file} ${name}`,
);

test('on stdio the stack at the socket has each step of the page, and no function of ours that the page does not name or that has no name', async () => {
  const { callOn, close } = connectStdio();
  const locator = await heldBooking(desk);
  const { requestState, inputRequests } = await callOn('pay_booking', { locator, ...PAY });
  const act = inputRequests.approval.params.requestedSchema.properties.decision.enum[1];
  const answer = { requestState, inputResponses: { approval: accept(act) } };
  const stacks: (readonly string[])[] = [];
  session.on('Runtime.consoleAPICalled', ({ params }) => stacks.push(framesOf(params.stackTrace)));
  await session.post('Runtime.enable');
  await session.post('Debugger.setAsyncCallStackDepth', { maxDepth: 200 });
  // The breakpoints of the test above call it.
  const noteCall = (at: string) => void (at.endsWith(' onRequestStart') && inspectorConsole.trace(at));
  Object.assign(globalThis, { noteCall });
  const paid = await callOn('pay_booking', { locator, ...PAY }, answer);
  await close();
  expect(paid.structuredContent).toMatchObject({ status: 'done' });
  // The others are readings.
  const stack = stacks.find((frames) => frames.includes('approvals/recheck-and-send.ts sendConfirmed')) ?? [];
  const steps = NUMBERED.filter(({ why }) => !why.startsWith('Over HTTP')).map(({ at }) => at);
  const named = stack.toReversed();
  expect(named.filter((at) => !RUNNERS.includes(at))).toEqual(steps);
  expect(RUNNERS.filter((at) => !named.includes(at))).toEqual([]);
  expect(stack.filter((at) => at.endsWith(' '))).toEqual([]);
  process.stdout.write(`frames of ours from a request to the socket: ${stack.length}\n`);
  expect(stack.length).toBeLessThanOrEqual(31);
});
