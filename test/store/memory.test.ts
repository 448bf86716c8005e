import { memoryClaims } from '../../src/approvals/claims.ts';
import { MemoryOperations } from '../campaigns/sim/memory-operations.ts';
import { describeClaims } from './claims-suite.ts';
import { describeOperations } from './operations-suite.ts';

describeOperations('the store of the simulation', async () => new MemoryOperations());
describeClaims('memory', async () => memoryClaims());
