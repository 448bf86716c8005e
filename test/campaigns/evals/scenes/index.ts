import type { Scene } from '../scene.ts';
import { AGENT } from './agent.ts';
import { OPS } from './ops.ts';
import { SUPPORT } from './support.ts';

export const SCENES: readonly Scene[] = [...AGENT, ...SUPPORT, ...OPS];

export function sceneNamed(name: string): Scene {
  const found = SCENES.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no scene ${name}`);
  return found;
}
