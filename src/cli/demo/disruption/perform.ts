/** Puts the parts of the story together, tells it, and takes them apart again. */
import { startSandbox } from '../../../sandbox/start.ts';
import type { Terminal } from '../../commands/command.ts';
import { Wrong } from '../scenes.ts';
import type { Stage } from '../stage.ts';
import { openDesk } from './desk.ts';
import { startReceiver } from './receiver.ts';
import { ROUTES } from './selling.ts';
import { tell } from './story.ts';

const NOTE =
  'A sandbox airline over HTTP, a server that watches, a system that hears events, an assistant’s client, and the page. All parts are real; the money is not.';

/** True if every sentence of the story was true. */
export async function performDisruption(
  dialect: 'rail' | 'airline',
  stage: Stage,
  { execPath, argv, env }: Terminal,
): Promise<boolean> {
  const route = ROUTES[dialect];
  stage.title(`A ${route.vehicle} is cancelled`);
  stage.note(NOTE);
  const sandbox = await startSandbox({ dialect });
  const receiver = await startReceiver();
  try {
    const desk = await openDesk({ program: [execPath, argv[1] ?? ''], env, airline: sandbox.settings, receiver });
    try {
      await tell({ stage, desk, sandbox, receiver, route });
      return true;
    } finally {
      await desk.close();
    }
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    stage.wrong(`The story goes no further: ${error.message}. The demo ends here.`);
    return false;
  } finally {
    await receiver.close();
    await sandbox.close();
  }
}
