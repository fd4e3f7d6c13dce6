/**
 * What Android's accessibility says of a laid-out window: classes, ids, flags, texts, bounds, as the three
 * toolkits really give them. Not for what the phone shows at all (windows.ts).
 */
import type { Bounds, NodeFlag, SnapshotNode } from '../../../device-protocol/snapshot.ts';
import type { Toolkit } from './app.ts';
import type { Box } from './layout.ts';
import { type AnyView, isClickable, type Kind } from './view.ts';

const LAYOUT = 'android.widget.LinearLayout';
const PLAIN = 'android.view.View';

/** Class names by toolkit. Compose and React Native keep only few of Android's own. */
const CLASSES: Record<Toolkit, Record<Kind, string>> = {
  views: {
    column: LAYOUT,
    row: LAYOUT,
    frame: 'android.widget.FrameLayout',
    card: 'androidx.cardview.widget.CardView',
    scroll: 'android.widget.ScrollView',
    list: 'androidx.recyclerview.widget.RecyclerView',
    web: 'android.webkit.WebView',
    text: 'android.widget.TextView',
    button: 'android.widget.Button',
    icon_button: 'android.widget.ImageButton',
    image: 'android.widget.ImageView',
    field: 'android.widget.EditText',
    switch: 'android.widget.Switch',
    checkbox: 'android.widget.CheckBox',
    radio: 'android.widget.RadioButton',
    slider: 'android.widget.SeekBar',
    progress: 'android.widget.ProgressBar',
    tab: 'androidx.appcompat.app.ActionBar$Tab',
    surface: 'android.view.SurfaceView',
    space: 'android.view.View',
  },
  compose: {
    column: PLAIN,
    row: PLAIN,
    frame: PLAIN,
    card: PLAIN,
    scroll: 'android.widget.ScrollView',
    list: PLAIN,
    web: 'android.webkit.WebView',
    text: 'android.widget.TextView',
    button: PLAIN,
    icon_button: PLAIN,
    image: PLAIN,
    field: 'android.widget.EditText',
    switch: PLAIN,
    checkbox: 'android.widget.CheckBox',
    radio: 'android.widget.RadioButton',
    slider: 'android.widget.SeekBar',
    progress: 'android.widget.ProgressBar',
    tab: PLAIN,
    surface: PLAIN,
    space: PLAIN,
  },
  react_native: {
    column: 'android.view.ViewGroup',
    row: 'android.view.ViewGroup',
    frame: 'android.view.ViewGroup',
    card: 'android.view.ViewGroup',
    scroll: 'android.widget.ScrollView',
    list: 'android.widget.ScrollView',
    web: 'android.webkit.WebView',
    text: 'android.widget.TextView',
    button: 'android.view.ViewGroup',
    icon_button: 'android.view.ViewGroup',
    image: 'android.widget.ImageView',
    field: 'android.widget.EditText',
    switch: 'android.widget.Switch',
    checkbox: 'android.view.ViewGroup',
    radio: 'android.view.ViewGroup',
    slider: 'android.widget.SeekBar',
    progress: 'android.widget.ProgressBar',
    tab: 'android.view.ViewGroup',
    surface: 'android.view.SurfaceView',
    space: 'android.view.ViewGroup',
  },
};
/** Inside a page the browser engine names things. */
const WEB_CLASSES: Partial<Record<Kind, string>> = {
  text: 'android.widget.TextView',
  button: 'android.widget.Button',
  field: 'android.widget.EditText',
  image: 'android.widget.Image',
  checkbox: 'android.widget.CheckBox',
};

/** Kinds that carry a check mark of their own. */
const CHECKABLE: ReadonlySet<Kind> = new Set(['switch', 'checkbox', 'radio']);

export interface Facts {
  readonly nodes: SnapshotNode[];
  /** The box each node was made of; null for scaffolding. */
  readonly boxes: (Box | null)[];
}

export interface Place {
  readonly window: number;
  readonly package: string;
  readonly toolkit: Toolkit;
  /** Path of the view that has the input focus. */
  readonly focus: string | null;
}

type NodeWords = Pick<SnapshotNode, 'text' | 'description' | 'hint' | 'state' | 'error' | 'pane'>;

/** Adds one node and answers its index. */
export function addNode(
  facts: Facts,
  place: Place,
  parent: number,
  box: Box | null,
  node: Partial<Omit<SnapshotNode, 'parent' | 'window' | 'package'>> & { bounds: Bounds; flags: NodeFlag[] },
): number {
  facts.nodes.push({
    parent,
    window: place.window,
    class_name: 'android.widget.FrameLayout',
    resource_id: null,
    package: place.package,
    text: null,
    description: null,
    ...node,
  });
  facts.boxes.push(box);
  return facts.nodes.length - 1;
}

/** Adds a box and everything below it. `web`: it stands inside a web page. */
export function addBox(facts: Facts, around: Place, parent: number, box: Box, web = false): void {
  const { view } = box;
  if (view.hidden === true || view.kind === 'space') return;
  const place = view.of === undefined ? around : { ...around, package: view.of };
  const inWeb = web || view.kind === 'web';
  const flags = flagsOf(box, place);
  const bounds = shownBounds(box, web);
  const bare = web || place.toolkit !== 'views' || view.id?.includes(':') === true;
  const resource = view.id === undefined ? null : bare ? view.id : `${place.package}:id/${view.id}`;
  const composed =
    !web &&
    place.toolkit !== 'views' &&
    (view.kind === 'button' || view.kind === 'icon_button' || view.kind === 'tab');
  const index = addNode(facts, place, parent, box, {
    class_name:
      view.className ?? (web ? (WEB_CLASSES[view.kind] ?? PLAIN) : CLASSES[place.toolkit][view.kind]),
    resource_id: resource,
    bounds,
    flags,
    ...wordsOf(view, composed),
    ...(view.actions === undefined ? {} : { actions: view.actions.map((action) => action.label) }),
    ...(view.rows === undefined || place.toolkit === 'react_native'
      ? {}
      : { collection: { rows: view.rows.count, columns: 1 } }),
    ...(box.item === undefined || place.toolkit === 'react_native'
      ? {}
      : { item: { row: box.item, column: 0 } }),
    ...(view.slider === undefined
      ? {}
      : { range: { min: view.slider.min, max: view.slider.max, current: view.slider.value } }),
  });
  if (composed) addInside(facts, place, index, box, flags.includes('visible'));
  for (const child of box.children) addBox(facts, place, index, child, inWeb);
}

/** Compose and React Native put the text of a button into a child; Compose adds an empty node for the role. */
function addInside(facts: Facts, place: Place, parent: number, box: Box, visible: boolean): void {
  const flags: NodeFlag[] = visible ? ['enabled', 'visible'] : ['enabled'];
  const { view } = box;
  if (view.kind !== 'icon_button' && view.text !== undefined) {
    addNode(facts, place, parent, box, {
      class_name: 'android.widget.TextView',
      text: view.text,
      bounds: shownBounds(box, false),
      flags,
    });
  }
  if (place.toolkit === 'compose') {
    addNode(facts, place, parent, box, {
      class_name: 'android.widget.Button',
      bounds: shownBounds(box, false),
      flags,
    });
  }
}

function wordsOf(view: AnyView, textInside: boolean): Partial<NodeWords> {
  const own: Partial<NodeWords> = {};
  if (view.field !== undefined) {
    const { value, hint, password } = view.field;
    // EditText gives its hint as the text while it is empty, with isShowingHintText (API 26).
    own.text = value === '' ? (hint ?? '') : password === true ? '•'.repeat([...value].length) : value;
    if (hint !== undefined) own.hint = hint;
  } else if (view.kind !== 'icon_button' && view.kind !== 'image' && !textInside) {
    own.text = view.text ?? null;
  }
  if (view.description !== undefined) own.description = view.description;
  if (view.state !== undefined) own.state = view.state;
  if (view.error !== undefined) own.error = view.error;
  if (view.pane !== undefined) own.pane = view.pane;
  return own;
}

function flagsOf(box: Box, place: Place): NodeFlag[] {
  const { view } = box;
  const clickable = isClickable(view) && view.enabled !== false;
  const flags: NodeFlag[] = [];
  const put = (flag: NodeFlag, on: boolean | undefined) => {
    if (on === true) flags.push(flag);
  };
  put('clickable', clickable || (view.kind === 'button' && view.enabled === false));
  put('long_clickable', view.hold !== undefined || view.field !== undefined);
  put('checkable', CHECKABLE.has(view.kind) || (view.kind !== 'text' && view.checked !== undefined));
  put('checked', view.checked);
  put('enabled', view.enabled !== false);
  put('focusable', clickable || view.field !== undefined || (box.scrolled?.most ?? 0) > 0);
  put('focused', place.focus !== null && place.focus === box.path);
  put('scrollable', (box.scrolled?.most ?? 0) > 0 || view.slider !== undefined);
  put('selected', view.selected);
  put('password', view.field?.password);
  put('editable', view.field !== undefined);
  put('visible', box.clip[2] > box.clip[0] && box.clip[3] > box.clip[1]);
  put('heading', view.heading);
  put('showing_hint', view.field !== undefined && view.field.value === '' && view.field.hint !== undefined);
  put('expandable', view.expanded !== undefined);
  put('expanded', view.expanded);
  put('sensitive', view.sensitive);
  return flags;
}

/**
 * Bounds as Android gives them. View.getBoundsOnScreen clips each edge to the parents on its own, so what is
 * scrolled away comes out swapped ([0,2189][1080,2154]); a browser squashes it to the edge.
 */
function shownBounds(box: Box, web: boolean): Bounds {
  const [left, top, right, bottom] = box.clip;
  if (web && top > bottom) {
    const edge = box.bounds[1] >= bottom ? bottom : top;
    return [left, edge, right, edge];
  }
  return [left, top, right, bottom];
}
