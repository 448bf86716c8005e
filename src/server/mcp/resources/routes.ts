import { type Resource, readByTool } from './define.ts';

/** The most pairs that list_routes returns at once. */
const MOST = 500;

export const routes: Resource = {
  name: 'routes',
  title: 'Routes',
  description: 'City pairs that the airline sells, by station of departure.',
  uri: 'fareclerk://routes',
  mimeType: 'text/plain',
  needs: 'list_routes',
  read: async (_, context) => (await readByTool(context, 'list_routes', { max_results: MOST })).text,
};

export const routesFrom: Resource = {
  name: 'routes_from',
  title: 'Routes from a station',
  description: 'Where one can travel to from a station or city.',
  uri: 'fareclerk://routes/{station}',
  mimeType: 'text/plain',
  needs: 'list_routes',
  completes: { station: 'station' },
  read: async ({ station }, context) =>
    (await readByTool(context, 'list_routes', { from: station, max_results: MOST })).text,
};
