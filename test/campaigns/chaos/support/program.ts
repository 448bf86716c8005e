/** The real program in a process of its own that can be killed at any step, spoken to as hosts of each kind do. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { withoutSettings } from '../../support/child.ts';
import { META, type Message, StdioClient } from '../../support/stdio-client.ts';
import { CRASHER } from './crasher.ts';

const BIN = fileURLToPath(new URL('../../../../bin/fareclerk.js', import.meta.url));
const QUIET = { DISPLAY: '', WAYLAND_DISPLAY: '', BROWSER: '', NODE_NO_WARNINGS: '1', FARECLERK_LOG_LEVEL: 'error' };

/** Short, so that what is in doubt is settled within the five seconds: at 2.5 s. */
const SETTLE_SECONDS = '2';

/** How the person's yes travels: the host's dialog of either era, or the model's word. */
export const KINDS = ['2026', '2025', 'echo'] as const;
export type Kind = (typeof KINDS)[number];

export type Told = ReturnType<typeof toldOf>;

/** What the caller knows of its question, and so can come back with. */
export interface Talk {
  handle?: string;
  decision?: string;
}

/** Milliseconds that the program needs at this moment to say its version. */
export async function startMs(): Promise<number> {
  const began = performance.now();
  await once(spawn(process.execPath, [BIN, '--version'], { env: withoutSettings(), stdio: 'ignore' }), 'exit');
  return performance.now() - began;
}

export class Program extends StdioClient {
  readonly kind: Kind;
  readonly #greeting: Promise<unknown>;

  constructor(kind: Kind, env: Readonly<Record<string, string>>) {
    super(
      spawn(process.execPath, ['--import', CRASHER, BIN, 'serve', '--rehearsal', SETTLE_SECONDS], {
        env: { ...withoutSettings(), ...QUIET, FARECLERK_APPROVAL: 'echo', ...env },
        stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
      }),
    );
    this.kind = kind;
    this.#greeting = kind === '2026' ? Promise.resolve() : this.initialize(kind === '2025' ? { elicitation: {} } : {});
    this.#greeting.catch(() => undefined);
  }

  /**
   * Calls a tool and, when it asks, says yes to its question. `asked` is called with the question in hand, `answered`
   * when the yes has gone out.
   */
  async act(tool: string, args: object, talk: Talk, hooks: { asked?(): void; answered?(): void } = {}): Promise<Told> {
    this.#answerDialogs((choices) => {
      hooks.asked?.();
      queueMicrotask(() => hooks.answered?.());
      return { action: 'accept', content: { decision: choices.find((choice) => choice !== 'no') } };
    });
    const first = await this.#call(tool, args);
    if (first.resultType === 'input_required') {
      talk.handle = first.requestState;
      talk.decision = choicesOf(Object.values(first.inputRequests)[0]).find((choice) => choice !== 'no') ?? '';
    } else {
      const told = toldOf(first);
      if (told.status !== 'approval_required') return told;
      talk.handle = told.approvalId ?? '';
    }
    hooks.asked?.();
    const yes = this.again(tool, args, talk);
    hooks.answered?.();
    return yes;
  }

  /** The same question again with the same yes, as a host or a model does when it got no answer. */
  async again(tool: string, args: object, { handle, decision }: Talk): Promise<Told> {
    this.#answerDialogs(() => ({ action: 'decline' }));
    if (decision === undefined) return this.tell(tool, handle === undefined ? args : { ...args, approval_id: handle });
    const approval = { action: 'accept', content: { decision } };
    return toldOf(await this.#call(tool, args, { requestState: handle, inputResponses: { approval } }));
  }

  async tell(tool: string, args: object): Promise<Told> {
    return toldOf(await this.#call(tool, args));
  }

  #answerDialogs(answer: (choices: readonly string[]) => object): void {
    this.onRequest = (message) => {
      if (message.method === 'elicitation/create') this.send({ id: message.id, result: answer(choicesOf(message)) });
    };
  }

  async #call(name: string, args: object, more: object = {}): Promise<Message> {
    await this.#greeting;
    const modern = this.kind === '2026' ? { _meta: META({ elicitation: { form: {} } }) } : {};
    const { result, error } = await this.request('tools/call', { name, arguments: args, ...more, ...modern }).reply;
    if (error) throw new Error(error.message);
    return result;
  }
}

function choicesOf(request: Message): readonly string[] {
  return request?.params.requestedSchema.properties.decision.enum ?? [];
}

function toldOf(result: Message) {
  const structured: Message = result.structuredContent ?? {};
  const { error, status, approval } = structured;
  return {
    text: String(result.content?.[0]?.text ?? ''),
    structured,
    ...{ code: error?.code as string | undefined, effect: error?.effect as string | undefined },
    status: (result.resultType === 'input_required' ? 'approval_required' : status) as string | undefined,
    approvalId: approval?.id as string | undefined,
  };
}
