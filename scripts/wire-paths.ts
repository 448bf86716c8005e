/**
 * Writes docs/wire/paths.md: every documented path of every message, and how it is used.
 */
import { writeFileSync } from 'node:fs';
import { pathsPage } from '../test/ota/messages/paths.ts';

writeFileSync(new URL('../docs/wire/paths.md', import.meta.url), pathsPage());
