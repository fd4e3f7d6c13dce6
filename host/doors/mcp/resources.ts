/**
 * What an MCP client may read by address: skills, which are listed, and blobs, which only an answer names.
 * Not for tools.
 */
import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import type { AskedEngine } from '../asked-engine.ts';
import { listedSkills, readSkillAt } from './skills.ts';

/** Serves `resources/*`; `blobOf` answers null for what is not there, not this caller's, or not kept any longer. */
export function serveResources(
  server: Server,
  blobOf: (uri: string) => ReturnType<AskedEngine['blob']>,
): void {
  server.setRequestHandler('resources/list', async () => ({ resources: listedSkills() }));
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async (request) => {
    const { uri } = request.params;
    const skill = readSkillAt(uri);
    if (skill !== null) return { contents: [{ uri, mimeType: 'text/markdown', text: skill }] };
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
