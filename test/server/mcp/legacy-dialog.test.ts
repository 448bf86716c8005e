/**
 * How long a call of the 2025 handshakes waits for its dialog, and which answer it returns.
 */
import { ProtocolError, SdkError, SdkErrorCode, type ServerContext } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import type { Ask, Result } from '../../../src/approvals/answer.ts';
import type { CallHow } from '../../../src/server/clerk.ts';
import { askLegacy } from '../../../src/server/mcp/legacy-dialog.ts';

const QUESTION = { kind: 'ask', message: 'Pay?', form: {}, handle: 'ap_1' } as unknown as Ask;
const SILENCE_MS = 400;

const result = (status: string): Result => ({ kind: 'result', text: status, structured: { status }, isError: false });
const inMs = <T>(ms: number, value: T) => new Promise<T>((resolve) => setTimeout(resolve, ms, value));
const NO = { action: 'decline' };

interface Scene {
  /** What the host sends back for the dialog. */
  readonly host: () => Promise<unknown>;
  readonly signal?: AbortSignal;
  /** The clerk, called again. */
  call(more: Partial<CallHow>, approvalId?: string): Promise<Result>;
}

async function play({ host, signal = new AbortController().signal, call }: Scene) {
  const calls: Partial<CallHow>[] = [];
  const ctx = { mcpReq: { signal, send: host } } as unknown as ServerContext;
  const began = performance.now();
  const again = (more: Partial<CallHow>, approvalId?: string) => {
    calls.push(more);
    return call(more, approvalId);
  };
  const told = await askLegacy(QUESTION, ctx, again, { began, silenceMs: SILENCE_MS });
  return { status: told.structured.status, took: performance.now() - began, calls };
}

const untilAborted = (signal: AbortSignal | undefined, status: string) =>
  new Promise<Result>((resolve) => {
    if (signal?.aborted) resolve(result(status));
    signal?.addEventListener('abort', () => resolve(result(status)));
  });

describe('a dialog of the 2025 handshakes', () => {
  test('returns what the answer led to, with the time that it took', async () => {
    const { status, calls } = await play({ host: () => inMs(50, NO), call: async () => result('done') });
    expect(status).toBe('done');
    expect(calls).toHaveLength(1);
    expect(calls[0]?.dialog).toMatchObject({ handle: 'ap_1', raw: NO });
    expect(calls[0]?.dialog?.tookMs).toBeGreaterThanOrEqual(49);
  });

  test.each([
    ['an error of the client', new ProtocolError(-32601, 'Method not found')],
    ['a result of another form', new SdkError(SdkErrorCode.InvalidResult, 'invalid')],
  ])('takes %s for a dialog that showed nothing', async (_, error) => {
    const { calls } = await play({ host: () => Promise.reject(error), call: async () => result('approval_required') });
    expect(calls[0]?.dialog).toMatchObject({ raw: undefined });
  });

  test('answers before the host gives up if the dialog stays silent', async () => {
    const { status, took, calls } = await play({
      host: () => inMs(5_000, NO),
      call: async ({ signal }) => untilAborted(signal, 'approval_required'),
    });
    expect(status).toBe('approval_required');
    expect(calls).toMatchObject([{ isDialogOpen: true }]);
    expect(took).toBeGreaterThanOrEqual(SILENCE_MS * (11 / 8) - 20);
    expect(took).toBeLessThan(SILENCE_MS * 3);
  });

  test('returns the outcome of the page if the person answers there', async () => {
    const { status } = await play({ host: () => inMs(5_000, NO), call: async () => result('done') });
    expect(status).toBe('done');
  });

  test('returns the outcome of a dialog that is answered while the page asks too', async () => {
    const { status } = await play({
      host: () => inMs(SILENCE_MS + 50, NO),
      call: async ({ dialog, signal }) => (dialog ? result('done') : untilAborted(signal, 'approval_required')),
    });
    expect(status).toBe('done');
  });

  test('says the status of the operation if the airline takes longer than the call may', async () => {
    const { status, calls } = await play({
      host: () => inMs(50, NO),
      call: async ({ dialog }) => (dialog ? inMs(5_000, result('done')) : result('pending')),
    });
    expect(status).toBe('pending');
    expect(calls.map(({ isDialogOpen }) => isDialogOpen)).toEqual([undefined, true]);
    expect(calls[1]?.signal?.aborted).toBe(true);
  });

  test.each([
    ['the connection ended', () => Promise.reject(new SdkError(SdkErrorCode.ConnectionClosed, 'closed')), undefined],
    ['the host took the call back', () => inMs(20, NO), AbortSignal.timeout(5)],
  ])('takes no answer from the dialog if %s', async (_, host, signal) => {
    const calls: unknown[] = [];
    const call = async () => {
      calls.push('called');
      return result('done');
    };
    await expect(play({ host, call, ...(signal && { signal }) })).rejects.toThrow('without a reply');
    expect(calls).toEqual([]);
  });

  test('takes an accept from the dialog even if the host took the call back', async () => {
    const yes = { action: 'accept', content: { decision: 'Pay' } };
    const { status } = await play({
      host: () => inMs(20, yes),
      signal: AbortSignal.timeout(5),
      call: async () => result('done'),
    });
    expect(status).toBe('done');
  });
});
