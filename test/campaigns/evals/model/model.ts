/**
 * A model behind an endpoint, as far as a player needs one: what was said so far goes in, words and calls come out.
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

export type Message =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly uses: readonly ToolUse[] }
  | { readonly role: 'tools'; readonly results: readonly ToolAnswer[] };

export interface ToolAnswer {
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
}

export interface Said {
  readonly text: string;
  readonly uses: readonly ToolUse[];
}

export interface Model {
  say(system: string, history: readonly Message[], tools: readonly ToolSpec[]): Promise<Said>;
}

export interface Endpoint {
  /** With its version: `https://host/v1`. */
  readonly address: string;
  readonly model: string;
  readonly key?: string;
  /** Most tokens of one answer. */
  readonly maxTokens?: number;
  /** Milliseconds; a test waits less. */
  readonly pauseMs?: number;
}

const TRIES = 4;
const PATIENCE_MS = 180_000;

/** Posts JSON; too many calls and failures of the other side are tried again after a while. */
export async function post(
  endpoint: Endpoint,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: object,
): Promise<unknown> {
  const { address, pauseMs = 2_000 } = endpoint;
  for (let attempt = 1; ; attempt++) {
    const reply = await fetch(`${address.replace(/\/+$/, '')}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (reply.ok) return reply.json();
    const passing = reply.status === 429 || reply.status >= 500;
    // The text of a refusal is the endpoint's own; shown to whoever runs this, and cut.
    const words = (await reply.text()).slice(0, 300);
    if (!passing || attempt === TRIES) throw new Error(`the model's endpoint answered ${reply.status}: ${words}`);
    const wait = Number(reply.headers.get('retry-after')) * 1_000 || pauseMs * 2 ** (attempt - 1);
    await new Promise((resolve) => setTimeout(resolve, Math.min(wait, 60_000)));
  }
}

export function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text);
  } catch {
    return text;
  }
}
