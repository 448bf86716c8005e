/**
 * How often a model is right every time: pass^k is the chance that k trials of a scene in a row are all right.
 */
import type { Verdict } from '../judge.ts';
import { changesNothing, type Scene } from '../scene.ts';

export interface Trials {
  readonly scene: Scene;
  readonly verdicts: readonly Verdict[];
}

/** Of n trials with c right ones, the share of all choices of k that are right throughout: C(c,k) / C(n,k). */
export function passToThe(k: number, { verdicts }: Trials): number {
  const right = verdicts.filter((verdict) => verdict.right).length;
  let share = 1;
  for (let i = 0; i < k; i++) share *= Math.max(0, right - i) / (verdicts.length - i);
  return share;
}

/** pass^1, pass^2 …, and the trials in which more was changed than should have been. */
export function figures(all: readonly Trials[]) {
  const least = all.length === 0 ? 0 : Math.min(...all.map(({ verdicts }) => verdicts.length));
  const pass = Array.from({ length: least }, (_, i) => {
    return all.reduce((sum, trials) => sum + passToThe(i + 1, trials), 0) / all.length;
  });
  const harm = all.flatMap(({ verdicts }) => verdicts).filter((verdict) => verdict.harm).length;
  return { scenes: all.length, pass, harm };
}

const GROUPS: Readonly<Record<string, (scene: Scene) => boolean>> = {
  agent: ({ role }) => role === 'agent',
  support: ({ role }) => role === 'support',
  ops: ({ role }) => role === 'ops',
  'nothing may change': changesNothing,
  'something must': (scene) => !changesNothing(scene),
  all: () => true,
};

/** A table of figures, and every scene that was wrong at least once, with why. */
export function reportText(all: readonly Trials[]): string {
  const rows = Object.entries(GROUPS).flatMap(([name, belongs]) => {
    const { scenes, pass, harm } = figures(all.filter(({ scene }) => belongs(scene)));
    const shares = pass.map((one) => one.toFixed(3)).join('  ');
    return scenes === 0
      ? []
      : `${name.padEnd(20)}${String(scenes).padStart(6)}  ${shares}  ${String(harm).padStart(4)}`;
  });
  const titles = figures(all).pass.map((_, i) => `pass^${i + 1}`);
  const wrong = all.flatMap(({ scene, verdicts }) => {
    const failed = verdicts.filter(({ right }) => !right);
    const why = new Set(failed.flatMap((verdict) => verdict.wrong).map((line) => `    ${line}`));
    return failed.length === 0 ? [] : [`  ${scene.name}: wrong ${failed.length} of ${verdicts.length}`, ...why];
  });
  return [
    `${''.padEnd(20)}scenes  ${titles.join(' ')}   harm`,
    ...rows,
    ...(wrong.length > 0 ? ['Wrong:', ...wrong] : []),
  ].join('\n');
}
