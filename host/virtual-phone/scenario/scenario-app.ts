/**
 * Runs a scenario: makes an app of it whose state is a screen's name and some values. Not for reading the
 * file (read.ts).
 */
import { type AnyApp, app, type Screen } from '../android/app.ts';
import type { Effect, PhoneFacts } from '../android/moves.ts';
import { type Move, Step as Moved, step } from '../android/moves.ts';
import { type View, viewsOf } from '../android/view.ts';
import { words } from '../android/words.ts';
import type { Delay, Scenario, Shown, Step, Steps } from './schema.ts';

type Value = string | number | boolean;
export interface ScenarioState {
  readonly screen: string;
  readonly dialog: string | null;
  readonly values: Readonly<Record<string, Value>>;
  /** elapsedRealtime when the screen appeared. */
  readonly since: number;
  /** How often the seed was drawn from. */
  readonly draws: number;
}
type V = View<ScenarioState>;
type Result = Moved<ScenarioState>;

const ui = viewsOf<ScenarioState>();

/** A number below 1 from seed and count (mulberry32, public domain): the same on every machine. */
function draw(seed: number, count: number): number {
  let t = (seed + Math.imul(count + 1, 0x6d2b79f5)) | 0;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
}

function msOf(delay: Delay, seed: number, draws: number): number {
  if (typeof delay === 'number') return delay;
  const [least, most] = delay.between;
  return Math.round(least + draw(seed, draws) * (most - least));
}

const listOf = (steps: Steps): Step[] => (Array.isArray(steps) ? steps : [steps]);

class Runner {
  private readonly scenario: Scenario;
  constructor(scenario: Scenario) {
    this.scenario = scenario;
  }

  screen(name: string) {
    const screen = this.scenario.screens[name];
    if (screen === undefined) throw new Error(`no screen "${name}"`);
    return screen;
  }

  /** Does the steps in order; what stands behind a `wait` is kept for later. */
  run(state: ScenarioState, steps: Steps, phone: PhoneFacts): Result {
    let now = state;
    const effects: Effect[] = [];
    const list = listOf(steps);
    for (const [index, one] of list.entries()) {
      if ('wait' in one) {
        const ms = msOf(one.wait, this.scenario.seed, now.draws);
        const rest = list.slice(index + 1);
        effects.push({ ask: 'later', ms, move: 'steps', arg: rest });
        return new Moved({ ...now, draws: now.draws + 1 }, effects);
      }
      const after = this.one(now, one, phone);
      now = after.state;
      effects.push(...after.effects);
    }
    return new Moved(now, effects);
  }

  private one(state: ScenarioState, one: Step, phone: PhoneFacts): Result {
    if ('goto' in one) return this.enter({ ...state, dialog: null }, one.goto, phone);
    if ('dialog' in one) return step({ ...state, dialog: one.dialog });
    if ('close' in one) return step({ ...state, dialog: null });
    if ('set' in one) return step({ ...state, values: { ...state.values, ...one.set } });
    if ('add' in one) {
      const sums = Object.entries(one.add).map(([name, by]) => [name, Number(state.values[name] ?? 0) + by]);
      return step({ ...state, values: { ...state.values, ...Object.fromEntries(sums) } });
    }
    if ('every' in one) return step(state, { ask: 'later', ms: one.every, move: 'again', arg: one });
    if ('open' in one) return step(state, { ask: 'open', package: one.open });
    if ('link' in one) return step(state, { ask: 'link', url: one.link });
    if ('notify' in one)
      return step(state, { ask: 'notify', notice: { id: one.notify.title, ...one.notify } });
    if ('keyboard' in one) return step(state, { ask: 'hide_keyboard' });
    if ('say' in one) return step(state, { ask: 'silence' });
    throw new Error('a wait is not a step of its own');
  }

  enter(state: ScenarioState, screen: string, phone: PhoneFacts): Result {
    const there = { ...state, screen, since: phone.now };
    const { enter } = this.screen(screen);
    return enter === undefined ? step(there) : this.run(there, enter, phone);
  }

  move(steps: Steps | undefined): Move<ScenarioState> | undefined {
    return steps === undefined ? undefined : (state, phone) => this.run(state, steps, phone);
  }

  view(shown: Shown, state: ScenarioState, n: number | null = null): V | null {
    const holds = Object.entries(shown.when ?? {}).every(([name, value]) => state.values[name] === value);
    if (!holds) return null;
    const say = (text: string) =>
      text.replaceAll(/\{([a-z][a-z0-9_]*)\}/g, (whole, name: string) =>
        name === 'n' && n !== null
          ? String(n)
          : Object.hasOwn(state.values, name)
            ? String(state.values[name])
            : whole,
      );
    const look = this.look(shown, say);
    const inside = (all: unknown) => (all as Shown[]).map((one) => this.view(one, state, n));
    if (shown.text !== undefined) return ui.text(say(String(shown.text)), look);
    if (shown.heading !== undefined) return ui.heading(say(String(shown.heading)), look);
    if (shown.button !== undefined) return ui.button(say(String(shown.button)), look.tap ?? ((s) => s), look);
    if (shown.icon !== undefined)
      return ui.iconButton(say(String(shown.icon)), null, look.tap ?? ((s) => s), look);
    if (shown.image !== undefined) return ui.image(say(String(shown.image)), look);
    if (shown.field !== undefined) return this.field(shown, state, say, look);
    if (shown.switch !== undefined || shown.checkbox !== undefined) {
      const name = String(shown.switch ?? shown.checkbox);
      const on = state.values[name] === true;
      const flip: Move<ScenarioState> = (s) => ({ ...s, values: { ...s.values, [name]: !on } });
      return ui.toggle(shown.switch === undefined ? 'checkbox' : 'switch', on, look.tap ?? flip, look);
    }
    if (shown.progress !== undefined)
      return ui.progress({ description: say(String(shown.progress)), ...look });
    if (shown.surface !== undefined) return ui.surface({ grow: 1, ...look });
    if (shown.row !== undefined) return ui.row({ gap: 8, ...look }, inside(shown.row));
    if (shown.column !== undefined) return ui.column(look, inside(shown.column));
    if (shown.card !== undefined) return ui.card(look, inside(shown.card));
    if (shown.frame !== undefined) return ui.frame(look, inside(shown.frame));
    if (shown.scroll !== undefined) return ui.scroll(look, inside(shown.scroll));
    if (shown.web !== undefined)
      return ui.web(
        '',
        look,
        inside(shown.web).filter((view) => view !== null),
      );
    if (shown.repeat !== undefined) {
      const each = (_none: unknown, index: number) => this.view(shown.repeat as Shown, state, index + 1);
      return ui.column(look, Array.from({ length: shown.times ?? 1 }, each));
    }
    if (shown.deep !== undefined) {
      let view = this.view(shown.deep as Shown, state, n);
      for (let level = 1; level < (shown.times ?? 1) && view !== null; level++) view = ui.frame({}, [view]);
      return view;
    }
    return this.list(shown, state, look);
  }

  private list(shown: Shown, state: ScenarioState, look: ReturnType<Runner['look']>): V {
    const rowHeight = 56;
    if (shown.rows !== undefined) {
      const row = (index: number) => this.view(shown.rows as Shown, state, index + 1) ?? ui.space();
      return ui.list({ count: shown.times ?? 1, rowHeight, row }, look);
    }
    const rows = (shown.list as Shown[]).map((one) => this.view(one, state)).filter((view) => view !== null);
    return ui.list({ count: rows.length, rowHeight, row: (index) => rows[index] ?? ui.space() }, look);
  }

  private field(
    shown: Shown,
    state: ScenarioState,
    say: (text: string) => string,
    look: ReturnType<Runner['look']>,
  ): V {
    const name = shown.into ?? '';
    const { seed } = this.scenario;
    const deafUntil =
      shown.ignores_for === undefined
        ? 0
        : state.since + msOf(shown.ignores_for, seed, Math.floor(state.since));
    const submitted = this.move(shown.submit);
    return ui.field({
      ...look,
      value: String(state.values[name] ?? ''),
      hint: say(String(shown.field)),
      ime: shown.ime ?? 'done',
      password: shown.password ?? false,
      deaf: shown.deaf ?? false,
      ...(submitted === undefined ? {} : { submitted }),
      typed: (s, text, phone) => {
        if (phone.now < deafUntil) return s;
        const kept = shown.format === 'thousands' ? thousands(text) : text;
        return { ...s, values: { ...s.values, [name]: kept } };
      },
    });
  }

  private look(shown: Shown, say: (text: string) => string) {
    const tap = this.move(shown.tap);
    const hold = this.move(shown.hold);
    const slid = this.move(shown.slide);
    return {
      ...(shown.id === undefined ? {} : { id: shown.id }),
      ...(shown.description === undefined ? {} : { description: say(shown.description) }),
      ...(shown.hint === undefined ? {} : { hint: say(shown.hint) }),
      ...(shown.state === undefined ? {} : { state: say(shown.state) }),
      ...(shown.class === undefined ? {} : { className: shown.class }),
      ...(shown.at === undefined ? {} : { at: shown.at }),
      ...(shown.height === undefined ? {} : { h: shown.height }),
      ...(shown.width === undefined ? {} : { w: shown.width }),
      ...(shown.enabled === undefined ? {} : { enabled: shown.enabled }),
      ...(shown.selected === undefined ? {} : { selected: shown.selected }),
      ...(shown.hidden === undefined ? {} : { hidden: shown.hidden }),
      ...(shown.finger_only === undefined ? {} : { fingerOnly: shown.finger_only }),
      ...(tap === undefined ? {} : { tap }),
      ...(hold === undefined ? {} : { hold }),
      ...(slid === undefined ? {} : { slid }),
    };
  }
}

const thousands = (text: string) => text.replace(/\D/g, '').replace(/\B(?=(\d{3})+$)/g, ',');

export function scenarioApp(scenario: Scenario): AnyApp {
  const runner = new Runner(scenario);
  const label = scenario.label ?? scenario.scenario;
  const first = Object.keys(scenario.screens)[0] ?? '';
  return app<ScenarioState, 'app'>({
    package: scenario.app,
    icon: '◆',
    toolkit: scenario.toolkit,
    words: words({ app: Array(6).fill(label.replaceAll('|', '/')).join(' | ') as never }),
    start: () => ({ screen: '', dialog: null, values: scenario.values, since: 0, draws: 0 }),
    opened: (state, phone) => (state.screen === '' ? runner.enter(state, first, phone) : state),
    screen(state): Screen<ScenarioState> {
      const screen = runner.screen(state.screen === '' ? first : state.screen);
      const back = runner.move(screen.back);
      return {
        title: screen.title,
        activity: screen.activity ?? 'MainActivity',
        secure: screen.secure,
        fullScreen: screen.full_screen,
        ...(back === undefined ? {} : { back }),
        ...dialogOf(runner, screen, state),
        body: ui.column(
          { h: 'fill' },
          screen.show.map((one) => runner.view(one, state)),
        ),
      };
    },
    moves: {
      steps: (state, rest: Step[], phone) => runner.run(state, rest, phone),
      again(state, every: Extract<Step, { every: number }>, phone) {
        const { state: next, effects } = runner.run(state, every.do, phone);
        return new Moved(next, [...effects, { ask: 'later', ms: every.every, move: 'again', arg: every }]);
      },
    },
  });
}

function dialogOf(runner: Runner, screen: Scenario['screens'][string], state: ScenarioState) {
  const dialog = state.dialog === null ? undefined : screen.dialogs[state.dialog];
  if (dialog === undefined) return {};
  const close: Move<ScenarioState> = (s) => ({ ...s, dialog: null });
  const answer = (of: typeof dialog.yes) =>
    of === undefined
      ? undefined
      : {
          text: of.text,
          move: ((s, phone) => runner.run({ ...s, dialog: null }, of.do, phone)) as Move<ScenarioState>,
        };
  const positive = answer(dialog.yes);
  const negative = answer(dialog.no);
  return {
    dialog: {
      ...(dialog.title === undefined ? {} : { title: dialog.title }),
      ...(dialog.message === undefined ? {} : { message: dialog.message }),
      ...(positive === undefined ? {} : { positive }),
      ...(negative === undefined ? {} : { negative }),
      ...(dialog.closes ? { cancel: close } : {}),
    },
  };
}
