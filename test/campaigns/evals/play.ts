/**
 * Plays a scene: sets its stage, lets a player play, and judges the state of the world.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { differences } from '../../support/halves.ts';
import type { Result } from '../support/office.ts';
import { before, judge } from './judge.ts';
import { filled, learn, type Memory, type Reads } from './memory.ts';
import { type Office, openOffice } from './office.ts';
import type { Scene, Step } from './scene.ts';
import { setStage } from './stages.ts';

/** What a player has: the tools, and what the user said. */
export interface Table {
  readonly office: Office;
  readonly says: readonly string[];
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<Result>;
  advance(minutes: number): void;
  fill<T>(value: T): T;
}

export interface Player {
  readonly reads: Reads;
  hears?(result: Result): void;
  play(scene: Scene, table: Table): Promise<void>;
}

/** What went otherwise than the scene has it; empty: nothing. */
export async function playScene(scene: Scene, player: Player): Promise<readonly string[]> {
  const memory: Memory = new Map();
  const now = (): number => office.sandbox.now();
  let { meanwhile } = scene;
  const office = await openOffice(scene, async (colleague) => {
    if (meanwhile === undefined) return;
    const { call, with: args } = meanwhile;
    meanwhile = undefined;
    const result = await colleague(call, filled(args, memory, now()));
    if (result.isError) throw new Error(`the colleague could not: ${result.text}`);
  });
  try {
    await setStage(scene.stage, office, memory);
    if (scene.trouble) office.sandbox.order(scene.trouble);
    const start = await before(office);
    const says = typeof scene.says === 'string' ? [scene.says] : scene.says;
    await player.play(scene, {
      office,
      says: says.map((text) => filled(text, memory, now())),
      async call(tool, args) {
        const result = await office.call(tool, args);
        learn(memory, result, player.reads);
        player.hears?.(result);
        return result;
      },
      advance: (minutes) => office.advance(minutes * 60_000),
      fill: (value) => filled(value, memory, now()),
    });
    await office.clerk.idle();
    return await judge(scene, office, memory, start);
  } finally {
    await office.close();
  }
}

/** What a result came to, in one word. */
function comesTo({ structured, isError }: Result): string {
  if (isError) return (structured.error as { code: string }).code;
  return typeof structured.status === 'string' ? structured.status : 'ok';
}

/** Does what the scene says a right caller does, with what it reads of the results. */
export function scripted(reads: Reads): Player {
  return {
    reads,
    async play(scene, table) {
      for (const [i, step] of scene.plays.entries()) await playStep(step, i, table);
    },
  };
}

/** What a busy machine refuses is called again, as its `next` says. */
async function calledUntilFree(step: Step, table: Table): Promise<Result> {
  const result = await table.call(step.call, table.fill(step.with));
  if (step.comes === 'E_LIMIT' || comesTo(result) !== 'E_LIMIT') return result;
  await wait(2_000);
  return table.call(step.call, table.fill(step.with));
}

async function playStep(step: Step, i: number, table: Table): Promise<void> {
  if (step.afterMinutes !== undefined) table.advance(step.afterMinutes);
  for (let n = 0; n < (step.times ?? 1); n++) {
    const result = await calledUntilFree(step, table);
    const apart = differences(result);
    if (apart.length > 0) throw new Error(`step ${i + 1}, ${step.call}: ${apart.join('; ')}\n${result.text}`);
    const came = comesTo(result);
    if (came !== step.comes)
      throw new Error(`step ${i + 1}, ${step.call}: came to ${came} instead of ${step.comes}\n${result.text}`);
  }
}
