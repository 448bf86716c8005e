import { MemoryOperations } from '../sim/memory-operations.ts';
import { describeOperations } from './operations-suite.ts';

describeOperations('the store of the simulation', async () => new MemoryOperations());
