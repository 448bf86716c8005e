/** The published program on stdio, spoken to message by message; all that it says is kept. */
import { type Message as Json, StdioClient } from '../../support/stdio-client.ts';
import type { Seen } from './seen.ts';

export type Person = 'yes' | 'no' | 'closes' | 'cannot be asked';

export class Clerk extends StdioClient {
  person: Person;
  readonly #seen: Seen;
  #tool = '';
  #stderr = '';

  constructor(child: StdioClient['child'], seen: Seen, person: Person) {
    super(child);
    this.person = person;
    this.#seen = seen;
    child.stderr?.on('data', (chunk) => {
      this.#stderr += chunk;
    });
    this.onRequest = (message) => {
      if (message.method === 'elicitation/create') this.#answer(message);
      else seen.add('protocol', 'unasked', JSON.stringify(message));
    };
    this.onStray = (line) => seen.add('protocol', 'unasked', line);
  }

  /** `as`: what the sight is filed under, where the arguments ask for more. */
  async call(tool: string, args: Json, as = tool) {
    this.#tool = tool;
    const { result, error } = await this.#asked('tools/call', { name: tool, arguments: args });
    if (error !== undefined) {
      this.#seen.add('protocol', tool, JSON.stringify(error));
      return { text: String(error.message), structured: {} as Json };
    }
    const structured: Json = result.structuredContent ?? {};
    this.#keep(as, result.isError === true, structured, JSON.stringify(result));
    return { text: String(result.content?.[0]?.text ?? ''), structured };
  }

  /** Any message, good or bad; what comes back is kept. */
  async say(method: string, params: Json): Promise<void> {
    this.#seen.add('protocol', method, JSON.stringify(await this.#asked(method, params)));
  }

  #asked(method: string, params: Json): Promise<Json> {
    return this.request(method, params).reply.catch(() => ({ error: { message: 'gone' } }));
  }

  override async close(): Promise<void> {
    await super.close();
    for (const line of this.#stderr.split('\n')) this.#seen.add('stderr', 'serve', line);
    this.#stderr = '';
  }

  /** The airline's own title is data, shown to the caller; it is looked at by itself. */
  #keep(as: string, isError: boolean, structured: Json, whole: string): void {
    const { id } = structured.approval ?? {};
    if (typeof id === 'string') this.#seen.canaries.add('approval handle', id);
    const title: unknown = structured.error?.airline?.title;
    const label = typeof title === 'string' ? title : '';
    const written = JSON.stringify(label).slice(1, -1);
    const twice = JSON.stringify(written).slice(1, -1);
    this.#seen.add("the airline's title", 'error', label);
    const rest = label === '' ? whole : whole.replaceAll(twice, '').replaceAll(written, '');
    this.#seen.add(isError ? 'error' : 'result', as, rest);
  }

  #answer({ id, params }: Json): void {
    this.#seen.add('dialog', this.#tool, JSON.stringify(params));
    const choices: string[] = params.requestedSchema?.properties?.decision?.enum ?? [];
    const decision = this.person === 'yes' ? choices.find((choice) => choice !== 'no') : 'no';
    const result = this.person === 'closes' ? { action: 'cancel' } : { action: 'accept', content: { decision } };
    this.send({ id, result });
  }
}
