/**
 * The scenes of one role, each played by the scripted caller in a world of its own, once for each half of the results that a host
 * may show.
 */
import { describe, expect, test } from 'vitest';
import type { Reads } from './memory.ts';
import { playScene, scripted } from './play.ts';
import type { Scene } from './scene.ts';
import { SCENES } from './scenes/index.ts';

const READS: readonly Reads[] = ['structured', 'text', 'hurried'];

export function playRole(role: Scene['role']): void {
  describe.concurrent.each(READS)(`${role}, played by a script that reads: %s`, (reads) => {
    const own = SCENES.filter((scene) => scene.role === role);
    test.each(own.map((scene) => [scene.name, scene] as const))('plays the scene as expected: %s', async (_, scene) => {
      expect(await playScene(scene, scripted(reads))).toEqual([]);
    });
  });
}
