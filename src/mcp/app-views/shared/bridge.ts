/**
 * Connects a view with its host (MCP Apps 2026-01-26), by JSON-RPC over postMessage. In order: requests to the host, drawing what it
 * sends, and the words that a view may say in the person's name, a safety rule.
 */
import { announce, type Child, show } from './dom.ts';
import { outcomeText, type ResultData, type ToolResult } from './result.ts';
import { keepVehicle } from './words.ts';

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
  /** Present in a reply without an error. */
  readonly result: Params;
  readonly error?: object;
}

/** How long a request waits for its reply, milliseconds. */
const ANSWER_MS = 30_000;
/** Requests to the host by their ids, until their reply comes. */
const waiting = new Map<number | undefined, { resolve(result: Params): void; reject(error: object): void }>();
/** How many requests were sent; the id of the last one. */
let sent = 0;
/** The arguments of the tool call whose result is shown. */
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

/** Calls a tool that reads through the host. Undefined if the host or the tool refuses. */
export async function callReadingTool<D>(name: string, args: ToolInput): Promise<D | undefined> {
  try {
    const { structuredContent, isError, _meta } = await request('tools/call', { name, arguments: args });
    keepVehicle(_meta?.['io.github.fareclerk/view']?.vehicle);
    return isError ? undefined : (structuredContent as D);
  } catch {
    return undefined;
  }
}

/**
 * Says `text` in the conversation, in the person's name; does nothing else. Where the host cannot, gives it to the model
 * silently; else asks the person to write it.
 */
export async function sayChoice({ text }: OurWords, button: Element): Promise<void> {
  const content = [{ type: 'text', text }];
  for (const method of ['ui/message', 'ui/update-model-context']) {
    try {
      const { isError } = await request(method, { role: 'user', content });
      if (isError) continue;
      announce('The assistant knows. Nothing is booked or changed yet.', button);
      return;
    } catch {
      // The host cannot do this: the next way is tried.
    }
  }

  announce(`The assistant did not get this. Write to it: ${text}`, button);
}

/** Applies the host's theme and colours. */
function applyTheme({ theme, styles }: HostContext = {}): void {
  const { style } = document.documentElement;
  if (theme === 'light' || theme === 'dark') style.colorScheme = theme;
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith('--') && value) style.setProperty(name, value);
  }
}

type Render<D> = (data: D, input: ToolInput, result: ToolResult<ResultData>) => Child | Promise<Child>;

/** Draws results by `render`; draws the result's text if that returns nothing or fails. */
export function startView<D>(render: Render<D>): void {
  const draw = async (result: Params) => {
    let drawn: Child;
    keepVehicle(result._meta?.['io.github.fareclerk/view']?.vehicle);

    try {
      const failed = result.isError || result.structuredContent?.error;
      if (!failed) drawn = await render(result.structuredContent as D, input, result);
    } catch {
      // The result has a shape that this view does not know.
    }

    show(drawn ?? outcomeText(result));
  };

  const notifications: Readonly<Record<string, (params: Params) => void>> = {
    'ui/notifications/tool-input': (params) => {
      input = params.arguments ?? {};
    },
    'ui/notifications/tool-result': draw,
    'ui/notifications/tool-cancelled': () => announce('The call was cancelled.'),
    'ui/notifications/host-context-changed': applyTheme,
  };

  addEventListener('message', ({ source, data }: MessageEvent<BridgeMessage | undefined>) => {
    if (source !== parent || data?.jsonrpc !== '2.0') return;

    const { id, method, params, result, error } = data;
    if (method === undefined) {
      const waiter = waiting.get(id);
      waiting.delete(id);
      if (error) waiter?.reject(error);
      else waiter?.resolve(result);
    } else if (id === undefined) notifications[method]?.(params ?? {});
    else if (method === 'ping' || method === 'ui/resource-teardown') post({ id, result: {} });
    else post({ id, error: { code: -32601, message: 'Method not found' } });
  });

  const reportHeight = () => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    post({ method: 'ui/notifications/size-changed', params: { height } });
  };

  const appInfo = { name: `fareclerk ${document.title}`, version: '1' };
  request('ui/initialize', { appInfo, appCapabilities: {}, protocolVersion: '2026-01-26' }).then(
    ({ hostContext }) => {
      applyTheme(hostContext);
      post({ method: 'ui/notifications/initialized', params: {} });
      new ResizeObserver(reportHeight).observe(document.body);
    },
    () => announce('The host does not answer.'),
  );
}

/**
 * What a view says in the conversation. It stands there in the person's name, so it is made of our own words and of values that
 * cannot be words: offers, locators, pointers and seats with a number, amounts, days and times. Nothing else that an airline
 * wrote gets in.
 */
export interface OurWords {
  readonly text: string;
}

const VALUES: readonly RegExp[] = [
  // An offer, of ours.
  /^o[a-z0-9]{7,8}$/,
  // A locator. One word in capitals has this form too.
  /^[A-Z0-9]{5,8}$/,
  // A pointer or a seat, with its coach: `1`, `T12`, `12C`, `001-31`.
  /^(?:[A-Za-z0-9]{1,6}-)?[A-Za-z]{0,3}\d{1,6}[A-Za-z]?$/,
  // An amount.
  /^[A-Z]{3} -?[\d,]+(?:\.\d{1,4})?$/,
  // A day, with or without its time.
  /^[A-Z][a-z]{2} \d{1,2} [A-Z][a-z]{2}(?: \d{4})?(?: \d{2}:\d{2})?$/,
];

const isPlain = (value: string): boolean => VALUES.some((form) => form.test(value));

/** Writes a message: `ours\`I choose offer ${id}\``. A value that could be words is left out. */
export function ours(words: TemplateStringsArray, ...values: readonly (string | OurWords)[]): OurWords {
  const shown = values.map((value) => {
    if (typeof value !== 'string') return value.text;
    return isPlain(value) ? value : 'as shown';
  });
  return { text: String.raw({ raw: words }, ...shown) };
}

export function joinWords(messages: readonly OurWords[], between: string): OurWords {
  return { text: messages.map(({ text }) => text).join(between) };
}
