// Starts Scalar with the document that the page names, and, where the page has them, with the demo's credentials.

/** What few integrators write; the rest stays on offer. */
const HIDDEN_CLIENTS = {
  c: true,
  clojure: true,
  dart: true,
  fsharp: true,
  http: true,
  kotlin: true,
  objc: true,
  ocaml: true,
  powershell: true,
  r: true,
  rust: true,
  swift: true,
};

const place = document.getElementById('reference');
const { document: address, license, clientId, clientSecret, appSecret } = place.dataset;

/** The published document; in the demo its examples name a license and an order that the demo takes. */
async function load() {
  const text = await (await fetch(address)).text();
  const content = JSON.parse(license === undefined ? text : text.replaceAll(/\blic[_-]main\b/g, license));
  // Scalar shows an object's alternatives instead of its fields, which say the same in their descriptions.
  for (const schema of Object.values(content.components.schemas)) {
    if (schema.properties !== undefined) delete schema.anyOf;
  }
  if (license !== undefined) nameFreshOrder(content.paths);
  return content;
}

/** An order has one active shipment: each visit tries another one. */
function nameFreshOrder(paths) {
  const id = `try-${Date.now()}`;
  for (const path of ['/shipments', '/shipping/open_new_order']) {
    const example = paths[path]?.post?.requestBody?.content['application/json'].example;
    if (example !== undefined) example.order = { ...example.order, id, number: id };
  }
}

window.Scalar.createApiReference(place, {
  content: await load(),
  authentication: {
    preferredSecurityScheme: address.includes('/v2/') ? [['clientId', 'clientSecret']] : 'appSecret',
    ...(license === undefined
      ? {}
      : {
          securitySchemes: {
            clientId: { value: clientId },
            clientSecret: { value: clientSecret },
            appSecret: { value: appSecret },
          },
        }),
  },
  persistAuth: true,
  theme: 'default',
  layout: 'modern',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  hiddenClients: HIDDEN_CLIENTS,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  defaultOpenFirstTag: false,
  orderSchemaPropertiesBy: 'preserve',
  documentDownloadType: 'json',
  operationTitleSource: 'summary',
});
