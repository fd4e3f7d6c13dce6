/** Carries the tools that lead to others: search, and skills. `tool_use` is opened before (engine-door.ts). */
import { isSkillName, SKILL_NAMES, SKILLS } from '../../device-protocol/skills.ts';
import { descriptionOfTool, inputSchemaOf } from '../../device-protocol/tools/listing.ts';
import { searchTools } from '../../device-protocol/tools/search.ts';
import { toolOf } from '../../device-protocol/tools/tools.ts';
import { type Grant, listedTools } from './grants.ts';
import { Refusal } from './refusal.ts';

/** Tools of one answer, where the caller names no limit: their schemas are long. */
const FOUND_MOST = 3;

const list = (items: readonly unknown[], hasMore: boolean, next: unknown) => ({
  items,
  count: items.length,
  has_more: hasMore,
  next_cursor: null,
  next_action: next,
});

export function findTools(query: string, limit: number | undefined, grant: Grant): Record<string, unknown> {
  const found = searchTools(query, listedTools(grant));
  const shown = found.slice(0, limit ?? FOUND_MOST).map((tool) => {
    const declaration = toolOf(tool);
    return {
      tool,
      purpose: descriptionOfTool(declaration),
      effect: declaration.effect,
      input_schema: inputSchemaOf(declaration, { unlisted: [], words: true, full: false }),
    };
  });
  const first = shown[0]?.tool;
  return list(
    shown,
    found.length > shown.length,
    first === undefined ? null : { tool: 'tool_use', args: { tool: first } },
  );
}

export function listSkills(): Record<string, unknown> {
  const items = SKILL_NAMES.map((skill) => ({ skill, purpose: SKILLS[skill].purpose }));
  return list(items, false, { tool: 'skill_read' });
}

export function readSkill(skill: string): Record<string, unknown> {
  if (!isSkillName(skill)) {
    throw new Refusal('skill_unknown', { came: skill, nearest: SKILL_NAMES.join(', ') });
  }
  return { skill, text: SKILLS[skill].text };
}
