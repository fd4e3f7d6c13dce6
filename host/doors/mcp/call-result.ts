/** An envelope as MCP carries it, with the picture it speaks of. Not for what an envelope says. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Envelope } from '../../../device-protocol/envelope.ts';
import type { AskedEngine } from '../asked-engine.ts';

/** What a picture's answer says of it; absent on every other answer. */
const pictured = z.looseObject({
  blob: z.string(),
  preview: z.string(),
  content_type: z.string(),
  bytes: z.number(),
});

type Blob = Awaited<ReturnType<AskedEngine['blob']>>;
type Content = CallToolResult['content'];

/** The small picture to look at at once, and a link to the whole one. */
export async function pictureBlocks(
  envelope: Envelope,
  blobOf: (uri: string) => Promise<Blob>,
): Promise<Content> {
  const said = envelope.ok ? pictured.safeParse(envelope.result) : null;
  if (said === null || !said.success) return [];
  const { blob, preview, content_type, bytes } = said.data;
  // Without the small picture the link still leads to the whole one.
  const small = await blobOf(preview).catch(() => null);
  return [
    ...(small === null ? [] : [{ type: 'image' as const, data: small.base64, mimeType: small.contentType }]),
    { type: 'resource_link', uri: blob, name: 'screenshot', mimeType: content_type, size: bytes },
  ];
}

/** An envelope as MCP carries it: structured, and the same as text for clients that read only text. */
export function callResultOf(envelope: Envelope, blocks: Content = []): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(envelope) }, ...blocks],
    structuredContent: envelope,
    ...(envelope.ok ? {} : { isError: true }),
  };
}
