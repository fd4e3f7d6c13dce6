/**
 * The package policy as a companion holds it by itself, when no host ever synced one: where an agent may not
 * act at all. Not for what needs the owner's word (judge.ts) or may be seen (seeing.ts).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompanionPolicy } from '../../device-protocol/companion/ports.ts';
import type { Act } from '../../device-protocol/payload.ts';
import { appsSchema, compileApps } from './apps.ts';
import { parsePolicyJson } from './word-file.ts';

/** Home and Back lead out of anything, so they are always allowed. */
const leadsOut = (act: Act) => act.kind === 'go' && (act.to === 'home' || act.to === 'back');

/** Reads `apps.json` of the policies' folder; throws PolicyFileError where it cannot be read. */
export function loadPhonePolicy(policiesFolder: string): CompanionPolicy {
  const text = readFileSync(join(policiesFolder, 'apps.json'), 'utf8');
  const apps = compileApps(parsePolicyJson(text, 'policies/apps.json', appsSchema), null);
  const denied = (name: string, activity: string | null) =>
    apps.of(name, activity).some((category) => category.control === 'deny');
  return {
    refuses({ act }, foreground) {
      if (leadsOut(act)) return null;
      if (foreground.package === null) return 'foreground_unknown';
      if (denied(foreground.package, foreground.activity)) return 'package_refused';
      if (act.kind === 'app_open' && denied(act.package, act.component)) return 'package_refused';
      return null;
    },
  };
}
