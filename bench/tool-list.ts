/**
 * What the tools cost a model before it has said a word.
 */
import type { Measure, Row } from './measure.ts';
import { type Command, Speaker } from './support/speaker.ts';
import { tokens } from './support/tokens.ts';

interface Listed {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

const CORE = { FARECLERK_TOOLSETS: 'core' };

/** The list in the reply, and the part of it that a model reads. */
export function weigh(tools: readonly Listed[]): { readonly sent: number; readonly read: number } {
  const read = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return { sent: tokens(tools), read: tokens(read) };
}

export const toolList: Measure = {
  name: 'tool-list',
  about: 'the tool list in tokens (o200k)',
  async run({ program, floors, upstream, folder }) {
    const listedBy = async (command: Command): Promise<readonly Listed[]> => {
      const host = new Speaker(command);
      await host.initialize();
      const { line } = await host.ask('tools/list');
      await host.end();
      return JSON.parse(line).result.tools;
    };
    const listed = (settings: Readonly<Record<string, string>>) => listedBy(program.start(folder('list'), settings));
    const each = (tools: readonly Listed[]) => `${Math.round(weigh(tools).sent / tools.length)} a tool`;
    const [through, bare] = [
      await listedBy(floors.through(folder('list'))),
      await listedBy(floors.bare(folder('list'))),
    ];
    const [live, core, sandbox] = [
      await listed(upstream.settings),
      await listed({ ...upstream.settings, ...CORE }),
      await listed({}),
    ];
    const row = (what: string, value: number, atMost?: number): Row => ({
      what,
      value,
      unit: '',
      counted: true,
      ...(atMost !== undefined && { target: { atMost } }),
    });
    const weight = weigh(live);
    return [
      row(`name, description and input of ${live.length} tools`, weight.read, 2_950),
      row('… a tool on average', Math.round(weight.read / live.length), 180),
      row('… of the core tools alone', weigh(core).read, 2_000),
      {
        ...row('as sent, with output schemas and annotations', weight.sent, 8_000),
        ...{ from: each(live), peer: `pass-through ${each(through)}`, floor: `bare SDK ${each(bare)}` },
      },
      row(`as sent in the sandbox, ${sandbox.length} tools`, weigh(sandbox).sent),
    ];
  },
};
