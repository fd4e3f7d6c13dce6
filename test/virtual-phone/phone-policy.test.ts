/** What a companion refuses by itself, by the package in front: the host's word does not matter here. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Act, Payload } from '../../device-protocol/payload.ts';
import type { Foreground } from '../../device-protocol/snapshot.ts';
import { loadPhonePolicy } from '../../host/judge/phone-policy.ts';
import { packageRoot } from '../../host/package-root.ts';

const policy = loadPhonePolicy(join(packageRoot(), 'policies'));
const tap: Act = { kind: 'tap', aim: { by: 'point', point: { x: 1, y: 1 }, under: null }, count: 1 };
const open = (name: string): Act => ({ kind: 'app_open', package: name, component: null, user: 0 });
const refuses = (act: Act, front: Partial<Foreground>) =>
  policy.refuses({ act } as Payload, { package: null, activity: null, title: null, user: 0, ...front });

describe('the phone’s own package policy', () => {
  it.each([
    'com.android.permissioncontroller',
    'com.google.android.permissioncontroller',
    'com.android.packageinstaller',
    'dev.countersign.companion',
  ])('lets nothing act in %s, and does not open it', (name) => {
    expect(refuses(tap, { package: name })).toBe('package_refused');
    expect(refuses(open(name), { package: 'com.android.launcher3' })).toBe('package_refused');
  });

  it('refuses while it is unknown what is in front', () => {
    expect(refuses(tap, {})).toBe('foreground_unknown');
  });

  it('always lets Home and Back out', () => {
    expect(refuses({ kind: 'go', to: 'home' }, { package: 'com.android.permissioncontroller' })).toBeNull();
    expect(refuses({ kind: 'go', to: 'back' }, {})).toBeNull();
    expect(refuses({ kind: 'go', to: 'recents' }, { package: 'com.android.permissioncontroller' })).toBe(
      'package_refused',
    );
  });

  it('leaves the rest to the judge', () => {
    expect(refuses(tap, { package: 'com.android.messaging' })).toBeNull();
    expect(refuses(tap, { package: 'org.example.bank.android' })).toBeNull();
  });
});
