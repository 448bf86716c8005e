/** Settings of a clerk in a process of a campaign, with waits that the product does not let anybody set. */
import type { readConfig } from '../../../src/config/load.ts';

type Config = ReturnType<typeof readConfig>;

/** `TEST_SETTLE_SECONDS`, `TEST_ANSWER_SECONDS` and `TEST_DIALOG_FLOOR_MS` of the environment. */
export function withWaits(config: Config, env: NodeJS.ProcessEnv = process.env): Config {
  const { TEST_SETTLE_SECONDS: settle, TEST_ANSWER_SECONDS: answer, TEST_DIALOG_FLOOR_MS: floor } = env;
  return {
    ...config,
    ...(settle !== undefined && { settleMs: Number(settle) * 1_000 }),
    ...(answer !== undefined && { answerMs: Number(answer) * 1_000 }),
    ...(floor !== undefined && { dialogFloorMs: Number(floor) }),
  };
}
