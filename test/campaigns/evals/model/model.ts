/**
 * A model behind an endpoint that speaks OpenAI's chat completions, as many do, as far as a player needs one: what was said so far
 * goes in, words and calls come out.
 */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly schema: object;
}

export interface ToolUse {
  readonly id: string;
  readonly name: string;
  /** As the model wrote them; a text that is no JSON stays a text. */
  readonly args: unknown;
}

export interface ToolAnswer {
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
}

export interface Said {
  readonly text: string;
  readonly uses: readonly ToolUse[];
}

export type Message =
  | { readonly role: 'user'; readonly text: string }
  | ({ readonly role: 'assistant' } & Said)
  | { readonly role: 'tools'; readonly results: readonly ToolAnswer[] };

export type Model = ReturnType<typeof modelAt>;

export interface Endpoint {
  /** With its version: `https://host/v1`. */
  readonly address: string;
  readonly model: string;
  readonly key?: string;
  /** Milliseconds before a second try; a test waits less. */
  readonly pauseMs?: number;
}

const TRIES = 4;
const PATIENCE_MS = 180_000;

/** Posts JSON; too many calls and failures of the other side are tried again after a while. */
async function post<T>(
  { address, pauseMs = 2_000 }: Endpoint,
  headers: Readonly<Record<string, string>>,
  body: object,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const reply = await fetch(`${address.replace(/\/+$/, '')}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (reply.ok) return (await reply.json()) as T;
    const passing = reply.status === 429 || reply.status >= 500;
    // The text of a refusal is the endpoint's own; shown to whoever runs this, and cut.
    const words = (await reply.text()).slice(0, 300);
    if (!passing || attempt === TRIES) throw new Error(`the model's endpoint answered ${reply.status}: ${words}`);
    const wait = Number(reply.headers.get('retry-after')) * 1_000 || pauseMs * 2 ** (attempt - 1);
    await new Promise((resolve) => setTimeout(resolve, Math.min(wait, 60_000)));
  }
}

interface Completion {
  readonly choices?: readonly {
    readonly message?: {
      readonly content?: string | null;
      readonly tool_calls?: readonly {
        readonly id: string;
        readonly function: { readonly name: string; readonly arguments?: string };
      }[];
    };
  }[];
}

function turns(message: Message): readonly object[] {
  if (message.role === 'user') return [{ role: 'user', content: message.text }];
  if (message.role === 'tools')
    return message.results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text }));
  const calls = message.uses.map(({ id, name, args }) => {
    const text = typeof args === 'string' ? args : JSON.stringify(args);
    return { id, type: 'function', function: { name, arguments: text } };
  });
  return [{ role: 'assistant', content: message.text || null, ...(calls.length > 0 && { tool_calls: calls }) }];
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text);
  } catch {
    return text;
  }
}

export const modelAt = (endpoint: Endpoint) => ({
  async say(system: string, history: readonly Message[], specs: readonly ToolSpec[]): Promise<Said> {
    const { model, key } = endpoint;
    const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const tools = specs.map(({ name, description, schema }) => ({
      type: 'function',
      function: { name, description, parameters: schema },
    }));
    const messages = [{ role: 'system', content: system }, ...history.flatMap(turns)];
    const { choices } = await post<Completion>(endpoint, headers, { model, messages, tools });
    const message = choices?.[0]?.message;
    if (message === undefined) throw new Error("the model's endpoint answered without a message");
    const uses = (message.tool_calls ?? []).map(({ id, function: { name, arguments: args = '' } }) => ({
      id,
      name,
      args: jsonOr(args),
    }));
    return { text: message.content ?? '', uses };
  },
});
