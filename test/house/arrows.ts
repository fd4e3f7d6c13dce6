/**
 * Which room may import which: the house's plan as data. A room is the longest matching folder.
 * `doors → engine → {judge, screen, store, devices}`, never back; real parts meet in `host/composition.ts`.
 */
export const ROOMS = {
  'device-protocol': [],
  'host/judge': ['device-protocol', 'host/package-root'],
  'host/screen': ['device-protocol', 'host/package-root'],
  'host/store': ['device-protocol'],
  'host/devices': ['device-protocol', 'host/store'],
  'host/engine': ['device-protocol', 'host/judge', 'host/screen', 'host/store', 'host/devices'],
  'host/virtual-phone': [
    'device-protocol',
    'host/screen/recorded',
    'host/judge/phone-policy',
    'host/package-root',
  ],
  'host/doors': [
    'device-protocol',
    'host/engine',
    'host/screen',
    'host/judge',
    'host/composition',
    'host/package-root',
    'host/store/data-directory',
  ],
  /** The owner's page: only types of what it shows. */
  'host/console': ['host/engine'],
  'host/composition': [
    'device-protocol',
    'host/engine',
    'host/judge',
    'host/screen',
    'host/store',
    'host/devices',
    'host/doors/owner-socket',
    'host/doors/asked-engine',
    'host/doors/console',
    'host/doors/mcp',
    'host/virtual-phone',
    'host/package-root',
  ],
  'host/package-root': [],
} as const satisfies Record<string, readonly string[]>;

/** Packages that `device-protocol/` may use: it does no I/O and reads no clock. */
export const PROTOCOL_PACKAGES = ['zod', '@noble/hashes', '@noble/curves'] as const;
