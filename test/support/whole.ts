/** Whether this is the project of the night, which plays in whole what the parts play in a short form (vitest.config.ts). */
export const WHOLE = process.env.TESTS_PLAY === 'whole';

/** How often, or which: in the night, and in the short form. */
export const atNight = <T>(whole: T, short: T): T => (WHOLE ? whole : short);
