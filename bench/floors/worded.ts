/**
 * The pass-through client, but it answers with our own reading, rules and text instead of the raw reply. Nothing else is
 * ours: it does not look for credentials in the reply or compare it with the request, checks no arguments and no result,
 * and keeps no state and no log. Less than that cannot answer as fareclerk does.
 */
import { serveClient } from './client.ts';
import { read, search } from './words.ts';

serveClient('floor-worded', { search, read });
