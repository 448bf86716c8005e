/**
 * The judge: detects players who do too much, too little or the wrong thing. Also checks what the scenes cover.
 */
import { describe, expect, it } from 'vitest';
import { CATALOG } from '../../../src/tools/index.ts';
import { inParallel } from '../support/pace.ts';
import { type Player, playScene, scripted } from './play.ts';
import { changesNothing } from './scene.ts';
import { SCENES, sceneNamed } from './scenes/index.ts';

const player = (play: Player['play']): Player => ({ reads: 'structured', play });
const idle = player(async () => undefined);
const payer = player(async (_, { call, fill }) => {
  await call('pay_booking', fill({ locator: '{locator}', payment: { type: 'invoice' } }));
});

describe('the judge', () => {
  it('marks a player wrong who did nothing when something was due', async () => {
    const wrong = await playScene(sceneNamed('a hold is paid at its price'), idle);
    expect(wrong[0]).toBe('the airline: [] instead of ["paid"]');
  });

  it('marks a player wrong who changed something when nothing was due', async () => {
    const wrong = await playScene(sceneNamed('the morning check'), payer);
    expect(wrong[0]).toBe('the airline: ["paid"] instead of []');
  });

  it('counts the questions', async () => {
    const paid = sceneNamed('a late hold is still a hold');
    const wrong = await playScene({ ...paid, ends: { ...paid.ends, asked: 3 } }, scripted('structured'));
    expect(wrong).toEqual(['questions: [1] instead of [3]']);
  });

  it('reports an operation left in doubt and a wrong amount', async () => {
    const lost = sceneNamed('the answer to a payment is lost: followed, not sent again');
    const left = await playScene(lost, payer);
    expect(left).toContain('the journal: ["pay_booking in_doubt"] instead of ["pay_booking succeeded"]');
    const hold = sceneNamed('a hold is paid at its price');
    const wrong = await playScene({ ...hold, ends: { ...hold.ends, amounts: { paid: '1.00' } } }, payer);
    expect(wrong[0]).toMatch(/^money paid: \["\d+\.\d\d"\] instead of \["1\.00"\]$/);
  });

  it('requires a person’s approval in the journal for every payment', async () => {
    const echo = sceneNamed('echo: a handle, shown and used, where the operator allows it');
    const twice = player(async (at, table) => {
      for (const step of at.plays) await table.call(step.call, table.fill(step.with));
    });
    expect(await playScene(echo, twice)).toEqual([]);
    const unproven = await playScene(
      { ...sceneNamed('a hold is paid at its price'), settings: { approval: 'echo' } },
      payer,
    );
    expect(unproven).toContain('paid without a person’s yes in the journal');
  });
});

describe('the scenes', () => {
  it('has at least 60 uniquely named scenes, at least half of which change nothing', () => {
    expect(SCENES.length).toBeGreaterThanOrEqual(60);
    expect(new Set(SCENES.map(({ name }) => name)).size).toBe(SCENES.length);
    expect(SCENES.filter(changesNothing).length).toBeGreaterThanOrEqual(SCENES.length / 2);
    for (const role of ['agent', 'support', 'ops'] as const) {
      expect(SCENES.filter((each) => each.role === role).length).toBeGreaterThanOrEqual(15);
    }
  });

  it('calls every tool in some scene', () => {
    const called = new Set(SCENES.flatMap(({ plays }) => plays.map(({ call }) => call)));
    expect(CATALOG.map(({ name }) => name).filter((name) => !called.has(name))).toEqual([]);
  });

  it('contains only plain data in the scenes', () => {
    expect(JSON.parse(JSON.stringify(SCENES))).toEqual(SCENES);
  });

  it('reads less than 28,000 characters of fields in twenty conversations', async () => {
    let characters = 0;
    const player: Player = {
      ...scripted('structured'),
      hears: ({ text, structured, isError }) => {
        characters += isError ? text.length : JSON.stringify(structured).length;
      },
    };
    await inParallel(SCENES.slice(0, 20), 4, async (scene) => {
      expect(await playScene(scene, player)).toEqual([]);
    });
    expect(characters).toBeGreaterThan(14_000);
    expect(characters).toBeLessThan(28_000);
  });
});
