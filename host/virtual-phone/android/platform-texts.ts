/** Texts that Android itself gives to all apps (android.R.string and AppCompat). Each app takes what it needs. */
import type { Row } from './words.ts';

export const PLATFORM = {
  ok: 'OK | OK | Aceptar | حسنًا | OK | ठीक है',
  cancel: 'Cancel | Abbrechen | Cancelar | إلغاء | キャンセル | रद्द करें',
  delete: 'Delete | Löschen | Eliminar | حذف | 削除 | मिटाएं',
  back: 'Navigate up | Nach oben | Desplazarse hacia arriba | الانتقال للأعلى | 上へ移動 | ऊपर जाएं',
  more: 'More options | Weitere Optionen | Más opciones | خيارات أخرى | その他のオプション | ज़्यादा विकल्प',
} as const satisfies Readonly<Record<string, Row>>;
