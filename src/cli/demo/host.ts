/** Opens the demo's own MCP host: a real client on stdio that starts a fareclerk in a temporary state folder. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { VERSION } from '../../version.ts';

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
  lines?: { line: number; money?: string }[];
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
  sums?: { currency: string; paid?: string; came_back?: string }[];
}

/** `text`: the result as a model reads it. */
export type DemoReply = ReturnType<typeof readReply>;

/** The host's dialog: the question and its choices, none of them preselected. */
export type Dialog = ReturnType<typeof readDialog>;

export type DemoHost = Awaited<ReturnType<typeof openHost>>;

interface HostOptions {
  /** How to start fareclerk: program and first arguments. */
  readonly program: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Settings of the server besides its state folder. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Seconds until a lost answer is settled; default: those of a real server. */
  readonly rehearsal?: number;
  /** The state folder. Default: a temporary one, removed at the end. */
  readonly stateDir?: string | undefined;
  /** Opens a page for the person. Without it the host opens none. */
  readonly opens?: ((url: string) => void) | undefined;
  /** Returns the person's choice; undefined if they closed the dialog. Without it the host shows no dialogs. */
  readonly answer?: ((dialog: Dialog) => Promise<string | undefined>) | undefined;
}

/** Variables that the server gets from the environment of the demo: no settings of a real airline. */
const PASSED_ON_VARIABLES = ['PATH', 'HOME', 'LOCALAPPDATA', 'SYSTEMROOT', 'TEMP', 'TMPDIR', 'TZ', 'XDG_CACHE_HOME'];

export async function openHost(options: HostOptions) {
  const stateDir = options.stateDir ?? (await mkdtemp(join(tmpdir(), 'fareclerk-demo-')));
  const { opens, answer, rehearsal } = options;
  const [command, ...args] = options.program;
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
    const decision = await answer?.(readDialog(params));
    return decision === undefined ? { action: 'cancel' } : { action: 'accept', content: { decision } };
  });
  const transport = new StdioClientTransport({
    command,
    args: [...args, 'serve', ...(rehearsal === undefined ? [] : ['--rehearsal', String(rehearsal)])],
    env: demoEnvironment(options, stateDir),
    stderr: 'inherit',
  });
  await client.connect(transport);
  return {
    call: async (name: string, args: Readonly<Record<string, unknown>>) =>
      readReply(await client.callTool({ name, arguments: args })),
    async close() {
      await client.close();
      if (options.stateDir === undefined)
        await rm(stateDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

function readDialog(params: unknown) {
  const { message = '', requestedSchema } = params as {
    message?: string;
    requestedSchema?: { properties?: { decision?: { enum?: string[] } } };
  };
  return { message, choices: requestedSchema?.properties?.decision?.enum ?? [] };
}

function readReply(result: unknown) {
  const {
    content,
    structuredContent: data = {},
    isError,
  } = result as {
    content?: readonly { type: string; text?: string }[];
    structuredContent?: DemoFields;
    isError?: boolean;
  };
  const text = (content ?? []).flatMap((part) => part.text ?? []).join('\n');
  return { text, data, isError: isError === true };
}

/** The environment of a fareclerk of the demo. */
function demoEnvironment(
  { env, settings }: Pick<HostOptions, 'env' | 'settings'>,
  stateDir: string,
): Record<string, string> {
  const passedOn = PASSED_ON_VARIABLES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  // The second records of its journal are removed with the state, too.
  const folders = { XDG_STATE_HOME: stateDir, FARECLERK_STATE_DIR: stateDir };
  return { ...Object.fromEntries(passedOn), FARECLERK_LOG_LEVEL: 'fatal', ...settings, ...folders };
}
