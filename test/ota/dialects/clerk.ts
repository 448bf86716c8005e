/**
 * The whole product in this process, as its settings compose it, behind the same interface as a client over a pipe: real
 * sockets to the airline, a real store, a person who says yes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Composed, composeClerk } from '../../../src/cli/runtime/compose.ts';
import { readConfig } from '../../../src/config/load.ts';
import type { TestClient } from '../../e2e/clients.ts';
import type { Dialog, ToolResult } from '../../http/support/clients.ts';

type Answer = Awaited<ReturnType<Composed['clerk']['call']>>;
type Result = Extract<Answer, { kind: 'result' }>;

export interface InProcess extends TestClient {
  readonly composed: Composed;
  /** Codes of the errors that calls came to. */
  readonly errors: string[];
}

/** @param env settings; a state folder of its own is added and removed */
export function clerkIn(env: Readonly<Record<string, string>>): InProcess {
  const folder = mkdtempSync(join(tmpdir(), 'fareclerk-dialect-'));
  const config = readConfig({
    FARECLERK_STATE_DIR: folder,
    XDG_STATE_HOME: folder,
    FARECLERK_LOG_LEVEL: 'silent',
    ...env,
  });
  // The person of these tests answers at once.
  const composed = composeClerk({ ...config, dialogFloorMs: 0 });
  const { clerk, caller } = composed;
  const dialogs: Dialog[] = [];
  const errors: string[] = [];
  const how = { caller, canElicit: true, canOpenUrls: false };

  /** When asked, the person types the words that confirm the act. */
  async function answered(name: string, args: Record<string, unknown>, first: Answer): Promise<Result> {
    if (first.kind === 'result') return first;
    if (first.kind !== 'ask') throw new Error(`${name} asked for a page`);
    dialogs.push({ message: first.message, requestedSchema: first.form as unknown as Dialog['requestedSchema'] });
    const decision = first.form.properties.decision.enum.find((choice) => choice !== 'no');
    const dialog = { handle: first.handle, raw: { action: 'accept', content: { decision } } };
    return answered(name, args, await clerk.call(name, args, { ...how, dialog }));
  }

  return {
    kind: 'v2-2026',
    composed,
    dialogs,
    errors,
    list: async () => clerk.tools.map(({ name }) => ({ name })),
    async call(name, args): Promise<ToolResult> {
      const { text, structured, isError } = await answered(name, args, await clerk.call(name, args, how));
      if (isError) errors.push(String((structured.error as { code?: unknown })?.code));
      return { content: [{ type: 'text', text }], structuredContent: structured, isError };
    },
    async close() {
      await clerk.idle();
      await composed.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
