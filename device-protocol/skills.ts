/**
 * Short texts that tell an agent how to do a common job with the tools. The same text is a tool's answer,
 * an MCP prompt and an MCP resource. Not for what a tool does (its declaration).
 */

export interface Skill {
  /** When to read it. */
  readonly purpose: string;
  readonly text: string;
}

export const SKILLS = {
  fill_a_form: {
    purpose: 'Fill in several fields and send them.',
    text: `1. screen_observe. Fields have the role "field"; their label stands before the value.
2. For each field: set_text with its ref and observe:"summary". Compare read_back with what you meant; where it differs, look before you type again.
3. A field that is not there yet: scroll with until_text and the field's label.
4. Switches: set_toggle with the state you want, never tap; it does nothing where the state is right already.
5. Before the last button, observe once more and read every value back.
6. The button that sends is usually held for the owner: the answer is pending_confirmation. Wait with request_status and wait_ms. Do not press again.
7. Error texts beside fields after sending mean that nothing was sent: mend those fields only.`,
  },
  find_a_row: {
    purpose: 'Find one entry in a long list and act on it.',
    text: `1. screen_find with the words you look for; it searches what is on the screen now.
2. Not there: scroll {until_text}. It ends with "found", "end_reached" (the list holds no such words) or "budget_used" (go on with the same call and a new key).
3. Several rows alike: read the whole row, not only its button. Buttons named alike ("Delete") carry the row they belong to.
4. Act with the ref of the newest observation. If the answer is target_stale or target_ambiguous, its candidates and the fresh screen are in it: choose among those, do not tap by coordinates.
5. Never count rows to find one; lists move.`,
  },
  permission_prompt: {
    purpose: 'An app asks for a permission, or Android does.',
    text: `1. Permission, install and administrator prompts belong to the owner: acts on them are refused.
2. Say with ask_owner which app asks for what, and what you need it for.
3. While the owner decides, do not press Back: the app would take it for a no.
4. After the owner has decided, screen_observe; go on only if the prompt is gone.
5. If the owner says no, look for a way without the permission, or end with task_complete (failed) and say why.`,
  },
  recover_from_unknown: {
    purpose: 'An answer said effect: unknown, or the connection broke.',
    text: `1. Do not repeat the act. It may have happened.
2. request_status with the request_id of the answer; wait_ms up to 25000. The state settles by itself once the phone is back.
3. done: it ran; read "changed" and the screen. refused or sealed: it did not run and never will; do it again with a new key if it is still wanted.
4. Still unknown: look at the screen for the act's trace (the sent message, the changed switch, the new order). Seen: take it as done. Not seen: tell the owner with ask_owner before you do it a second time.
5. The same call with the same idempotency_key is always safe: it answers with the first one's result and runs nothing.`,
  },
  wait_for_a_screen: {
    purpose: 'Something loads, opens or disappears.',
    text: `1. Acts wait by themselves until the screen rests (settled: true). Most waits are not needed.
2. screen_wait {for:"text", value} for words to come, {for:"gone"} for words to go, {for:"app"} for another app in front.
3. met: false with reason "time" is not a failure of the phone: look at the observation that came with it.
4. Screens that never rest (animations, video) answer settled: false; go on by what is on them.
5. An observation marked incomplete was read while the app was still drawing: observe again.`,
  },
} as const satisfies Record<string, Skill>;

export type SkillName = keyof typeof SKILLS;
export const SKILL_NAMES = Object.keys(SKILLS) as readonly SkillName[];

export function isSkillName(name: string): name is SkillName {
  return Object.hasOwn(SKILLS, name);
}
