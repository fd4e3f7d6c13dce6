/** What happened, newest first, as sentences; one entry opened shows the record behind it. */
import { useMemo, useState } from 'preact/hooks';
import type { LogEntry } from '../engine/engine.ts';
import { ask } from './ask.ts';
import { Foreign } from './foreign.tsx';
import { moment, useLanguage, useMessages } from './language.ts';

/** Entries drawn at once. */
const DRAWN = 60;

function Entry({ entry, now }: { readonly entry: LogEntry; readonly now: number }) {
  const t = useMessages();
  const code = useLanguage();
  const [open, setOpen] = useState(false);
  return (
    <li class={entry.error_code === null ? 'entry' : 'entry failed'}>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <time dateTime={entry.at}>{moment(code, entry.at, now)}</time>{' '}
          <bdi class="who foreign">{entry.agent}</bdi> <Foreign text={entry.say} />
        </summary>
        {open ? (
          <figure>
            <figcaption>{t('raw')}</figcaption>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach what scrolls */}
            <pre tabIndex={0}>{JSON.stringify(entry, null, 2)}</pre>
          </figure>
        ) : null}
      </details>
    </li>
  );
}

export function Activity({ log, now }: { readonly log: readonly LogEntry[] | null; readonly now: number }) {
  const t = useMessages();
  const [words, setWords] = useState('');
  const [drawn, setDrawn] = useState(DRAWN);
  const [checked, setChecked] = useState<string | null>(null);
  const found = useMemo(() => {
    const wanted = words
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const fits = (entry: LogEntry) => {
      const text =
        `${entry.say} ${entry.agent} ${entry.tool} ${entry.state ?? ''} ${entry.error_code ?? ''}`.toLowerCase();
      return wanted.every((word) => text.includes(word));
    };
    return (log ?? []).filter(fits).reverse();
  }, [log, words]);

  const verify = async () => {
    const told = await ask('verify_log');
    setChecked(
      told.ok
        ? t('verified', { count: Number(told.rows ?? 0) })
        : t('broken', { why: String(told.say ?? '') }),
    );
  };

  return (
    <section aria-labelledby="activity-h">
      <h2 id="activity-h">{t('activity')}</h2>
      <div class="tools">
        <label>
          {t('search')}{' '}
          <input
            type="search"
            value={words}
            onInput={(event) => {
              setWords(event.currentTarget.value);
              setDrawn(DRAWN);
            }}
          />
        </label>
        <span class="quiet" role="status">
          {t('entries', { count: found.length })}
        </span>
        <button type="button" onClick={() => void verify()}>
          {t('verify')}
        </button>
        {checked === null ? null : <span role="status">{checked}</span>}
      </div>
      {log !== null && log.length === 0 ? <p class="quiet">{t('activity_none')}</p> : null}
      <ol class="entries">
        {found.slice(0, drawn).map((entry) => (
          <Entry key={entry.number} entry={entry} now={now} />
        ))}
      </ol>
      {found.length > drawn ? (
        <button type="button" onClick={() => setDrawn(drawn + DRAWN)}>
          {t('waiting_more', { count: found.length - drawn })}
        </button>
      ) : null}
    </section>
  );
}
