/**
 * JSON Schemas of the tools, made by zod on first use. The bundle contains them ready made
 * (scripts/build/tool-schemas.ts replaces this file).
 */
export { liveSchemas as toolSchemas } from '../../server/schemas.ts';
