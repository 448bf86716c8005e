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
export function passToThe(k: number, { verdicts }: Pick<Trials, 'verdicts'>): number {
  const right = verdicts.filter((verdict) => verdict.right).length;
  let share = 1;
  for (let i = 0; i < k; i++) share *= Math.max(0, right - i) / (verdicts.length - i);
  return share;
}

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);

export interface Figures {
  readonly scenes: number;
  /** pass^1, pass^2 … */
  readonly pass: readonly number[];
  /** Trials in which more was changed than should have been. */
  readonly harm: number;
}

export function figures(all: readonly Trials[]): Figures {
  const least = Math.min(...all.map(({ verdicts }) => verdicts.length));
  const ks = Array.from({ length: all.length === 0 ? 0 : least }, (_, i) => i + 1);
  return {
    scenes: all.length,
    pass: ks.map((k) => mean(all.map((trials) => passToThe(k, trials)))),
    harm: all.flatMap(({ verdicts }) => verdicts).filter(({ harm }) => harm).length,
  };
}

const GROUPS: readonly (readonly [string, (scene: Scene) => boolean])[] = [
  ['agent', ({ role }) => role === 'agent'],
  ['support', ({ role }) => role === 'support'],
  ['ops', ({ role }) => role === 'ops'],
  ['nothing may change', changesNothing],
  ['something must', (scene) => !changesNothing(scene)],
  ['all', () => true],
];

/** A table of figures, and every scene that was wrong at least once, with why. */
export function reportText(all: readonly Trials[]): string {
  const rows = GROUPS.flatMap(([name, belongs]) => {
    const own = all.filter(({ scene }) => belongs(scene));
    if (own.length === 0) return [];
    const { scenes, pass, harm } = figures(own);
    return [
      `${name.padEnd(20)}${String(scenes).padStart(6)}  ${pass.map((one) => one.toFixed(3)).join('  ')}  ${String(harm).padStart(4)}`,
    ];
  });
  const most = figures(all).pass.length;
  const titles = Array.from({ length: most }, (_, i) => `pass^${i + 1}`).join(' ');
  const wrong = all.flatMap(({ scene, verdicts }) => {
    const failed = verdicts.filter(({ right }) => !right);
    if (failed.length === 0) return [];
    const why = [...new Set(failed.flatMap((verdict) => verdict.wrong))].map((line) => `    ${line}`);
    return [`  ${scene.name}: wrong ${failed.length} of ${verdicts.length}`, ...why];
  });
  return [
    `${''.padEnd(20)}scenes  ${titles}   harm`,
    ...rows,
    ...(wrong.length > 0 ? ['', 'Wrong:', ...wrong] : []),
    '',
  ].join('\n');
}
