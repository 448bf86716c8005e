/** Version of the package; a test compares it with package.json, the manifests, the changelog, deploy/ and the metrics. */
export const VERSION = '0.4.0';
