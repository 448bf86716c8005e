/** What a guarded tool answers: terms that wait for a person's yes, or what came of them. It shows, and cannot act. */
import { start } from '../shared/bridge.js';

start('terms', () => undefined);
