/**
 * Messages, as Anthropic's API and those like it speak it.
 */
import { type Endpoint, type Message, type Model, post, type ToolSpec } from './model.ts';

type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown };

interface Reply {
  readonly content?: readonly Block[];
}

const MAX_TOKENS = 4_096;

function wire(message: Message): object {
  if (message.role === 'user') return { role: 'user', content: message.text };
  if (message.role === 'tools') {
    const content = message.results.map(({ id, text, isError }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: text,
      ...(isError && { is_error: true }),
    }));
    return { role: 'user', content };
  }
  const text = message.text === '' ? [] : [{ type: 'text', text: message.text }];
  const uses = message.uses.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args }));
  return { role: 'assistant', content: [...text, ...uses] };
}

const toolOf = ({ name, description, schema }: ToolSpec) => ({ name, description, input_schema: schema });

export function anthropic(endpoint: Endpoint): Model {
  const { model, key, maxTokens = MAX_TOKENS } = endpoint;
  const headers = { 'anthropic-version': '2023-06-01', ...(key !== undefined && { 'x-api-key': key }) };
  return {
    async say(system, history, tools) {
      const body = { model, max_tokens: maxTokens, system, messages: history.map(wire), tools: tools.map(toolOf) };
      const { content } = (await post(endpoint, '/messages', headers, body)) as Reply;
      if (content === undefined) throw new Error("the model's endpoint answered without content");
      const text = content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n');
      const uses = content.flatMap((block) =>
        block.type === 'tool_use' ? { id: block.id, name: block.name, args: block.input } : [],
      );
      return { text, uses };
    },
  };
}
