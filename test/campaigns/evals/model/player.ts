/**
 * A model as a player: it hears what the user says, calls tools as it likes, and is judged by what came of it.
 */

import type { Clerk } from '../../../../src/clerk/clerk.ts';
import { INSTRUCTIONS } from '../../../../src/mcp/server.ts';
import type { Player, Table } from '../play.ts';
import type { Message, Model, ToolAnswer, ToolSpec, ToolUse } from './model.ts';

export type Half = 'text' | 'structured' | 'both';

/** Answers of the model in one scene at most: a loop must end. */
const MOST_TURNS = 30;

const WHO = {
  agent: 'You work at the desk of a travel agency.',
  support: 'You are the customer support of an airline agency.',
  ops: 'You look after the operations desk of an airline agency.',
} as const;

function toolsOf({ tools, options }: Clerk): readonly ToolSpec[] {
  return tools.map((tool) => ({ name: tool.name, description: tool.description, schema: options.schemas.input(tool) }));
}

/**
 * @param record gets every message, for whoever wants to read what was said
 * @param half of each result that the model gets; of an error always the text
 */
export function modelPlayer(
  model: Model,
  record: (scene: string, history: readonly Message[]) => void = () => undefined,
  half: Half = 'text',
): Player {
  return {
    strict: false,
    async play(scene, table) {
      const today = new Date(table.office.sandbox.now()).toISOString().slice(0, 10);
      const system = `${WHO[scene.role]} Today is ${today}. Use the tools; when you are done, answer in words. If the user has told you all that is needed, do not ask back.\n\n${INSTRUCTIONS}`;
      const tools = toolsOf(table.office.clerk);
      const history: Message[] = [];
      try {
        let turns = 0;
        for (const text of table.says) {
          history.push({ role: 'user', text });
          while (turns++ < MOST_TURNS) {
            const said = await model.say(system, history, tools);
            history.push({ role: 'assistant', ...said });
            if (said.uses.length === 0) break;
            history.push({ role: 'tools', results: await answers(said.uses, table, half) });
          }
        }
      } finally {
        record(scene.name, history);
      }
    },
  };
}

async function answers(uses: readonly ToolUse[], table: Table, half: Half): Promise<readonly ToolAnswer[]> {
  const results: ToolAnswer[] = [];
  for (const { id, name, args } of uses) {
    const { text, structured, isError } = await table.call(name, args as Readonly<Record<string, unknown>>);
    const fields = JSON.stringify(structured);
    const shown = { text, structured: isError ? text : fields, both: `${text}\n${fields}` };
    results.push({ id, text: shown[half], isError });
  }
  return results;
}
