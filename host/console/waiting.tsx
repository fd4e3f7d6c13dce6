/**
 * What waits for the owner: every card stays where it is until it was read and left, its buttons come alive
 * only after a moment, and what is sent is the digest of what was drawn. Not for the phones.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PendingView } from '../engine/engine.ts';
import { ask } from './ask.ts';
import { callOwner } from './attention.ts';
import { Foreign } from './foreign.tsx';
import { type Say, useLanguage, useMessages } from './language.ts';
import { en, type MessageName } from './messages/en.ts';

/** A press meant for something else must not land on a button that has just appeared. */
const ARM_MS = 700;
/** Cards drawn at once. */
const DRAWN = 40;
/** How long an answered card stays, where no pointer or focus holds it. */
const LEAVES_MS = 4_000;

type Ended = 'approved' | 'denied' | 'expired' | 'other';
interface Card {
  readonly view: PendingView;
  readonly ended: { readonly how: Ended; readonly at: number } | null;
}

const named = (prefix: string, name: string): MessageName | null => {
  const key = `${prefix}_${name}`;
  return Object.hasOwn(en, key) ? (key as MessageName) : null;
};

/** What the tool does, in the reader's words; the tool's own name where there are none. */
export function deedOf(t: Say, tool: string): string {
  const name = named('tool', tool);
  return name === null ? tool : t(name);
}

function left(t: Say, code: string, until: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((until - now) / 1_000));
  const two = new Intl.NumberFormat(code, { minimumIntegerDigits: 2 });
  const one = new Intl.NumberFormat(code);
  return t('expires', { time: `${one.format(Math.floor(seconds / 60))}:${two.format(seconds % 60)}` });
}

function Fact({ name, text }: { readonly name: string; readonly text: string | null }) {
  if (text === null || text === '') return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Foreign text={text} />
      </dd>
    </>
  );
}

interface CardProps {
  readonly card: Card;
  readonly now: number;
  readonly onAnswered: (how: Ended) => void;
}

function WaitingCard({ card: { view, ended }, now, onAnswered }: CardProps) {
  const t = useMessages();
  const code = useLanguage();
  const [armed, setArmed] = useState(false);
  const [asking, setAsking] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), ARM_MS);
    return () => clearTimeout(timer);
  }, []);

  const answer = async (name: 'approve' | 'deny' | 'deny_stop') => {
    setAsking(true);
    setFailed(null);
    const { confirmation_id, digest } = view;
    try {
      const told = await ask(name, name === 'approve' ? { confirmation_id, digest } : { confirmation_id });
      if (told.ok) onAnswered(name === 'approve' ? 'approved' : 'denied');
      else setFailed(told.message ?? told.error_code ?? '');
    } catch (error) {
      setFailed(t('answer_failed', { why: error instanceof Error ? error.message : String(error) }));
    } finally {
      setAsking(false);
    }
  };

  const id = `c-${view.confirmation_id}`;
  const expired = ended === null && Date.parse(view.expires_at) <= now;
  const over = ended !== null || expired;
  const disabled = !armed || asking || over;
  return (
    <li class={over ? 'card ended' : 'card'} id={id}>
      <h3 id={`${id}-h`}>
        <bdi class="foreign">{view.agent}</bdi> {t('wants')} {deedOf(t, view.tool)}
        {view.element === null ? null : (
          <>
            {' '}
            <q>
              <Foreign text={view.element} />
            </q>
          </>
        )}{' '}
        <span class="quiet">
          {t('on_phone', { phone: '' })}
          <bdi class="foreign">{view.device_id}</bdi>
        </span>
      </h3>
      <dl>
        <Fact name={t('app')} text={view.app} />
        <Fact name={t('window')} text={view.window_title} />
        <Fact name={t('text')} text={view.typed_text} />
        <dt>{t('why')}</dt>
        <dd>
          <ul class="reasons">
            {view.reasons.map((reason) => {
              const name = named('class', reason.class);
              return (
                <li key={`${reason.class} ${reason.match} ${reason.where}`}>
                  <strong>{name === null ? reason.class : t(name)}</strong>
                  {reason.match === '' ? null : (
                    <>
                      {': '}
                      <q>
                        <Foreign text={reason.match} />
                      </q>
                    </>
                  )}
                </li>
              );
            })}
          </ul>
        </dd>
      </dl>
      {ended !== null ? (
        <p class="quiet" role="status">
          {t(`answered_${ended.how === 'expired' ? 'other' : ended.how}`)}
        </p>
      ) : expired ? (
        <p class="quiet" role="status">
          {t('expired')}
        </p>
      ) : (
        <p class="quiet" aria-live="off">
          {left(t, code, Date.parse(view.expires_at), now)}
        </p>
      )}
      {failed === null ? null : (
        <p class="bad" role="alert">
          <Foreign text={failed} />
        </p>
      )}
      <fieldset class="answers" aria-labelledby={`${id}-h`}>
        <button type="button" class="yes" disabled={disabled} onClick={() => void answer('approve')}>
          {t('approve')}
        </button>
        <button type="button" disabled={disabled} onClick={() => void answer('deny')}>
          {t('deny')}
        </button>
        <button type="button" class="no" disabled={disabled} onClick={() => void answer('deny_stop')}>
          {t('deny_stop')}
        </button>
      </fieldset>
    </li>
  );
}

/** The next list: everything keeps its place, new ones come last, what left says how and stays for a while. */
export function nextCards(
  cards: readonly Card[],
  pending: readonly PendingView[],
  now: number,
  held: boolean,
): Card[] {
  const still = new Map(pending.map((view) => [view.confirmation_id, view]));
  const kept = cards.flatMap((card): Card[] => {
    const view = still.get(card.view.confirmation_id);
    if (view !== undefined) return [{ ...card, view }];
    const ended = card.ended ?? {
      how: Date.parse(card.view.expires_at) <= now ? ('expired' as const) : ('other' as const),
      at: now,
    };
    return held || now - ended.at < LEAVES_MS ? [{ ...card, ended }] : [];
  });
  const there = new Set(kept.map((card) => card.view.confirmation_id));
  const added = pending.filter((view) => !there.has(view.confirmation_id));
  return [...kept, ...added.map((view) => ({ view, ended: null }))];
}

export function Waiting({
  pending,
  now,
}: {
  readonly pending: readonly PendingView[] | null;
  readonly now: number;
}) {
  const t = useMessages();
  const [cards, setCards] = useState<readonly Card[]>([]);
  const [drawn, setDrawn] = useState(DRAWN);
  const [said, setSaid] = useState('');
  const known = useRef<Set<string> | null>(null);
  const place = useRef<HTMLElement>(null);

  useEffect(() => {
    if (pending === null) return;
    const list = place.current;
    // Under a pointer or with the focus inside nothing may move.
    const held = list !== null && (list.matches(':hover') || list.contains(document.activeElement));
    setCards((before) => nextCards(before, pending, now, held));
    const fresh = pending.filter((view) => known.current?.has(view.confirmation_id) === false);
    known.current = new Set(pending.map((view) => view.confirmation_id));
    const last = fresh.at(-1);
    if (last === undefined) return;
    const sentence = t('new_request', { agent: last.agent, what: deedOf(t, last.tool) });
    setSaid(sentence);
    callOwner(sentence);
  }, [pending, now]);

  const waiting = cards.filter((card) => card.ended === null).length;
  useEffect(() => {
    document.title = waiting === 0 ? t('title') : `(${waiting}) ${t('title')}`;
  }, [waiting, t]);

  const answered = (confirmationId: string, how: Ended) =>
    setCards((before) =>
      before.map((card) =>
        card.view.confirmation_id === confirmationId ? { ...card, ended: { how, at: Date.now() } } : card,
      ),
    );

  return (
    <section ref={place} id="waiting" aria-labelledby="waiting-h" tabIndex={-1}>
      <h2 id="waiting-h">
        {t('waiting')} <span class="count">{waiting}</span>
      </h2>
      <p class="sr" role="status" aria-live="polite">
        {said}
      </p>
      {cards.length === 0 ? (
        <p class="quiet">{t(pending === null ? 'connecting' : 'waiting_none')}</p>
      ) : (
        <>
          <p class="quiet">{t('from_screen')}</p>
          <ol class="cards">
            {cards.slice(0, drawn).map((card) => (
              <WaitingCard
                key={card.view.confirmation_id}
                card={card}
                now={now}
                onAnswered={(how) => answered(card.view.confirmation_id, how)}
              />
            ))}
          </ol>
          {cards.length > drawn ? (
            <button type="button" onClick={() => setDrawn(drawn + DRAWN)}>
              {t('waiting_more', { count: cards.length - drawn })}
            </button>
          ) : null}
        </>
      )}
    </section>
  );
}
