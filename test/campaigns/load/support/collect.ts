/**
 * Loaded into a server before it starts (`--expose-gc --import`): SIGUSR2 collects all that nobody holds, so that what
 * is left is not confused with what was not collected yet.
 */
process.on('SIGUSR2', () => void globalThis.gc?.());
