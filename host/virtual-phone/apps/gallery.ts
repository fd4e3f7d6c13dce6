/** Pictures: asks for permission first, chooses several by a long press, deletes and shares, plays a film that never rests. */
import { app } from '../android/app.ts';
import { step } from '../android/moves.ts';
import { PLATFORM } from '../android/platform-texts.ts';
import { viewsOf } from '../android/view.ts';
import { fill, words } from '../android/words.ts';

export interface GalleryState {
  readonly allowed: 'not_asked' | 'yes' | 'no';
  readonly photos: readonly number[];
  readonly chosen: readonly number[];
  readonly open: number | null;
  readonly deleting: boolean;
  readonly sharing: boolean;
  /** Milliseconds of the film that ran; null: none is running. */
  readonly film: number | null;
  readonly controls: boolean;
}

const ui = viewsOf<GalleryState>();
const COLUMNS = 3;
/** Film controls that change this often never meet a quiet rule of half a second (field report D-12). */
const FRAME_MS = 300;

const texts = words({
  ...PLATFORM,
  app: 'Gallery | Galerie | Galería | المعرض | ギャラリー | गैलरी',
  photo: 'Photo {} | Foto {} | Foto {} | صورة {} | 写真 {} | फ़ोटो {}',
  film: 'Play video | Video abspielen | Reproducir vídeo | تشغيل الفيديو | 動画を再生 | वीडियो चलाएं',
  chosen: '{} selected | {} ausgewählt | {} seleccionadas | تم اختيار {} | {} 件選択中 | {} चुनी गईं',
  share: 'Share | Teilen | Compartir | مشاركة | 共有 | शेयर करें',
  deleteOne:
    'Delete {} photos? | {} Fotos löschen? | ¿Eliminar {} fotos? | هل تريد حذف {} من الصور؟ | {} 枚の写真を削除しますか？ | क्या {} फ़ोटो मिटानी हैं?',
  denied:
    'No access to photos | Kein Zugriff auf Fotos | Sin acceso a las fotos | لا يمكن الوصول إلى الصور | 写真にアクセスできません | फ़ोटो का ऐक्सेस नहीं है',
  ask: 'Allow access | Zugriff erlauben | Permitir acceso | السماح بالوصول | アクセスを許可 | ऐक्सेस दें',
  close: 'Close | Schließen | Cerrar | إغلاق | 閉じる | बंद करें',
  info: 'Details | Details | Detalles | التفاصيل | 詳細 | जानकारी',
  infoText:
    'Camera, 12 megapixels | Kamera, 12 Megapixel | Cámara, 12 megapíxeles | الكاميرا، 12 ميغابكسل | カメラ、12 メガピクセル | कैमरा, 12 मेगापिक्सल',
});
type Key = keyof ReturnType<typeof texts.in>;

const askAgain = (s: GalleryState) => step(s, { ask: 'permission', permission: 'photos', move: 'answered' });
const stopFilm = (s: GalleryState) =>
  step<GalleryState>({ ...s, film: null, controls: false }, { ask: 'forget', move: 'frame' });

export const gallery = app<GalleryState, Key>({
  package: 'com.android.gallery3d',
  icon: '🖼',
  toolkit: 'views',
  words: texts,
  start: () => ({
    allowed: 'not_asked',
    photos: Array.from({ length: 24 }, (_none, index) => index + 1),
    chosen: [],
    open: null,
    deleting: false,
    sharing: false,
    film: null,
    controls: false,
  }),
  opened: (s) => (s.allowed === 'not_asked' ? askAgain(s) : s),
  screen(s, t) {
    if (s.allowed !== 'yes') {
      return {
        title: t.app,
        activity: 'app.GalleryActivity',
        body: ui.column({ h: 'fill', pad: 32, gap: 16 }, [
          ui.text(t.denied, { id: 'empty' }),
          ui.button(t.ask, askAgain, { id: 'ask' }),
        ]),
      };
    }
    if (s.film !== null) {
      const seconds = Math.floor(s.film / 1000);
      return {
        title: t.app,
        activity: 'app.MovieActivity',
        fullScreen: true,
        back: stopFilm,
        body: ui.frame({ h: 'fill', fill: '#000000' }, [
          ui.surface({
            id: 'surface_view',
            h: 'fill',
            tap: (state) => ({ ...state, controls: !state.controls }),
          }),
          ui.column({ id: 'controls', bottom: true, pad: 16 }, [
            ui.text(`0:${String(seconds % 60).padStart(2, '0')}.${Math.floor((s.film % 1000) / 100)}`, {
              id: 'time_current',
              color: '#ffffff',
            }),
            ui.button(t.info, (state) => ({ ...state, controls: true }), { id: 'info' }),
            s.controls ? ui.text(t.infoText, { id: 'panel', color: '#ffffff' }) : null,
            ui.iconButton('✕', t.close, stopFilm, { id: 'close' }),
          ]),
        ]),
      };
    }
    const keep = (state: GalleryState): GalleryState => ({ ...state, deleting: false });
    const dialog = s.deleting
      ? {
          dialog: {
            // The words of the button say nothing of what it does; the title does.
            message: fill(t.deleteOne, s.chosen.length),
            positive: {
              text: t.ok,
              move: (state: GalleryState): GalleryState => ({
                ...state,
                photos: state.photos.filter((one) => !state.chosen.includes(one)),
                chosen: [],
                deleting: false,
                open: null,
              }),
            },
            negative: { text: t.cancel, move: keep },
            cancel: keep,
          },
        }
      : {};
    if (s.open !== null) {
      const { open } = s;
      return {
        title: fill(t.photo, open),
        activity: 'app.PhotoPage',
        ...dialog,
        back: (state) => ({ ...state, open: null, chosen: [] }),
        body: ui.frame({ h: 'fill', fill: '#000000' }, [
          ui.image('▣', { id: 'photo', description: fill(t.photo, open), w: 'fill', h: 'fill' }),
          ui.row({ bottom: true, pad: 8 }, [
            ui.iconButton('↗', t.share, (state) => ({ ...state, sharing: true }), { id: 'share', grow: 1 }),
            // An icon without a description: known only by its resource id.
            ui.iconButton('🗑', null, (state) => ({ ...state, chosen: [open], deleting: true }), {
              id: 'action_delete',
              grow: 1,
            }),
          ]),
        ]),
      };
    }
    const toggle =
      (one: number) =>
      (state: GalleryState): GalleryState => ({
        ...state,
        chosen: state.chosen.includes(one)
          ? state.chosen.filter((other) => other !== one)
          : [...state.chosen, one],
      });
    return {
      title: t.app,
      activity: 'app.GalleryActivity',
      ...dialog,
      ...(s.chosen.length === 0
        ? {}
        : { back: (state: GalleryState): GalleryState => ({ ...state, chosen: [] }) }),
      body: ui.column({ h: 'fill' }, [
        ui.row({ id: 'toolbar', h: 56, pad: [4, 16] }, [
          ui.heading(s.chosen.length === 0 ? t.app : fill(t.chosen, s.chosen.length), { grow: 1 }),
          s.chosen.length === 0
            ? ui.iconButton(
                '▶',
                t.film,
                (state) => step({ ...state, film: 0 }, { ask: 'later', ms: FRAME_MS, move: 'frame' }),
                { id: 'film' },
              )
            : ui.iconButton('🗑', t.delete, (state) => ({ ...state, deleting: true }), {
                id: 'action_delete',
              }),
        ]),
        ui.list(
          {
            count: Math.ceil(s.photos.length / COLUMNS),
            rowHeight: 130,
            row: (index) =>
              ui.row(
                { gap: 2, pad: [1, 0], key: `g${s.photos[index * COLUMNS] ?? index}` },
                s.photos.slice(index * COLUMNS, (index + 1) * COLUMNS).map((one) =>
                  ui.image('▣', {
                    id: 'thumbnail',
                    key: `p${one}`,
                    description: fill(t.photo, one),
                    selected: s.chosen.includes(one),
                    w: 136,
                    h: 128,
                    tap: s.chosen.length === 0 ? (state) => ({ ...state, open: one }) : toggle(one),
                    hold: toggle(one),
                  }),
                ),
              ),
          },
          { id: 'gallery_grid' },
        ),
      ]),
    };
  },
  moves: {
    answered: (s, yes: boolean) => ({ ...s, allowed: yes ? 'yes' : 'no' }),
    frame: (s) =>
      s.film === null
        ? s
        : step({ ...s, film: s.film + FRAME_MS }, { ask: 'later', ms: FRAME_MS, move: 'frame' }),
  },
});
