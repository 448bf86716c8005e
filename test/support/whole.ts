/**
 * Whether this is the project of the night, which plays in whole what other projects play in a short form: `x.night.test.ts` imports
 * the test, and vitest.config.ts sets this.
 */
export const WHOLE = process.env.TESTS_PLAY === 'whole';

/** How often, or which: in the night, and in the short form. */
export const atNight = <T>(whole: T, short: T): T => (WHOLE ? whole : short);
