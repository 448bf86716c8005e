/** Opens the demo's own MCP host: a real client on stdio that starts a fareclerk in a temporary state folder. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { VERSION } from '../../core/version.ts';
import type { Terminal } from '../terminal/command.ts';

/** The fields of results that the demo reads. */
export interface DemoFields {
  status?: string;
  error?: { code?: string };
  approval?: { id?: string };
  currency?: string;
  offers?: { offer_id: string; total: string; legs: DemoLeg[] }[];
  booking?: { locator: string; state: string; total: string; currency: string };
  refund?: { currency?: string; refund_now?: string; stated?: { back: string }; estimate?: { back?: string } };
  bookings?: { locator: string }[];
  plan_id?: string;
  lines?: unknown[];
  /** What is paid and comes back by a plan, by currency. */
  sums?: string[];
  plan?: { state: string; lines: DemoLine[] };
  tickets?: { number: string }[];
  segments?: { cabins: { yours?: { seat: string; coach?: string }[] }[] }[];
  /** Changes, as list_bookings shows them. */
  changes?: { train?: string; date?: string; bookings?: number }[];
}

/** A leg of an offer. Without a change of trains it names its train itself. Times are local, with their offset. */
export interface DemoLeg {
  flight?: string;
  departs?: string;
  /** Without `detail: full` it is there only if nine or fewer are left. */
  seats_left?: number;
  segments?: { departs: string }[];
}

/** A line of a plan: its state, and the money that moved for it. */
export interface DemoLine {
  n: number;
  state: string;
  sums?: string[];
}

export type DemoHost = Awaited<ReturnType<typeof openHost>>;

/** A tool's result. `text`: as a model reads it. */
export type DemoReply = Awaited<ReturnType<DemoHost['call']>>;

interface HostOptions {
  readonly terminal: Pick<Terminal, 'execPath' | 'argv'>;
  /** Settings of the server besides its state folder. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Further arguments of `fareclerk serve`. */
  readonly flags?: readonly string[];
  /** Default: a temporary one, removed at the end. */
  readonly stateDir?: string | undefined;
  /** Opens a page for the person. Without it the host opens none. */
  readonly opens?: ((url: string) => void) | undefined;
  /** Shows a dialog; returns the person's choice, or undefined if they closed it. Without it the host shows no dialogs. */
  readonly answer?: ((message: string, choices: readonly string[]) => Promise<string | undefined>) | undefined;
}

export async function openHost({ terminal, settings, flags = [], stateDir, opens, answer }: HostOptions) {
  const folder = stateDir ?? (await mkdtemp(join(tmpdir(), 'fareclerk-demo-')));

  const client = new Client(
    { name: 'fareclerk-demo', version: VERSION },
    {
      capabilities: { elicitation: { ...(answer && { form: {} }), ...(opens && { url: {} }) } },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  );

  client.setRequestHandler('elicitation/create', async ({ params }) => {
    if (params.mode === 'url') {
      opens?.(params.url);
      return { action: 'accept' };
    }
    const { decision: field } = params.requestedSchema.properties as { decision?: { enum?: string[] } };
    const decision = await answer?.(params.message, field?.enum ?? []);
    return decision === undefined ? { action: 'cancel' } : { action: 'accept', content: { decision } };
  });

  // The second records of the server's journal are removed with the state, too.
  const folders = { XDG_STATE_HOME: folder, FARECLERK_STATE_DIR: folder };
  const transport = new StdioClientTransport({
    command: terminal.execPath,
    args: [terminal.argv[1] ?? '', 'serve', ...flags],
    env: { FARECLERK_LOG_LEVEL: 'fatal', ...settings, ...folders },
    stderr: 'inherit',
  });
  await client.connect(transport);

  return {
    async call(name: string, args: Readonly<Record<string, unknown>>) {
      const { content, structuredContent = {}, isError } = await client.callTool({ name, arguments: args });
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
      return { text, data: structuredContent as DemoFields, isError: isError === true };
    },

    async close() {
      await client.close();
      if (stateDir === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}
