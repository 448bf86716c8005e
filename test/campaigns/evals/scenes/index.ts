import type { Scene } from '../scene.ts';
import { AGENT_BOOKS } from './agent-books.ts';
import { AGENT_HOLDS_BACK } from './agent-holds-back.ts';
import { OPS_DESK } from './ops-desk.ts';
import { OPS_TROUBLE } from './ops-trouble.ts';
import { SUPPORT_CHANGES } from './support-changes.ts';
import { SUPPORT_HOLDS_BACK } from './support-holds-back.ts';

export const SCENES: readonly Scene[] = [
  ...AGENT_BOOKS,
  ...AGENT_HOLDS_BACK,
  ...SUPPORT_CHANGES,
  ...SUPPORT_HOLDS_BACK,
  ...OPS_DESK,
  ...OPS_TROUBLE,
];
