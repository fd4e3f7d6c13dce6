/**
 * Takes what is secret out of a snapshot before anything else sees it: what password fields hold, also while
 * "show password" is on, and what Android marks as meant for accessibility tools only. The nodes stay, so
 * that they can be filled; how long their content is does not.
 */
import { has, type Snapshot, type SnapshotNode } from '../snapshot.ts';

/** Ids of fields whose text is a secret even where they do not say so. */
const SECRET_ID = /pass(?:word|wd|code|phrase)|pwd|secret|(?:^|[^a-z])cvv|(?:^|[^a-z])cvc/i;

export interface Withheld {
  readonly snapshot: Snapshot;
  /** Fields that were seen as password fields; hand them in at the next look. */
  readonly known: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** Idempotent. `known`: what an earlier look of the same phone answered. */
export function withoutSecrets(snapshot: Snapshot, known: ReadonlySet<string> = NONE): Withheld {
  const secret = secretsOf(snapshot, known);
  const found = new Set(known);
  const keys = fieldKeys(snapshot);
  snapshot.nodes.forEach((node, index) => {
    const key = keys[index] ?? '';
    if (has(node, 'password') && key !== '') found.add(key);
  });
  if (!secret.includes(true)) return { snapshot, known: found };
  const nodes = snapshot.nodes.map((node, index) => (secret[index] === true ? emptied(node, secret) : node));
  return { snapshot: { ...snapshot, nodes }, known: found };
}

/** Whether each node is, or is inside of, something secret. */
export function secretsOf(snapshot: Snapshot, known: ReadonlySet<string> = NONE): boolean[] {
  const secret: boolean[] = [];
  const keys = fieldKeys(snapshot);
  snapshot.nodes.forEach((node, index) => {
    secret[index] =
      isSecret(node, keys[index] ?? '', known) || (node.parent >= 0 && secret[node.parent] === true);
  });
  return secret;
}

function isSecret(node: SnapshotNode, key: string, known: ReadonlySet<string>): boolean {
  if (has(node, 'password') || has(node, 'sensitive')) return true;
  if (!has(node, 'editable')) return false;
  return SECRET_ID.test(lastOf(node.resource_id)) || (key !== '' && known.has(key));
}

/**
 * What stays of each field when its password is shown: package, class, id, name or hint, and which of those
 * with the same it is. Forms are often made of one part, so that mail and password share everything else.
 */
function fieldKeys(snapshot: Snapshot): string[] {
  const seen = new Map<string, number>();
  return snapshot.nodes.map((node) => {
    if (!has(node, 'editable') && !has(node, 'password')) return '';
    const named = node.resource_id ?? node.description ?? node.hint ?? null;
    // A field without any name cannot be told from others: it is only secret while it says so.
    if (named === null) return '';
    const key = [node.package, node.class_name, named].join('\u001F');
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    return `${key}\u001F${nth}`;
  });
}

const lastOf = (id: string | null) => (id === null ? '' : id.slice(id.lastIndexOf('/') + 1));

/**
 * Its hint may stand there as text; everything else that it holds goes. A field whose password is shown at the
 * moment says again that it is one, so that nobody after this has to remember it.
 */
function emptied(node: SnapshotNode, secret: readonly boolean[]): SnapshotNode {
  const inside = node.parent >= 0 && secret[node.parent] === true;
  const { state: _, text_cut: __, ...rest } = node;
  if (inside || has(node, 'sensitive')) {
    const { hint: _hint, pane: _pane, error: _error, actions: _actions, range: _range, ...bare } = rest;
    return { ...bare, text: null, description: null };
  }
  return {
    ...rest,
    text: has(node, 'showing_hint') ? node.text : null,
    flags: has(node, 'password') ? node.flags : [...node.flags, 'password'],
  };
}
