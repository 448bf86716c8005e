/**
 * JSON Schemas of the tools. From the sources, zod makes them when they are first used; the bundle has them ready made
 * (scripts/build/tool-schemas.ts replaces this file).
 */
export { liveSchemas as toolSchemas } from '../../server/schemas.ts';
