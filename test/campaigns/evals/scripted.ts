/**
 * The scenes of one role, each played by the scripted caller in a world of its own.
 */
import { describe, expect, test } from 'vitest';
import { playScene, scripted } from './play.ts';
import type { Scene } from './scene.ts';
import { SCENES } from './scenes/index.ts';

export function playRole(role: Scene['role']): void {
  describe(`${role}, played by a script`, () => {
    const own = SCENES.filter((scene) => scene.role === role);
    test.each(own.map((scene) => [scene.name, scene] as const))('plays the scene as expected: %s', async (_, scene) => {
      expect((await playScene(scene, scripted)).wrong).toEqual([]);
    });
  });
}
