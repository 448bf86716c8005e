/** Version of the package; a test holds it equal to package.json, manifest.json and server.json. */
export const VERSION = '0.1.0';
