/** What keys do, those of the keyboard on the glass and those an agent presses. Not for the keyboard's look. */
import type { KEYS } from '../../../device-protocol/payload.ts';
import { focusedField, type Happened, type Moment, notTaken, run, taken } from './moment.ts';
import { back } from './places.ts';
import { touchOf } from './touch.ts';
import { activeWindow, everyBox } from './windows.ts';
import type { World } from './world.ts';

export type Key = (typeof KEYS)[number];

/** Puts `text` behind what the focused field holds. */
export function typed(moment: Moment, text: string): Happened {
  return changed(moment, (value) => value + text);
}

/** Takes the last letter away. */
export function erased(moment: Moment): Happened {
  return changed(moment, (value) => [...value].slice(0, -1).join(''));
}

function changed(moment: Moment, how: (value: string) => string): Happened {
  const focused = focusedField(moment);
  const field = focused?.box.view.field;
  if (focused === null || field === undefined) return notTaken(moment);
  const text = how(field.value);
  return taken(run(moment, focused.window, (state, phone) => field.typed(state, text, phone)));
}

/** The focused field's own action: sends, searches, goes to the next field, hides the keyboard. */
export function imeAction(moment: Moment): Happened {
  const focused = focusedField(moment);
  const field = focused?.box.view.field;
  if (focused === null || field === undefined) return notTaken(moment);
  const touch = touchOf(moment.world.now, moment.by, 'ime_action', focused.window, focused.box);
  if (field.ime === 'newline') return { ...typed(moment, '\n'), touches: [touch] };
  if (field.submitted !== undefined) return taken(run(moment, focused.window, field.submitted), touch);
  if (field.ime === 'next') return taken(nextField(moment), touch);
  return taken({ ...moment.world, keyboard: false }, touch);
}

function nextField({ windows, world }: Moment): World {
  const window = activeWindow(windows);
  if (window === null) return world;
  const fields = everyBox(window.root).filter((box) => box.view.field !== undefined);
  const here = fields.findIndex((box) => box.path === world.focus?.path);
  const next = fields[(here + 1) % fields.length];
  return next === undefined ? world : { ...world, focus: { window: window.key, path: next.path } };
}

export function pressKey(moment: Moment, key: Key): Happened {
  const window = activeWindow(moment.windows);
  const focused = focusedField(moment);
  const touches =
    window === null ? [] : [touchOf(moment.world.now, moment.by, 'key', window, focused?.box ?? null)];
  const after = keyDoes(moment, key, (focused?.box.view.field?.lines ?? 1) > 1);
  return { ...after, touches: [...touches, ...after.touches] };
}

function keyDoes(moment: Moment, key: Key, manyLines: boolean): Happened {
  switch (key) {
    case 'enter':
      return manyLines ? typed(moment, '\n') : imeAction(moment);
    case 'search':
    case 'ime_action':
      return imeAction(moment);
    case 'space':
      return typed(moment, ' ');
    case 'delete':
      return erased(moment);
    case 'escape':
      return taken(back(moment));
    case 'tab':
      return taken(nextField(moment));
    default:
      // Caret and page keys: the phone takes them; this small Android keeps its caret at the end.
      return taken(moment.world);
  }
}
