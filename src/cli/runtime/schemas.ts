/**
 * The JSON Schemas of the tools, which zod makes on first use. The bundle contains finished ones:
 * scripts/build/tool-schemas.ts replaces this file.
 */
export { liveSchemas as toolSchemas } from '../../clerk/schemas.ts';
