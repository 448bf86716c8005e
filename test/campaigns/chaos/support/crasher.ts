/** The parent's side of crash-at.ts: a process that dies at a step of its own, or tells its steps. */
import type { ChildProcess } from 'node:child_process';
import { Gone } from '../../support/stdio-client.ts';
import type { FromCrasher, Step, ToCrasher } from './crash-at.ts';

export type { Step };
export const CRASHER = new URL('./crash-at.ts', import.meta.url).href;

function said(child: ChildProcess, message: ToCrasher): Promise<FromCrasher> {
  return new Promise((resolve, reject) => {
    child.once('message', (answer) => resolve(answer as FromCrasher));
    child.send(message, (error) => {
      if (error) reject(new Gone());
    });
  });
}

/** From now on: dies at this step. */
export async function arm(child: ChildProcess, step: Step): Promise<void> {
  await said(child, { arm: step });
}

/** The steps that `work` takes, and what came of it. */
export async function traced<T>(child: ChildProcess, work: () => Promise<T>): Promise<[readonly Step[], T]> {
  await said(child, { trace: true });
  const result = await work();
  const answer = await said(child, { report: true });
  return ['steps' in answer ? answer.steps : [], result];
}
