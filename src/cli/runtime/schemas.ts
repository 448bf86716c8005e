/**
 * JSON Schemas of the tools. From the sources they are made by zod when asked for; the bundle has them ready made
 * (scripts/prepared-schemas.ts takes this file's place), so that a start does not make them again.
 */
export { liveSchemas as toolSchemas } from '../../server/schemas.ts';
