/** Reads what must be known of a body before MCP gets it. */
import { scopeOf } from '../../approvals/scopes.ts';
import type { Tool } from '../../tools/definition/define.ts';

interface Message {
  readonly method?: unknown;
  readonly params?: unknown;
}

export function messagesIn(body: unknown): readonly Message[] {
  const list: readonly unknown[] = Array.isArray(body) ? body : [body];
  return list.filter((one): one is Message => typeof one === 'object' && one !== null);
}

/** Scopes of the called tools. Unknown names need none: MCP refuses them. */
export function scopesNeeded(messages: readonly Message[], tools: readonly Tool[]): readonly string[] {
  const called = messages.filter(({ method }) => method === 'tools/call').map(({ params }) => field(params, 'name'));
  return tools.filter(({ name }) => called.includes(name)).map(scopeOf);
}

/** Whether the body opens an endless stream of changes. */
export function isListening(messages: readonly Message[]): boolean {
  return messages.some(({ method }) => method === 'subscriptions/listen');
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
