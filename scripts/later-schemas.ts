/**
 * The MCP schemas of the SDK, each made when it is first looked at. The SDK makes some four hundred at import and at the
 * first message, and a server of tools looks at a dozen: it is a fifth of a cold start (docs/performance.md).
 */
import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/** Of the SDK's modules: those that hold schemas, by the names they are built under. */
const FILES =
  /[\\/]@modelcontextprotocol[\\/](?:core[\\/]dist[\\/](?:schemas|auth)|server[\\/]dist[\\/]src)-[\w-]+\.mjs$/;

/** One declaration of a schema: at the top of a module, or in the function that makes those of a revision. */
const DECLARATION =
  /^(\t?)const (\w+Schema(?:\$\d+)?) = ((?:z\.|\w+Schema(?:\$\d+)?\.)[\s\S]*?);\n(?=\1[^\s)}\]]|\n)/gm;

/** Stands in for a schema: whatever is done to it is done to the schema, which is made by then. */
const LATER = `const __later = (make) => {
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

export const laterSchemas: Plugin = {
  name: 'later-schemas',
  setup(build) {
    build.onLoad({ filter: FILES }, ({ path }) => {
      let count = 0;
      const contents = readFileSync(path, 'utf8').replace(DECLARATION, (_, indent, name, made) => {
        count += 1;
        return `${indent}const ${name} = /* @__PURE__ */ __later(() => ${made});\n`;
      });
      if (count === 0) return { errors: [{ text: `${path} declares no schema as it used to` }] };
      return { contents: LATER + contents, loader: 'js' };
    });
  },
};
