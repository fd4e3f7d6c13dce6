/** Skills as MCP prompts, for people who pick them in their client, and as addresses to read. */
import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { isSkillName, SKILL_NAMES, SKILLS } from '../../../device-protocol/skills.ts';

const ADDRESS = 'countersign://skill/';

export function listedSkills() {
  return SKILL_NAMES.map((name) => ({
    uri: `${ADDRESS}${name}`,
    name,
    description: SKILLS[name].purpose,
    mimeType: 'text/markdown',
  }));
}

/** The text at `uri`, null where no skill stands there. */
export function readSkillAt(uri: string): string | null {
  const name = uri.startsWith(ADDRESS) ? uri.slice(ADDRESS.length) : '';
  return isSkillName(name) ? SKILLS[name].text : null;
}

export function serveSkills(server: Server): void {
  server.setRequestHandler('prompts/list', async () => ({
    prompts: SKILL_NAMES.map((name) => ({ name, description: SKILLS[name].purpose })),
  }));
  server.setRequestHandler('prompts/get', async (request) => {
    const { name } = request.params;
    if (!isSkillName(name)) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no such prompt. There are: ${SKILL_NAMES.join(', ')}.`,
      );
    }
    const { purpose, text } = SKILLS[name];
    return { description: purpose, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
}
