/** Which phone a call means, and what is known of its health. Not for sessions (host/devices). */
import type { Phone } from '../devices/phone-api.ts';
import type { DeviceView } from './engine.ts';
import { type Grant, mayUseDevice } from './grants.ts';
import type { EngineParts } from './parts.ts';
import { Refusal } from './refusal.ts';

/**
 * The phone a call names, or the agent's only one. With several, none is ever chosen for the caller
 * (D-32); a foreign one answers exactly like an unknown one.
 */
export function chooseDevice(parts: EngineParts, grant: Grant, named: string | undefined): string {
  const known = parts.store.devices
    .list()
    .map((device) => device.device_id)
    .filter((id) => mayUseDevice(grant, id));
  if (named !== undefined) {
    if (!known.includes(named)) throw new Refusal('device_unknown', { device_id: named });
    return named;
  }
  const [only, ...others] = known;
  if (only === undefined) throw new Refusal('device_none');
  if (others.length > 0)
    throw new Refusal('device_not_named', { field: 'device_id', nearest: known.slice(0, 5) });
  return only;
}

/** The live session of a phone; refused as offline where there is none. */
export function phoneOf(parts: EngineParts, deviceId: string): Phone {
  const phone = parts.phones.of(deviceId);
  if (phone === null) throw new Refusal('device_offline', { device_id: deviceId });
  return phone;
}

/** Every known phone as health tells it; one table of words for agents, owner and errors alike. */
export function deviceViews(parts: EngineParts): DeviceView[] {
  return parts.phones.health().map((health) => {
    const facts: { code: string; say: string }[] = [];
    if (!health.connected) {
      facts.push({
        code: 'offline',
        say: 'Not connected: start the phone or its app, or look at the cable.',
      });
    }
    if (health.last_refusal !== null) {
      facts.push({
        code: `link_${health.last_refusal.code}`,
        say: `Its last attempt to connect was turned away (${health.last_refusal.code}).`,
      });
    }
    if (health.stopped_by !== null) {
      facts.push({
        code: 'stopped',
        say:
          health.stopped_by === 'owner_on_phone'
            ? 'Stopped on the phone: only there it can be lifted.'
            : 'Stopped by the owner: `countersign resume` lifts it.',
      });
    }
    return {
      device_id: health.device_id,
      model: health.model,
      kind: health.kind,
      health: !health.connected ? 'not_ready' : facts.length > 0 ? 'limited' : 'ready',
      facts,
      last_seen_at: health.last_seen_at === null ? null : new Date(health.last_seen_at).toISOString(),
    };
  });
}
