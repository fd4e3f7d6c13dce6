/** All apps of the small Android, as the phone finds them by their package. */
import type { AnyApp } from '../android/app.ts';
import type { Catalogue } from '../android/world.ts';
import { bank } from './bank.ts';
import { browser } from './browser.ts';
import { contacts } from './contacts.ts';
import { gallery } from './gallery.ts';
import { launcher } from './launcher.ts';
import { messages } from './messages.ts';
import { notes } from './notes.ts';
import { phone } from './phone.ts';
import { settings } from './settings.ts';
import { shop } from './shop.ts';

export const APPS: readonly AnyApp[] = [
  phone,
  messages,
  contacts,
  browser,
  shop,
  bank,
  gallery,
  notes,
  settings,
];

export function catalogueOf(apps: readonly AnyApp[]): Catalogue {
  return new Map([launcher(apps), ...apps].map((one) => [one.package, one]));
}

export const CATALOGUE: Catalogue = catalogueOf(APPS);
