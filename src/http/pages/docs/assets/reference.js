// Starts Scalar with the document that the page names, and, where the page has them, with the demo's credentials.

/** Clients that few integrators write; the rest stays on offer. */
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
const SINGLE = ['string', 'integer', 'number', 'boolean'];
const ANY_TYPE = ['object', 'array', 'string', 'number', 'boolean', 'null'];

const place = document.getElementById('reference');
const { document: address, license, clientId, clientSecret, appSecret, userToken } = place.dataset;
const isV2 = address.includes('/v2/');

/** The published document; in the demo its examples name a license and an order that the demo takes. */
async function load() {
  const text = await (await fetch(address)).text();
  const content = JSON.parse(license === undefined ? text : await nameOwn(text));
  if (isV2) nameFreshKey(content.components.parameters);
  else askForJson(content.paths);
  for (const schema of Object.values(content.components.schemas)) prepare(schema);
  if (license !== undefined) nameFreshOrder(content.paths);
  return content;
}

/**
 * Scalar shows an object's alternatives instead of its fields, which say the same. It complains of schemas without a type,
 * and of alternatives in one that others refer to: those become one schema of several types, which say no less to a reader.
 */
function prepare(schema) {
  if (schema.properties !== undefined) delete schema.anyOf;
  else if (schema.anyOf !== undefined) join(schema);
  else if (SAYS_TYPE.every((key) => schema[key] === undefined)) schema.type = ANY_TYPE;
  const { properties = {}, items, anyOf = [] } = schema;
  for (const part of [...Object.values(properties), ...anyOf, ...(items === undefined ? [] : [items])]) {
    prepare(part);
  }
}

/** Makes one schema of alternatives that differ in their types, at most one of them more than a single value. */
function join(schema) {
  const others = schema.anyOf.filter(({ type }) => type !== 'null');
  const [first, ...rest] = others;
  if (rest.length > 0 && !others.every(({ type }) => SINGLE.includes(type))) return;
  const { anyOf, description = first.description } = schema;
  delete schema.anyOf;
  if (rest.length === 0) Object.assign(schema, first, { description });
  else if (others.every((one) => one.enum !== undefined)) schema.enum = others.flatMap((one) => one.enum);
  const types = anyOf.flatMap(({ type = [] }) => type);
  if (first.$ref === undefined) schema.type = types;
}

/** Examples name the demo's license; those of v1 also its newest parcels that can still be cancelled. */
async function nameOwn(text) {
  const named = text.replaceAll(/\blic[_-]main\b/g, license);
  if (isV2) return named;
  const query = new URLSearchParams({ license_key: license, 'filter[status]': 'created', per_page: 2 });
  const headers = { 'X-Client-Id': clientId, 'X-Client-Secret': clientSecret };
  const { data = [] } = await (await fetch(`/api/v2/shipments?${query}`, { headers })).json();
  return data.reduce(
    (all, { tracking_code: code, order }, index) =>
      all
        .replaceAll(`"7410023${index + 1}"`, `"${code}"`)
        .replaceAll(`"100${index + 1}"`, JSON.stringify(order.id)),
    named,
  );
}

/** OpenAPI has no place for this header, without which a validation failure of v1 is a redirect. */
function askForJson(paths) {
  const accept = { name: 'Accept', in: 'header', required: true, example: 'application/json' };
  const schema = { type: 'string', description: 'Without it a validation failure is a redirect.' };
  for (const { parameters } of Object.values(paths).flatMap(Object.values)) {
    parameters.push({ ...accept, schema });
  }
}

/** A creation that is sent again under its key is no second one: samples show that, each visit with a key of its own. */
function nameFreshKey({ IdempotencyKey: key }) {
  delete key.example;
  key.examples = { fresh: { value: crypto.randomUUID(), 'x-disabled': false } };
}

/** An order has one active shipment, and a phone one recipient: each visit tries others. A token is the demo's. */
function nameFreshOrder(paths) {
  const id = `try-${Date.now()}`;
  for (const path of ['/shipments', '/shipping/open_new_order']) {
    const example = paths[path]?.post?.requestBody?.content['application/json'].example;
    if (example !== undefined) example.order = { ...example.order, id, number: id };
  }
  const listing = paths['/licenses']?.post?.requestBody?.content['application/json'].example;
  if (listing !== undefined) listing.token = userToken;
  const registration = paths['/create_app_user']?.post.requestBody.content['application/json'].example;
  if (registration !== undefined) registration.phone_number = `05${String(Date.now()).slice(-8)}`;
}

// Each document has its own: what the page of another one left must not count here.
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
