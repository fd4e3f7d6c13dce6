/** Ordinary labels that look like an act to a careless reader: nouns, places, states, refusals, names. Our own. */
export const INNOCENT: readonly { locale: string; texts: string }[] = [
  {
    locale: 'en',
    texts: `Sender|Senders|Sent|Sent items|Sending…|Send settings|Unsent drafts|Sensor|Sendai|Godsend|Payment methods|Payments|Payment history|Paypal
      history|Payload|Payphone|Paycheck|Repayment plan|Tap to pay|Delivery|Deliveries|Delete key|Deleted files|Recently deleted|Undelete|Undo delete|Don't delete|
      Do not delete|Never delete|Don't send|Do not send|Cancel send|Postpone|Posts|Poster|Postcard|Post office|Posted yesterday|Postal code|Composer|Calls|Call history|Call log|Call details|
      Caller ID|Recall|Callout|Missed calls|Calling accounts|Called back|Blocked users|Blocked contacts|Blocks|Block explorer|Building blocks|Blockchain|Block height|Sunblock|Blocking rules|Orders|
      Order history|Order details|Order #1042|Border|In order|Sort order|Reorder tabs|Order by date|Next order|Recorder|Folder|Shares|Shared with me|Shared|Shareholders|Share price|Market share|
      Installed apps|Installed|Installation guide|Installer info|Not installed|Reset zoom|Reset filters|Reset view|Preset|Presets|Confirmed|Confirmation number|Confirm password|Unconfirmed|
      Removed items|Remove filter|Remove from favorites|Remove formatting|Removable storage|Clear search|Clear selection|Clear sky|Clear filters|Clearance|Cleared|Nuclear|
      Eraser|Erased|Transfer history|Transferred|Transfers|File transfer|Withdrawn|Withdrawals|Subscriptions|Subscribers|Subscribed|Subscription settings|Reports|Reporter|Weekly report|Report details|
      Signature|Signal|Signed in|Sign in|Sign up|Sign in with email|Design|Assign label|Permissions|Permission manager|Allowed apps|Allowance|Shallow|Don't allow|Deny|Grants|Granted|Granted access|
      Approved|Approvals|Accepted|Acceptance rate|Purchases|Purchase history|Purchased|Restore purchases|Buyer|Buyers guide|Publisher|Published|Publications|Uploads|Uploaded|Upload queue|Boosts|Hide boosts|
      Votes|Voters|Upvoted|Donations|Donors|Refunds|Refund policy|Charger|Battery charge level|Charge limit|Deposits|Trash|Trash folder|Bin|Recycle bin|Empty list|Empty state|Forgotten words|Formatting|
      Log|Logs|Logo|Log in|Logged in as Alex|Leave this page|Leave a comment|Leaves|Leaver|Ban history|Bank|Banner|Kicker|Restaurant|Restart game|Rebooted|Lock screen|Locked notes|Shutdown timer|Shutter sound|
      Book club|Bookmarks|Books|Booking history|Booked|Notebook|Reservations|Reserved seats|Checkouts|Check out our blog|Check|Checked|Rent history|Parents|Tips|Tipped|Voucher|Invoices|Wiped|Sell price|Bestsellers|
      Trading hours|Traded|Stakeholders|Interested|Answers|Answer key|Dialpad|Dial tone|Ringtones|Joined|Join date|Meeting notes|Video|Videos|Voice|Video calls|Phone number|Contacts|Contact support`,
  },
  {
    locale: 'de',
    texts: `Absender|Gesendet|Gesendete Nachrichten|Sendungsverfolgung|Sender|Nicht senden|Senden abbrechen|Gelöschte Dateien|Zuletzt gelöscht|Nicht löschen|Filter löschen|Suche löschen|Auswahl entfernen|
      Zahlungsarten|Zahlungsverlauf|Bezahlt|Bestellungen|Bestellte Artikel|Bestellnummer|Geteilt|Geteilte Ordner|Anruferliste|Anrufverlauf|Verpasste Anrufe|Blockierte Nutzer|Blockierte Nummern|Installierte Apps|
      Installationsort|Zurückgesetzt|Filter zurücksetzen|Bestätigt|Passwort bestätigen|Übertragene Daten|Abonnements|Abonniert|Gemeldete Inhalte|Anmelden|Unterschriften|Berechtigungen|Erlaubte Apps|Nicht zulassen|
      Käufe wiederherstellen|Kaufdatum|Veröffentlicht am 3. Mai|Beiträge|Posteingang|Postfach|Postausgang|Hochgeladene Fotos|Stimmen|Spenden anzeigen|Seite verlassen|Papierkorb|Radierer|Sperrbildschirm|Buchungen|Kalender`,
  },
  {
    locale: 'fr',
    texts: `Expéditeur|Envoyés|Messages envoyés|Ne pas envoyer|Moyens de paiement|Historique des paiements|Fichiers supprimés|Ne pas supprimer|Commandes|Détails de la commande|Partagés avec moi|Historique des appels|Journal d'appels|
      Utilisateurs bloqués|Applications installées|Abonnements|Signature|Autorisations|Publications|Corbeille|Annuler|Fermer|Retour|Paramètres`,
  },
  {
    locale: 'es',
    texts: `Remitente|Enviados|Mensajes enviados|No enviar|Métodos de pago|Historial de pagos|Archivos eliminados|No eliminar|Pedidos|Detalles del pedido|Compartidos conmigo|Historial de llamadas|Usuarios bloqueados|
      Aplicaciones instaladas|Suscripciones|Firma|Permisos|Publicaciones|Papelera|Cancelar|Cerrar|Atrás|Ajustes`,
  },
  {
    locale: 'ru',
    texts:
      'Отправитель|Отправленные|Не отправлять|Способы оплаты|История платежей|Удалённые файлы|Не удалять|Заказы|Журнал вызовов|Заблокированные|Подписки|Корзина|Отмена|Назад|Закрыть|Настройки',
  },
  {
    locale: 'zh',
    texts:
      '发件人|已发送|支付方式|付款记录|已删除的文件|订单|通话记录|已屏蔽的用户|已安装的应用|我的订阅设置|返回|取消|关闭|设置',
  },
  {
    locale: 'ja',
    texts:
      '送信者|送信済み|支払い方法|削除済みファイル|注文履歴|通話履歴|ブロックしたユーザー|戻る|キャンセル|閉じる|設定',
  },
  {
    locale: 'ar',
    texts: 'المرسل|المرسلة|طرق الدفع|الملفات المحذوفة|الطلبات|سجل المكالمات|رجوع|إلغاء|إغلاق|الإعدادات',
  },
];

export const innocentLabels = (): { locale: string; text: string }[] =>
  INNOCENT.flatMap(({ locale, texts }) =>
    texts.split('|').map((text) => ({ locale, text: text.replace(/\s+/gu, ' ').trim() })),
  );
