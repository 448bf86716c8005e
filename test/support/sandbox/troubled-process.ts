/**
 * A program that runs the sandbox airline alone, and plays the faults that its parent sends as messages:
 * `fork('troubled-process.ts', [stateFile])`. Its first message has the settings that point a server at it.
 */
import { startSandbox } from './start.ts';
import type { SandboxFault } from './wire-faults.ts';

const [stateFile] = process.argv.slice(2);
const sandbox = await startSandbox({ stateFile });
process.on('message', (fault) => sandbox.order(fault as SandboxFault));
// It ends with its parent.
process.once('disconnect', () => process.exit());
process.once('SIGTERM', async () => {
  await sandbox.close();
  process.exit(0);
});
process.send?.(sandbox.settings);
