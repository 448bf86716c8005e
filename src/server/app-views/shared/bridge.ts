/** MCP Apps (2026-01-26): JSON-RPC with the host over postMessage. */
import { type Child, say, show } from './dom.ts';
import type { OurWords } from './our-words.ts';
import { outcomeText } from './outcome.ts';
import type { ResultData, ToolResult } from './result.ts';
import { learn } from './words.ts';

export type ToolInput = Readonly<Record<string, unknown>>;

/** Parameters and results of messages, as far as they are read here. */
interface Params extends ToolResult<ResultData>, HostContext {
  readonly arguments?: ToolInput;
  readonly hostContext?: HostContext;
}

interface HostContext {
  readonly theme?: string;
  readonly styles?: { readonly variables?: Readonly<Record<string, string>> };
}

interface BridgeMessage {
  readonly jsonrpc?: string;
  readonly id?: number;
  readonly method?: string;
  readonly params?: Params;
  readonly result: Params;
  readonly error?: object;
}

const NOTE = 'ui/notifications/';
const ANSWER_MS = 30_000;
const waiting = new Map<number | undefined, { resolve(result: Params): void; reject(error: object): void }>();
let sent = 0;
let input: ToolInput = {};

const post = (message: object) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');

function request(method: string, params: object): Promise<Params> {
  const id = ++sent;
  post({ id, method, params });
  return new Promise<Params>((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    setTimeout(() => reject({}), ANSWER_MS);
  });
}

/** Calls a reading tool through the host; undefined if the host or the tool refuses. */
export async function read<D>(name: string, args: ToolInput): Promise<D | undefined> {
  try {
    const { structuredContent, isError, _meta } = await request('tools/call', { name, arguments: args });
    learn(_meta?.['io.github.fareclerk/view']);
    return isError ? undefined : (structuredContent as D);
  } catch {
    return undefined;
  }
}

/**
 * Says `text` in the conversation, in the person's name; does nothing else. Where the host cannot, gives it to the model
 * silently; else asks the person to write it.
 */
export async function choose({ text }: OurWords, near: Element): Promise<void> {
  const content = [{ type: 'text', text }];
  for (const method of ['ui/message', 'ui/update-model-context']) {
    try {
      const { isError } = await request(method, { role: 'user', content });
      if (isError) continue;
      say('The assistant knows. Nothing is booked or changed yet.', near);
      return;
    } catch {
      // The next way.
    }
  }
  say(`The assistant did not get this. Write to it: ${text}`, near);
}

/** Applies the host's theme and colours. */
function dress({ theme, styles }: HostContext = {}): void {
  const { style } = document.documentElement;
  if (theme === 'light' || theme === 'dark') style.colorScheme = theme;
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith('--') && value) style.setProperty(name, value);
  }
}

type Render<D> = (data: D, input: ToolInput, result: ToolResult<ResultData>) => Child | Promise<Child>;

/** Draws results by `render`; draws the result's text if that returns nothing or fails. */
export function start<D>(render: Render<D>): void {
  const draw = async (result: Params) => {
    let drawn: Child;
    learn(result._meta?.['io.github.fareclerk/view']);
    try {
      const failed = result.isError || result.structuredContent?.error;
      if (!failed) drawn = await render(result.structuredContent as D, input, result);
    } catch {
      // The result has a shape that this view does not know.
    }
    show(drawn ?? outcomeText(result));
  };
  const heard: Readonly<Record<string, (params: Params) => void>> = {
    [`${NOTE}tool-input`]: (params) => {
      input = params.arguments ?? {};
    },
    [`${NOTE}tool-result`]: draw,
    [`${NOTE}tool-cancelled`]: () => say('The call was cancelled.'),
    [`${NOTE}host-context-changed`]: dress,
  };
  addEventListener('message', ({ source, data }: MessageEvent<BridgeMessage | undefined>) => {
    if (source !== parent || data?.jsonrpc !== '2.0') return;
    const { id, method, params, result, error } = data;
    if (method === undefined) {
      const waiter = waiting.get(id);
      waiting.delete(id);
      if (error) waiter?.reject(error);
      else waiter?.resolve(result);
    } else if (id === undefined) heard[method]?.(params ?? {});
    else if (method === 'ping' || method === 'ui/resource-teardown') post({ id, result: {} });
    else post({ id, error: { code: -32601, message: 'Method not found' } });
  });
  const size = () => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    post({ method: `${NOTE}size-changed`, params: { height } });
  };
  const appInfo = { name: `fareclerk ${document.title}`, version: '1' };
  request('ui/initialize', { appInfo, appCapabilities: {}, protocolVersion: '2026-01-26' }).then(
    ({ hostContext }) => {
      dress(hostContext);
      post({ method: `${NOTE}initialized`, params: {} });
      new ResizeObserver(size).observe(document.body);
    },
    () => say('The host does not answer.'),
  );
}
