/**
 * A host's page for tests, bundled by them: the published AppBridge before a double iframe, the outer of another origin.
 * `toClerk` and `noted` are functions of the test.
 */
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

const OFFERS = { openLinks: {}, serverTools: {}, message: { text: {} }, updateModelContext: { text: {} } };

globalThis.openView = async ({ html, meta, args, result, sandbox, hostContext, hears }) => {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms');
  const ready = new Promise((resolve) => {
    addEventListener('message', ({ source, data }) => {
      if (source === frame.contentWindow && data?.method === 'ui/notifications/sandbox-proxy-ready') resolve();
    });
  });
  frame.src = sandbox;
  document.body.append(frame);
  await ready;
  const bridge = new AppBridge(null, { name: 'host', version: '0' }, OFFERS, { hostContext });
  globalThis.bridge = bridge;
  const initialized = new Promise((resolve) => {
    bridge.oninitialized = resolve;
  });
  bridge.oncalltool = (params) => globalThis.toClerk(params);
  const note = async (params) => {
    await globalThis.noted(params);
    return {};
  };
  if (hears === 'message') bridge.onmessage = note;
  if (hears === 'context') bridge.onupdatemodelcontext = note;
  bridge.onsizechange = ({ height }) => {
    if (height) frame.style.height = `${height}px`;
  };
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  await bridge.sendSandboxResourceReady({ html, csp: meta?.ui?.csp });
  await initialized;
  await bridge.sendToolInput({ arguments: args });
  await bridge.sendToolResult(result);
};
