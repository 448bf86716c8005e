/** MCP Apps (2026-01-26): JSON-RPC with the host over postMessage. */
import { type Child, say, show } from './dom.ts';
import { told } from './outcome.ts';
import type { Data, ToolResult } from './result.ts';

export type Input = Readonly<Record<string, unknown>>;

/** Parameters and results of messages, as far as they are read here. */
interface Params extends ToolResult<Data>, HostContext {
  readonly arguments?: Input;
  readonly hostContext?: HostContext;
}

interface HostContext {
  readonly theme?: string;
  readonly styles?: { readonly variables?: Readonly<Record<string, string>> };
}

interface Message {
  readonly jsonrpc?: string;
  readonly id?: number;
  readonly method?: string;
  readonly params?: Params;
  readonly result: Params;
  readonly error?: { readonly message: string };
}

const ANSWER_MS = 30_000;
const waiting = new Map<number | undefined, { resolve(result: Params): void; reject(error: Error): void }>();
let sent = 0;
let input: Input = {};

const post = (message: object) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');

function request(method: string, params: object): Promise<Params> {
  const id = ++sent;
  post({ id, method, params });
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    setTimeout(() => reject(new Error('no answer')), ANSWER_MS);
  });
}

/** Calls a reading tool through the host; undefined if the host or the tool refuses. */
export async function read<D>(name: string, args: Input): Promise<D | undefined> {
  try {
    const { structuredContent, isError } = await request('tools/call', { name, arguments: args });
    return isError ? undefined : (structuredContent as D);
  } catch {
    return undefined;
  }
}

/** Tells the model what the person chose; does nothing else. `short` is for the person to repeat if that fails. */
export async function choose(text: string, short: string): Promise<void> {
  try {
    await request('ui/update-model-context', { content: [{ type: 'text', text }] });
    say(`Noted: ${short}. Nothing is done yet: tell the assistant to go on.`);
  } catch {
    say(`The assistant could not be told. Write to it: ${short}.`);
  }
}

/** Applies the host's theme and colours. */
function dress({ theme, styles }: HostContext = {}): void {
  const { style } = document.documentElement;
  if (theme === 'light' || theme === 'dark') style.colorScheme = theme;
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith('--') && value) style.setProperty(name, value);
  }
}

/** Draws results by `render`; draws the result's text if that returns nothing or fails. */
export function start<D>(title: string, render: (data: D, input: Input) => Child | Promise<Child>): void {
  const draw = async (result: Params) => {
    let drawn: Child;
    try {
      if (!result.isError) drawn = await render(result.structuredContent as D, input);
    } catch {
      // The result has a shape that this view does not know.
    }
    show(drawn ?? told(result));
  };
  const heard: Readonly<Record<string, (params: Params) => void>> = {
    'ui/notifications/tool-input': (params) => {
      input = params.arguments ?? {};
    },
    'ui/notifications/tool-result': draw,
    'ui/notifications/tool-cancelled': () => say('The call was cancelled.'),
    'ui/notifications/host-context-changed': dress,
  };
  addEventListener('message', ({ source, data }: MessageEvent<Message | undefined>) => {
    if (source !== parent || data?.jsonrpc !== '2.0') return;
    const { id, method, params, result, error } = data;
    if (method === undefined) {
      const waiter = waiting.get(id);
      waiting.delete(id);
      if (error) waiter?.reject(new Error(error.message));
      else waiter?.resolve(result);
    } else if (id === undefined) heard[method]?.(params ?? {});
    else if (method === 'ping' || method === 'ui/resource-teardown') post({ id, result: {} });
    else post({ id, error: { code: -32601, message: 'Method not found' } });
  });
  const size = () => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    post({ method: 'ui/notifications/size-changed', params: { height } });
  };
  const appInfo = { name: `fareclerk ${title}`, version: '1' };
  request('ui/initialize', { appInfo, appCapabilities: {}, protocolVersion: '2026-01-26' }).then(
    ({ hostContext }) => {
      dress(hostContext);
      post({ method: 'ui/notifications/initialized', params: {} });
      new ResizeObserver(size).observe(document.body);
    },
    () => say('The host does not answer.'),
  );
}
