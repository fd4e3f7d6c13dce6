// The suite imports globSync from 'fs', which Node has from 22 on, for a command that is not used here. On
// Node 20 its import of 'fs' gets one that only throws.
import { register } from 'node:module';

const hooks = `
export async function resolve(specifier, context, next) {
  const fromSuite = context.parentURL?.includes('/@modelcontextprotocol/conformance/');
  return specifier === 'fs' && fromSuite
    ? { url: 'without-glob:fs', format: 'module', shortCircuit: true }
    : next(specifier, context);
}
export async function load(url, context, next) {
  if (url !== 'without-glob:fs') return next(url, context);
  const source = "export * from 'node:fs'; export function globSync() { throw new Error('Node 22 has this'); }";
  return { format: 'module', source, shortCircuit: true };
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
