/** The console as a whole: the owner's stop always in reach, what waits first, then the rest. */
import { useEffect, useState } from 'preact/hooks';
import { Activity } from './activity.tsx';
import { ask, forget, isSignedIn, signIn } from './ask.ts';
import { mayNotify, wish, wishes } from './attention.ts';
import {
  directionOf,
  isLanguage,
  LANGUAGE_NAMES,
  type LanguageCode,
  LanguageContext,
  languageFrom,
  moment,
  useLanguage,
  useMessages,
} from './language.ts';
import { follow, type Seen } from './live.ts';
import { Phones } from './phones.tsx';
import { Waiting } from './waiting.tsx';

const CHOSEN = 'countersign-language';

function chosenLanguage(): LanguageCode {
  const stored = localStorage.getItem(CHOSEN);
  return stored !== null && isLanguage(stored) ? stored : languageFrom(navigator.languages);
}

/** Now, told anew every second: countdowns and "today" hang on it. */
function useNow(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Signs in by the address's code, once, and takes the code out of the address before anything else. */
async function enter(): Promise<'in' | 'out' | 'bad'> {
  const code = /^#code=([\w-]+)$/.exec(location.hash)?.[1];
  if (code === undefined) return isSignedIn() ? 'in' : 'out';
  history.replaceState(null, '', '/');
  return (await signIn(code)) ? 'in' : 'bad';
}

function SignedOutPage({ bad }: { readonly bad: boolean }) {
  const t = useMessages();
  return (
    <main class="out">
      <h1>{t('title')}</h1>
      {bad ? (
        <p class="bad" role="alert">
          {t('link_bad')}
        </p>
      ) : null}
      <p>{t('signed_out')}</p>
      <p>{t('signed_out_how')}</p>
      <pre dir="ltr">npx countersign console</pre>
    </main>
  );
}

function Settings({ onLanguage }: { readonly onLanguage: (code: LanguageCode) => void }) {
  const t = useMessages();
  const code = useLanguage();
  const [wanted, setWanted] = useState(wishes());
  const [blocked, setBlocked] = useState(false);
  const change = (next: typeof wanted) => {
    wish(next);
    setWanted(next);
  };
  return (
    <details class="settings">
      <summary>{t('settings')}</summary>
      <div class="sheet">
        <label>
          {t('language')}{' '}
          <select
            value={code}
            onChange={(event) => {
              const next = event.currentTarget.value;
              if (isLanguage(next)) onLanguage(next);
            }}
          >
            {Object.entries(LANGUAGE_NAMES).map(([one, name]) => (
              <option key={one} value={one} lang={one}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          <input
            type="checkbox"
            checked={wanted.sound}
            onChange={(event) => change({ ...wanted, sound: event.currentTarget.checked })}
          />{' '}
          {t('sound')}
        </label>
        <label>
          <input
            type="checkbox"
            checked={wanted.notify}
            onChange={async (event) => {
              const on = event.currentTarget.checked && (await mayNotify());
              setBlocked(!on && event.currentTarget.checked);
              change({ ...wanted, notify: on });
            }}
          />{' '}
          {t('notify')}
        </label>
        {blocked ? <p class="bad">{t('notify_blocked')}</p> : null}
        <button
          type="button"
          onClick={async () => {
            await ask('sign_out').catch(() => null);
            forget();
            location.reload();
          }}
        >
          {t('sign_out')}
        </button>
      </div>
    </details>
  );
}

/** The latch: one press stops; lifting it is asked for once more. */
function Stop({ stopped }: { readonly stopped: boolean }) {
  const t = useMessages();
  const [sure, setSure] = useState(false);
  if (!stopped) {
    return (
      <button type="button" class="stop" onClick={() => void ask('stop')}>
        {t('stop')}
      </button>
    );
  }
  return sure ? (
    <fieldset class="sure">
      {t('resume_sure')}{' '}
      <button
        type="button"
        onClick={() => {
          setSure(false);
          void ask('resume');
        }}
      >
        {t('yes')}
      </button>
      <button type="button" onClick={() => setSure(false)}>
        {t('no')}
      </button>
    </fieldset>
  ) : (
    <button type="button" onClick={() => setSure(true)}>
      {t('resume')}
    </button>
  );
}

function Protections() {
  const t = useMessages();
  return (
    <details class="protections">
      <summary>{t('protections')}</summary>
      <ul>
        <li>{t('protection_agent')}</li>
        <li>{t('protection_program')}</li>
        <li>{t('protection_adb')}</li>
      </ul>
    </details>
  );
}

function SignedInPage({ onLanguage }: { readonly onLanguage: (code: LanguageCode) => void }) {
  const t = useMessages();
  const code = useLanguage();
  const now = useNow();
  const [seen, setSeen] = useState<Seen>({
    link: { state: 'connecting' },
    parts: { devices: null, pending: null, log: null },
  });
  useEffect(() => {
    const end = new AbortController();
    void follow(setSeen, end.signal);
    return () => end.abort();
  }, []);
  const { link, parts } = seen;
  if (link.state === 'signed_out') {
    forget();
    return <SignedOutPage bad={false} />;
  }
  const stopped =
    parts.devices?.some((device) => device.facts.some((fact) => fact.code === 'stopped')) ?? false;
  return (
    <>
      <a class="skip" href="#waiting">
        {t('skip')}
      </a>
      <header>
        <h1>
          <img src="/icon.svg" alt="" width="28" height="28" /> {t('title')}
        </h1>
        <span class={`link ${link.state}`} role="status">
          {link.state === 'live' ? t('live') : link.state === 'connecting' ? t('connecting') : ''}
        </span>
        <Settings onLanguage={onLanguage} />
        <Stop stopped={stopped} />
      </header>
      {link.state === 'stale' ? (
        <p class="banner bad" role="alert">
          {t('stale', { time: moment(code, new Date(link.since).toISOString(), now) })}
        </p>
      ) : null}
      {stopped ? (
        <p class="banner" role="status">
          {t('stopped')}
        </p>
      ) : null}
      <main class={link.state === 'stale' ? 'old' : ''}>
        <Waiting pending={parts.pending} now={now} />
        <Phones devices={parts.devices} now={now} />
        <Activity log={parts.log} now={now} />
        <Protections />
      </main>
    </>
  );
}

export function App() {
  const [language, setLanguage] = useState(chosenLanguage());
  const [entered, setEntered] = useState<'in' | 'out' | 'bad' | null>(null);
  useEffect(() => {
    void enter().then(setEntered, () => setEntered('out'));
  }, []);
  useEffect(() => {
    document.documentElement.lang = language;
    document.documentElement.dir = directionOf(language);
  }, [language]);
  const choose = (code: LanguageCode) => {
    localStorage.setItem(CHOSEN, code);
    setLanguage(code);
  };
  return (
    <LanguageContext.Provider value={language}>
      {entered === null ? null : entered === 'in' ? (
        <SignedInPage onLanguage={choose} />
      ) : (
        <SignedOutPage bad={entered === 'bad'} />
      )}
    </LanguageContext.Provider>
  );
}
