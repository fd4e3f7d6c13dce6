/** Calls the owner when something new waits: a sound, a browser notification, the tab's title. */

const WISHES = 'countersign-attention';

export interface Wishes {
  readonly sound: boolean;
  readonly notify: boolean;
}

export function wishes(): Wishes {
  const stored = localStorage.getItem(WISHES);
  return stored === null ? { sound: true, notify: false } : (JSON.parse(stored) as Wishes);
}

export function wish(next: Wishes): void {
  localStorage.setItem(WISHES, JSON.stringify(next));
}

/** Two short tones; silent where the browser lets no page sound before it was touched. */
function sound(): void {
  const context = new AudioContext();
  if (context.state === 'suspended') {
    void context.close();
    return;
  }
  for (const [at, hertz] of [
    [0, 660],
    [0.16, 880],
  ] as const) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    const start = context.currentTime + at;
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.12, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.14);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + 0.15);
  }
  setTimeout(() => void context.close(), 600);
}

/** Says nothing of what is on the phone: notifications are shown on locked screens. */
export function callOwner(title: string): void {
  const { sound: loud, notify } = wishes();
  if (loud) sound();
  if (notify && typeof Notification !== 'undefined' && Notification.permission === 'granted') {
    new Notification(title, { tag: 'countersign' });
  }
}

/** Asks the browser for its leave. False where it was refused. */
export async function mayNotify(): Promise<boolean> {
  if (typeof Notification === 'undefined') return false;
  return (await Notification.requestPermission()) === 'granted';
}
