/**
 * The readable part of a resource id: "com.app:id/btn_send_message" is "send message". Not an identity; ids
 * are often repeated and sometimes obfuscated.
 */

/** Parts of ids that name the kind of view, not what it does. */
const KINDS = new Set(
  (
    'view views layout container wrapper root content parent frame linear relative constraint coordinator group holder ' +
    'panel box area item items row column cell list recycler scroll scroller pager page fragment host activity screen ' +
    'button btn img image imageview icon ic iv imv imgv ib ibtn tv txt text textview label lbl edit edt et field input ' +
    'ly ll rl fl cl rv lv vp lay lyt inner outer main base default custom new id no res resource name obfuscated ' +
    'widget control element component node card tile block section wrap clickable touch click left right top bottom ' +
    'start end center middle first second third one two three header footer body mask overlay background bg fg ' +
    'foreground stub placeholder dummy anchor target root1'
  ).split(' '),
);

/** Words of up to three letters are obfuscated more often than not (8 % of recorded ids), but for these. */
const SHORTEST = 4;
const SHORT_WORDS = new Set(
  'add all app ask buy car day del eye fab fan faq fav gif hot key log map mic new nav off one pay pen pin pop qr red sms sum tab tag tip toc top url use vip zip'.split(
    ' ',
  ),
);

/** Empty where the id says nothing a person would understand. */
export function idWords(resourceId: string | null): string {
  if (resourceId === null) return '';
  const name = resourceId.slice(resourceId.lastIndexOf('/') + 1);
  if (!/^[A-Za-z0-9_.:$-]{3,60}$/.test(name) || /obfuscated/i.test(name)) return '';
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Za-z])(\d)/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 1 && !KINDS.has(word));
  const readable = words.filter(
    (word) => SHORT_WORDS.has(word) || (word.length >= SHORTEST && /[aeiouy]/.test(word)),
  );
  return readable.length === 0
    ? ''
    : words.filter((word) => readable.includes(word) || word.length > 1).join(' ');
}
