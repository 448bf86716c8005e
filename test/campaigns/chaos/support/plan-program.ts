/** The parent's side of plan-process.ts: a clerk in a process of its own that dies at a step of its own. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { withoutSettings } from '../../support/child.ts';
import { StdioClient } from '../../support/stdio-client.ts';
import { CRASHER } from './crasher.ts';
import type { Orders } from './plan-process.ts';

const PROGRAM = fileURLToPath(new URL('./plan-process.ts', import.meta.url));

export class PlanProgram extends StdioClient {
  constructor(env: Readonly<Record<string, string>>) {
    super(
      fork(PROGRAM, {
        env: { ...withoutSettings(), FARECLERK_LOG_LEVEL: 'silent', NODE_NO_WARNINGS: '1', ...env },
        execArgv: ['--import', CRASHER],
        stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
      }),
    );
  }

  async tell<K extends keyof Orders>(
    order: K,
    given?: Parameters<Orders[K]>[0],
  ): Promise<Awaited<ReturnType<Orders[K]>>> {
    return (await this.request(order, given).reply).result;
  }
}
