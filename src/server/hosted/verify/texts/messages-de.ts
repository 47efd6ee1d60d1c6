import type { messages } from './messages-en.ts'

/** Die Seiten, die sagen, was geschah, und was zu tun ist. */
export const messagesDe: typeof messages = {
  success: {
    title: 'Ihre Identität ist bestätigt',
    text: (client) => `Sie sind fertig. Das Ergebnis geht an ${client}.`,
  },
  pending_review: {
    title: 'Ihre Angaben werden geprüft',
    text: (client) =>
      `Ein Mensch sieht sich an, was Sie gesendet haben. Das Ergebnis erfahren Sie durch ${client}. Wenn etwas fehlt, funktioniert dieser Link wieder.`,
  },
  failed: {
    title: 'Ihre Identität konnte nicht bestätigt werden',
    text: (client) => `Hier können Sie nichts mehr tun. Fragen Sie ${client}, wie es weitergeht.`,
  },
  expired: {
    title: 'Diese Prüfung ist abgelaufen',
    text: (client) => `Bitten Sie ${client} um einen neuen Link.`,
  },
  canceled: {
    title: 'Diese Prüfung wurde abgebrochen',
    text: (client) => `Hier können Sie nichts mehr tun. Fragen Sie ${client}, wie es weitergeht.`,
  },
  retried: {
    title: 'Eine neue Prüfung hat begonnen',
    text: (client) =>
      `Dieser Link gilt nicht mehr. Bestätigen Sie Ihre Identität noch einmal für ${client}.`,
    go: 'Zur neuen Prüfung',
    ask: (client) => `Bitten Sie ${client} um den neuen Link.`,
  },
  left: {
    title: 'Sie haben die Seite verlassen',
    text: 'Fertige Schritte bleiben erhalten. Um weiterzumachen, öffnen Sie den Link noch einmal, der Sie hierher brachte.',
  },
  taken: {
    title: 'Sie haben in einem anderen Browser weitergemacht',
    text: (client) =>
      `Machen Sie im anderen Browser weiter. Um hier weiterzumachen, öffnen Sie den Link noch einmal, der Sie hierher brachte. Wenn Sie das nicht waren, wenden Sie sich an ${client}.`,
  },
  full: {
    title: 'Diese Seite ist beendet',
    text: 'Sie wurde zu oft gesendet. Warten Sie, und öffnen Sie den Link noch einmal, der Sie hierher brachte.',
  },
  begun: {
    title: 'Dieser Link ist in einem anderen Browser offen',
    text: 'Machen Sie dort weiter oder hier. Wenn Sie hier weitermachen, endet die Seite im anderen Browser. Was dort eingegeben und nicht gesendet wurde, wird gelöscht.',
    submit: 'Hier weitermachen',
  },
  tooOften: {
    title: 'Dieser Link wurde zu oft geöffnet',
    text: (client) => `Bitten Sie ${client} um einen neuen Link.`,
  },
  over: {
    title: 'Ihre Zeit auf dieser Seite ist vorbei',
    text: 'Fertige Schritte bleiben erhalten. Um weiterzumachen, öffnen Sie den Link noch einmal, der Sie hierher brachte.',
  },
  lost: {
    title: 'Diese Seite ist nicht mehr offen',
    text: 'Sie wurde in einem anderen Browser geöffnet oder entfernt. Öffnen Sie den Link noch einmal, der Sie hierher brachte.',
  },
  elsewhere: {
    title: 'Diese Prüfung läuft in einem anderen Browser',
    text: 'Machen Sie in dem Browser oder Fenster weiter, in dem Sie begonnen haben. Wenn es das nicht mehr gibt, öffnen Sie den Link noch einmal, der Sie hierher brachte.',
  },
  stale: {
    title: 'Diese Seite ist veraltet',
    text: 'Sie haben sie schon gesendet oder in einem anderen Fenster weitergemacht. Nichts wurde doppelt getan.',
    go: 'Zur aktuellen Seite',
  },
  unknown: {
    title: 'Dieser Link funktioniert nicht',
    text: 'Prüfen Sie, ob die Adresse vollständig ist. Wenn ja, bitten Sie die Anwendung, die ihn gesendet hat, um einen neuen.',
  },
  foreign: {
    title: 'Dieses Formular kam von einer anderen Seite',
    text: 'Nichts wurde getan. Öffnen Sie den Link noch einmal, der Sie hierher brachte, und machen Sie dort weiter.',
  },
  busy: {
    title: 'Der Dienst ist ausgelastet',
    text: 'Nichts ist verloren. Warten Sie eine Minute, und laden Sie dann diese Seite neu.',
  },
  tooLarge: {
    title: 'Das Formular ist zu groß',
    text: 'Nichts wurde getan. Gehen Sie zurück, und senden Sie weniger.',
  },
  rejected: {
    title: 'Das funktioniert nicht',
    text: 'Nichts wurde getan. Öffnen Sie den Link noch einmal, der Sie hierher brachte, und machen Sie dort weiter.',
  },
  failure: {
    title: 'Etwas ist schiefgegangen',
    text: 'Der Dienst hat den Fehler notiert. Öffnen Sie den Link noch einmal, der Sie hierher brachte, und machen Sie dort weiter.',
  },
}
