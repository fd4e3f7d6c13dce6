/** What an MCP client may read by address: blobs that an answer named. There is nothing to list. */
import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import type { AskedEngine } from '../asked-engine.ts';

/** Serves `resources/*`; `blobOf` answers null for what is not there, not this caller's, or not kept any longer. */
export function serveBlobs(server: Server, blobOf: (uri: string) => ReturnType<AskedEngine['blob']>): void {
  server.setRequestHandler('resources/list', async () => ({ resources: [] }));
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async (request) => {
    const { uri } = request.params;
    const blob = await blobOf(uri);
    if (blob === null) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        'There is no such resource, or it is not kept any longer: take a new picture with screen_screenshot.',
      );
    }
    return { contents: [{ uri, mimeType: blob.contentType, blob: blob.base64 }] };
  });
}
