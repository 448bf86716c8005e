/**
 * Chat completions, as OpenAI's API and many others speak it.
 */
import { type Endpoint, jsonOr, type Message, type Model, post, type ToolSpec } from './model.ts';

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

function wire(message: Message): readonly object[] {
  if (message.role === 'user') return [{ role: 'user', content: message.text }];
  if (message.role === 'tools')
    return message.results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text }));
  const calls = message.uses.map(({ id, name, args }) => ({
    id,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  }));
  return [{ role: 'assistant', content: message.text || null, ...(calls.length > 0 && { tool_calls: calls }) }];
}

const toolOf = ({ name, description, schema }: ToolSpec) => ({
  type: 'function',
  function: { name, description, parameters: schema },
});

export function openai(endpoint: Endpoint): Model {
  const { model, key, maxTokens } = endpoint;
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return {
    async say(system, history, tools) {
      const body = {
        model,
        messages: [{ role: 'system', content: system }, ...history.flatMap(wire)],
        tools: tools.map(toolOf),
        ...(maxTokens !== undefined && { max_tokens: maxTokens }),
      };
      const { choices } = (await post(endpoint, '/chat/completions', headers, body)) as Completion;
      const message = choices?.[0]?.message;
      if (message === undefined) throw new Error("the model's endpoint answered without a message");
      const uses = (message.tool_calls ?? []).map(({ id, function: { name, arguments: args = '' } }) => ({
        id,
        name,
        args: jsonOr(args),
      }));
      return { text: message.content ?? '', uses };
    },
  };
}
