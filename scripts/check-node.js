// npm scripts run on the Node that `npm ci` brought (the `node` dev dependency). Say so plainly where that failed.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `fareclerk is developed on Node 22.19 or newer; this is ${process.version}. Run \`npm ci\`, which installs Node 24 into node_modules.`,
  );
  process.exit(1);
}
