// The server's own descriptions of what it says and takes, as TypeScript: src/protocol/generated/ is made anew by every build.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const docs = new URL('../../docs/', import.meta.url);
const generated = new URL('../src/protocol/generated/', import.meta.url);

/** The messages on the socket are a JSON Schema; wrapped as an OpenAPI document, one tool reads both. */
function wrapped(schema) {
  const text = JSON.stringify(schema.$defs).replaceAll('#/$defs/', '#/components/schemas/');
  const about = { title: schema.title, version: '1' };
  return { openapi: '3.1.0', info: about, paths: {}, components: { schemas: JSON.parse(text) } };
}

const sources = {
  'messages.d.ts': ['protocol-schema.json', wrapped],
  'api.d.ts': ['openapi.json', (document) => document],
};

mkdirSync(generated, { recursive: true });
for (const [name, [source, prepare]] of Object.entries(sources)) {
  const [from, to] = [new URL(source, docs), new URL(name, generated)];
  const newest = Math.max(statSync(from).mtimeMs, statSync(new URL(import.meta.url)).mtimeMs);
  if (existsSync(to) && statSync(to).mtimeMs > newest) continue;
  const types = await openapiTS(prepare(JSON.parse(readFileSync(from, 'utf8'))));
  writeFileSync(to, astToString(types));
}
