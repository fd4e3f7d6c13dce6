/**
 * The one entry for recorded screens: bytes of a file to a snapshot, or a coded reason why not. Whatever
 * the content, it never throws; damage costs what is damaged and is said in the snapshot's `losses`.
 */
import type { Snapshot } from '../../../device-protocol/snapshot.ts';
import { assemble } from './assemble.ts';
import { decodeRecording } from './bytes.ts';
import { looksLikeDroidbot, readDroidbot } from './droidbot.ts';
import type { RawScreen, RecordingFormat } from './raw-node.ts';
import { looksLikeXml, readXml } from './xml.ts';

/** Largest file that is read, bytes. The largest real one had 0.85 MB. */
export const RECORDING_MAX_BYTES = 32 * 1024 * 1024;

export interface Recording {
  readonly snapshot: Snapshot;
  readonly format: RecordingFormat;
  /** Nodes that stand behind the first damage: a strict reader would not have got them. */
  readonly behindDamage: number;
}

export const UNREADABLE_CODES = [
  'recording_empty',
  'recording_too_large',
  'recording_format_unknown',
] as const;

export interface Unreadable {
  readonly error_code: (typeof UNREADABLE_CODES)[number];
  /** What was expected, what came, what to do. */
  readonly message: string;
}

/** `name` is the file's name, for the message only: formats are told by their content. */
export function readRecording(bytes: Uint8Array, name = 'the file'): Recording | Unreadable {
  if (bytes.length > RECORDING_MAX_BYTES) {
    return {
      error_code: 'recording_too_large',
      message: `${name} has ${bytes.length} bytes; at most ${RECORDING_MAX_BYTES} are read. Record one screen a file.`,
    };
  }
  const { text, losses } = decodeRecording(bytes);
  if (text.trim() === '') {
    return { error_code: 'recording_empty', message: `${name} is empty. Record the screen again.` };
  }
  const raw = read(text);
  if (raw === null) {
    return {
      error_code: 'recording_format_unknown',
      message: `${name} is neither uiautomator XML nor Appium page source nor a DroidBot state; it begins with ${JSON.stringify(text.trimStart().slice(0, 40))}.`,
    };
  }
  for (const loss of losses) raw.losses.add(loss.code, loss.count, loss.detail);
  return { snapshot: assemble(raw), format: raw.format, behindDamage: raw.behindDamage };
}

function read(text: string): RawScreen | null {
  const json = text.search(/\{\s*"/);
  const xml = looksLikeXml(text);
  if (looksLikeDroidbot(text) && !(xml && text.search(/<(?:\?xml|hierarchy\b)/) < json)) {
    const droidbot = readDroidbot(text);
    if (droidbot !== null) return droidbot;
  }
  return xml ? readXml(text) : null;
}
