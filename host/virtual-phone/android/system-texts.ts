/** Texts of the system's own windows. Not for those of apps (each keeps its own). */
import { words } from './words.ts';

export const SYSTEM_TEXTS = words({
  battery:
    'Battery {} percent | Akku {} Prozent | Batería al {} por ciento | البطارية {} بالمائة | 電池残量 {}% | बैटरी {} प्रतिशत',
  notification:
    '{} notification: {} | Benachrichtigung von {}: {} | Notificación de {}: {} | إشعار {}: {} | {}の通知: {} | {} की सूचना: {}',
  clearAll: 'Clear all | Alle löschen | Borrar todo | محو الكل | すべて消去 | सभी साफ़ करें',
  noNotifications:
    'No notifications | Keine Benachrichtigungen | No hay notificaciones | ما من إشعارات | 通知はありません | कोई सूचना नहीं है',
  shade:
    'Notification shade. | Benachrichtigungsleiste. | Panel de notificaciones. | مركز الإشعارات. | 通知シェード | सूचना शेड',
  wifi: 'Wi-Fi | WLAN | Wi-Fi | شبكة Wi-Fi | Wi-Fi | वाई-फ़ाई',
  airplane: 'Airplane mode | Flugmodus | Modo avión | وضع الطيران | 機内モード | हवाई जहाज़ मोड',
  torch: 'Flashlight | Taschenlampe | Linterna | الفلاش | ライト | फ़्लैशलाइट',
  on: 'On | An | Activado | مفعّل | ON | चालू',
  off: 'Off | Aus | Desactivado | غير مفعّل | OFF | बंद',
  recents:
    'Recent apps | Letzte Apps | Aplicaciones recientes | التطبيقات المستخدمة مؤخرًا | 最近使ったアプリ | हाल ही के ऐप्लिकेशन',
  noRecents:
    'No recent items | Keine kürzlich verwendeten Elemente | No hay elementos recientes | ليست هناك عناصر تم استخدامها مؤخرًا | 最近のアイテムはありません | हाल ही का कोई आइटम नहीं है',
  lockScreen: 'Lock screen | Sperrbildschirm | Pantalla de bloqueo | شاشة القفل | ロック画面 | लॉक स्क्रीन',
  swipeUp:
    'Swipe up to unlock | Zum Entsperren nach oben wischen | Desliza hacia arriba para desbloquear | مرِّر سريعًا للأعلى لإلغاء القفل | 上にスワイプしてロックを解除 | अनलॉक करने के लिए ऊपर स्वाइप करें',
  enterPin: 'Enter PIN | PIN eingeben | Introduce el PIN | أدخِل رقم التعريف الشخصي | PIN を入力 | पिन डालें',
  emergency: 'Emergency call | Notruf | Llamada de emergencia | مكالمة طوارئ | 緊急通報 | आपातकालीन कॉल',
  allow: 'Allow | Zulassen | Permitir | السماح | 許可 | अनुमति दें',
  deny: 'Don’t allow | Nicht zulassen | No permitir | عدم السماح | 許可しない | अनुमति न दें',
  askContacts:
    'Allow {} to access your contacts? | {} den Zugriff auf deine Kontakte erlauben? | ¿Permitir que {} acceda a tus contactos? | هل تريد السماح لتطبيق {} بالوصول إلى جهات اتصالك؟ | 連絡先へのアクセスを「{}」に許可しますか？ | क्या {} को आपके संपर्क देखने की अनुमति देनी है?',
  askCamera:
    'Allow {} to take pictures and record video? | {} erlauben, Bilder und Videos aufzunehmen? | ¿Permitir que {} haga fotos y grabe vídeos? | هل تريد السماح لتطبيق {} بالتقاط صور وتسجيل فيديو؟ | 写真の撮影と動画の記録を「{}」に許可しますか？ | क्या {} को तस्वीरें लेने और वीडियो रिकॉर्ड करने की अनुमति देनी है?',
  askNotifications:
    'Allow {} to send you notifications? | {} erlauben, dir Benachrichtigungen zu senden? | ¿Permitir que {} te envíe notificaciones? | هل تريد السماح لتطبيق {} بإرسال إشعارات إليك؟ | 通知の送信を「{}」に許可しますか？ | क्या {} को आपको सूचनाएं भेजने की अनुमति देनी है?',
  askPhotos:
    'Allow {} to access photos and videos on this device? | {} erlauben, auf Fotos und Videos auf diesem Gerät zuzugreifen? | ¿Permitir que {} acceda a las fotos y vídeos de este dispositivo? | هل تريد السماح لتطبيق {} بالوصول إلى الصور والفيديوهات على هذا الجهاز؟ | このデバイス内の写真と動画へのアクセスを「{}」に許可しますか？ | क्या {} को इस डिवाइस पर मौजूद फ़ोटो और वीडियो ऐक्सेस करने की अनुमति देनी है?',
  keyboard: 'Keyboard | Tastatur | Teclado | لوحة المفاتيح | キーボード | कीबोर्ड',
  space: 'Space | Leerzeichen | Espacio | مسافة | スペース | स्पेस',
  backspace: 'Delete | Löschen | Eliminar | حذف | 削除 | मिटाएं',
  send: 'Send | Senden | Enviar | إرسال | 送信 | भेजें',
  search: 'Search | Suchen | Buscar | بحث | 検索 | खोजें',
  go: 'Go | Los | Ir | انتقال | 実行 | जाएं',
  next: 'Next | Weiter | Siguiente | التالي | 次へ | आगे',
  done: 'Done | Fertig | Hecho | تم | 完了 | हो गया',
  newline: 'Enter | Eingabe | Intro | إدخال | Enter | Enter',
});
