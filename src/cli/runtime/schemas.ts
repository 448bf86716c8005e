/**
 * JSON Schemas of the tools. Sources make them with zod on demand. The bundle replaces this file by finished schemas
 * (scripts/prepared-schemas.ts), so that a start does not make them again.
 */
export { liveSchemas as toolSchemas } from '../../server/schemas.ts';
