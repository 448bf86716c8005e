/**
 * Makes each MCP schema of the SDK when it is first used. The SDK makes about four hundred at import, and a server of
 * tools uses a dozen: a fifth of a cold start (docs/reference/performance.md).
 */
import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/** The SDK's modules that hold schemas. */
const FILES =
  /[\\/]@modelcontextprotocol[\\/](?:core[\\/]dist[\\/](?:schemas|auth)|server[\\/]dist[\\/]src)-[\w-]+\.mjs$/;

/** One declaration of a schema: at the top of a module, or in the function that makes those of a revision. */
const DECLARATION =
  /^(\t?)const (\w+Schema(?:\$\d+)?) = ((?:z\.|\w+Schema(?:\$\d+)?\.)[\s\S]*?);\n(?=\1[^\s)}\]]|\n)/gm;

/** Stands in for a schema and passes every access on to it. */
const DEFER = `const __defer = (make) => {
  let made;
  const schema = () => (made ??= make());
  return new Proxy({}, {
    get: (_, key) => schema()[key],
    set: (_, key, value) => Reflect.set(schema(), key, value),
    has: (_, key) => key in schema(),
    ownKeys: () => Reflect.ownKeys(schema()),
    getPrototypeOf: () => Reflect.getPrototypeOf(schema()),
    defineProperty: (_, key, about) => Reflect.defineProperty(schema(), key, about),
    getOwnPropertyDescriptor: (_, key) => {
      const about = Reflect.getOwnPropertyDescriptor(schema(), key);
      return about && { ...about, configurable: true };
    },
  });
};
`;

export const deferredSchemas: Plugin = {
  name: 'deferred-schemas',
  setup(build) {
    build.onLoad({ filter: FILES }, ({ path }) => {
      let count = 0;
      const contents = readFileSync(path, 'utf8').replace(DECLARATION, (_, indent, name, made) => {
        count += 1;
        return `${indent}const ${name} = /* @__PURE__ */ __defer(() => ${made});\n`;
      });
      if (count === 0) return { errors: [{ text: `${path} declares no schema in the form that is expected` }] };
      return { contents: DEFER + contents, loader: 'js' };
    });
  },
};
