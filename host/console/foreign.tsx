/**
 * Text that came from a screen or an agent: shown, never trusted. It keeps its own direction to itself,
 * hides nothing, and cannot grow over what the owner must read. Not for our own sentences.
 */
import { useState } from 'preact/hooks';
import { useMessages } from './language.ts';

/** Controls, line breaks and everything that turns directions or hides letters; joiners belong to scripts. */
const UNSEEN =
  /[\p{Cc}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\uffff\u{e0000}-\u{e0fff}]/gu;

/** Letters shown before the rest is folded away. */
const SHOWN = 280;

/** The text with every sign that would not be seen made visible. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (sign) => (sign === '\n' ? ' ⏎ ' : sign === '\t' ? ' ⇥ ' : '�'));
}

export function Foreign({ text }: { readonly text: string }) {
  const t = useMessages();
  const [whole, setWhole] = useState(false);
  const letters = [...text];
  const cut = !whole && letters.length > SHOWN;
  const shown = visible(cut ? letters.slice(0, SHOWN).join('') : text);
  return (
    <>
      <bdi class="foreign" dir="auto">
        {shown}
        {cut ? '…' : ''}
      </bdi>
      {cut ? (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          {t('show_all', { count: letters.length })}
        </button>
      ) : null}
    </>
  );
}
