/**
 * Pictures of the screen as an agent may have them: withheld windows and masked texts are black in it, and some
 * screens are not pictured at all. Not for reading screens (looks.ts).
 */
import { pictureOf, SMALL_SIDE } from '../screen/picture.ts';
import type { EngineParts } from './parts.ts';
import { Refusal } from './refusal.ts';

/** Activities that show the recent apps, launchers' own included. */
const RECENTS = /recents|overview|taskswitch/i;

export async function screenshotFor(
  parts: Pick<EngineParts, 'phones' | 'judging' | 'clock' | 'blobs'>,
  deviceId: string,
  agent: string,
  signal: AbortSignal | undefined,
): Promise<Record<string, unknown>> {
  const { phones, judging, clock, blobs } = parts;
  const phone = phones.of(deviceId);
  if (phone === null) throw new Refusal('device_offline', { device_id: deviceId });
  const looked = await phone.look({ settleMs: 0, screenshot: true, signal });
  const { snapshot } = looked;
  const eyes = judging.as(agent, deviceId);
  const seeing = eyes.seeing(snapshot);
  if (!seeing.see) throw new Refusal('content_withheld', { came: snapshot.foreground.package ?? 'this app' });
  // Its cards are pictures of other apps, each under its own rules: none of them can be told apart here.
  if (RECENTS.test(snapshot.foreground.activity ?? ''))
    throw new Refusal('picture_refused', { came: 'recent apps show pictures of all of them' });
  if (looked.screenshot === null) {
    throw new Refusal('picture_refused', { came: looked.screenshot_refused ?? 'empty' });
  }
  const png = Buffer.from(looked.screenshot, 'base64');
  const black = eyes.blackened(snapshot);
  const whole = await pictureOf(png, snapshot.display, black, Number.POSITIVE_INFINITY);
  const small = await pictureOf(whole.png, snapshot.display, [], SMALL_SIDE);
  const kept = blobs.put(agent, 'image/png', whole.png);
  const preview = blobs.put(agent, 'image/png', small.png);
  return {
    device_id: deviceId,
    blob: kept.uri,
    preview: preview.uri,
    content_type: kept.contentType,
    bytes: kept.bytes.length,
    width: whole.width,
    height: whole.height,
    preview_width: small.width,
    preview_height: small.height,
    blackened: black.length,
    expires_at: new Date(kept.expiresAt).toISOString(),
    observed_at: new Date(clock.now()).toISOString(),
  };
}
