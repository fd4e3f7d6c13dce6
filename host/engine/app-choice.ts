/** Which installed app a call means. Pure. Not for opening it. */
import { fold } from '../../device-protocol/fold.ts';
import type { AppEntry } from '../devices/phone-api.ts';
import { Refusal } from './refusal.ts';

/** The one app of that package, or of that name where it is the only one; never a guess. */
export function chooseApp(apps: readonly AppEntry[], named: string, user: number | undefined): AppEntry {
  const ofUser = apps.filter((app) => user === undefined || app.user === user);
  const exact = ofUser.filter((app) => app.package === named);
  const wanted = fold(named);
  const found = exact.length > 0 ? exact : ofUser.filter((app) => fold(app.label) === wanted);
  const [only, ...others] = found;
  if (only === undefined) {
    const near = ofUser.filter((app) => fold(app.label).includes(wanted) || app.package.includes(named));
    throw new Refusal('app_unknown', {
      field: 'app',
      came: named,
      nearest: near.slice(0, 5).map((app) => app.package),
    });
  }
  if (others.length > 0) {
    throw new Refusal('app_ambiguous', {
      field: exact.length > 0 ? 'user' : 'app',
      came: named,
      nearest: found.slice(0, 5).map((app) => `${app.package} (user ${app.user})`),
    });
  }
  return only;
}
