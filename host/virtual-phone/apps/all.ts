/** All apps of the small Android, as the phone finds them by their package. */
import type { AnyApp } from '../android/app.ts';
import type { Catalogue } from '../android/world.ts';
import { contacts } from './contacts.ts';
import { launcher } from './launcher.ts';
import { messages } from './messages.ts';

const APPS: readonly AnyApp[] = [messages, contacts];

export function catalogueOf(apps: readonly AnyApp[]): Catalogue {
  return new Map([launcher(apps), ...apps].map((one) => [one.package, one]));
}

export const CATALOGUE: Catalogue = catalogueOf(APPS);
