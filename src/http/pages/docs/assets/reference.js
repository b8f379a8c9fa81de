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

const SAYS_TYPE = ['type', 'anyOf', 'oneOf', 'allOf', '$ref', 'enum', 'const'];
const ANY_TYPE = ['object', 'array', 'string', 'number', 'boolean', 'null'];

const place = document.getElementById('reference');
const { document: address, license, clientId, clientSecret, appSecret } = place.dataset;

/** The published document; in the demo its examples name a license and an order that the demo takes. */
async function load() {
  const text = await (await fetch(address)).text();
  const content = JSON.parse(license === undefined ? text : text.replaceAll(/\blic[_-]main\b/g, license));
  for (const schema of Object.values(content.components.schemas)) prepare(schema);
  if (license !== undefined) nameFreshOrder(content.paths);
  return content;
}

/**
 * Scalar shows an object's alternatives instead of its fields, which say the same. It complains of schemas without a type,
 * and of some that are null otherwise, which their descriptions say too.
 */
function prepare(schema) {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null');
  if (schema.properties !== undefined) delete schema.anyOf;
  else if (others?.length === 1 && schema.anyOf.length === 2) unwrap(schema, others[0]);
  else if (SAYS_TYPE.every((key) => schema[key] === undefined)) schema.type = ANY_TYPE;
  const { properties = {}, items, anyOf = [] } = schema;
  for (const part of [...Object.values(properties), ...anyOf, ...(items === undefined ? [] : [items])]) {
    prepare(part);
  }
}

/** Makes a schema of the only one that it may be beside null. */
function unwrap(schema, only) {
  const { description = only.description } = schema;
  delete schema.anyOf;
  Object.assign(schema, only, { description });
  if (typeof only.type === 'string') schema.type = [only.type, 'null'];
}

/** An order has one active shipment: each visit tries another one. */
function nameFreshOrder(paths) {
  const id = `try-${Date.now()}`;
  for (const path of ['/shipments', '/shipping/open_new_order']) {
    const example = paths[path]?.post?.requestBody?.content['application/json'].example;
    if (example !== undefined) example.order = { ...example.order, id, number: id };
  }
}

// Each document has its own: what the page of another one left must not count here.
const isV2 = address.includes('/v2/');
const demoSchemes = isV2
  ? { clientId: { value: clientId }, clientSecret: { value: clientSecret } }
  : { appSecret: { value: appSecret } };

window.Scalar.createApiReference(place, {
  slug: isV2 ? 'v2' : 'v1',
  content: await load(),
  authentication: {
    preferredSecurityScheme: isV2 ? [['clientId', 'clientSecret']] : 'appSecret',
    ...(license === undefined ? {} : { securitySchemes: demoSchemes }),
  },
  persistAuth: false,
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
