/**
 * MCP Apps (2026-01-26): JSON-RPC with the host over postMessage.
 */
import { say, show } from './dom.js';
import { told } from './outcome.js';

const ANSWER_MS = 30_000;
const waiting = new Map();
let sent = 0;
let input = {};

const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');

function request(method, params) {
  const id = ++sent;
  post({ id, method, params });
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    setTimeout(() => reject(new Error('no answer')), ANSWER_MS);
  });
}

/** A tool that reads, through the host; its data, or undefined where the host or the tool refuses. */
export async function read(name, args) {
  try {
    const { structuredContent, isError } = await request('tools/call', { name, arguments: args });
    return isError ? undefined : structuredContent;
  } catch {
    return undefined;
  }
}

/** Tells the model what the person chose. Nothing is done by it. `short` is for the person to say where it fails. */
export async function choose(text, short) {
  try {
    await request('ui/update-model-context', { content: [{ type: 'text', text }] });
    say(`Noted: ${short}. Nothing is done yet: tell the assistant to go on.`);
  } catch {
    say(`The assistant could not be told. Write to it: ${short}.`);
  }
}

/** The host's theme and colours, where it names them. */
function dress({ theme, styles } = {}) {
  const { style } = document.documentElement;
  if (theme === 'light' || theme === 'dark') style.colorScheme = theme;
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith('--') && value) style.setProperty(name, value);
  }
}

/** Nodes of `render(result, input)`, or the result in words: where that finds nothing to draw, and where it fails. */
export function start(title, render) {
  const draw = async (result) => {
    let drawn;
    try {
      if (!result.isError) drawn = await render(result, input);
    } catch {
      // A result of another shape than this view knows still has its words.
    }
    show(drawn ?? told(result));
  };
  const heard = {
    'ui/notifications/tool-input': (params) => {
      input = params.arguments ?? {};
    },
    'ui/notifications/tool-result': draw,
    'ui/notifications/tool-cancelled': () => say('The call was cancelled.'),
    'ui/notifications/host-context-changed': dress,
  };
  addEventListener('message', ({ source, data }) => {
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
