/** The acts of the program, and what they prove. */
import { evidenceRules } from '../../src/journal/act.ts';
import { ACTS } from '../../src/tools/index.ts';

export { ACTS };
export const RULES = evidenceRules(ACTS);
