import type { messages as en } from './messages-en.ts'

/** The pages that say what happened, in German. */
export const messages: typeof en = {
  stale: {
    title: 'Diese Seite ist veraltet',
    text: 'Sie haben sie schon abgeschickt oder in einem anderen Tab weitergemacht. Nichts ist doppelt geschehen.',
    go: 'Zur aktuellen Seite',
  },
  strayed: {
    title: 'Diese Seite wurde schon benutzt',
    text: 'Sie sind schon von Ihrem Institut zurückgekommen oder haben seitdem neu begonnen. Nichts wurde doppelt getan. Machen Sie dort weiter, wo Sie jetzt sind.',
    go: 'Weiter',
  },
  returnUnknown: {
    title: 'Diese Adresse ist nicht vollständig',
    text: 'Es wurde nichts getan. Öffnen Sie noch einmal den Link, der Sie zu diesem Dienst geführt hat, und machen Sie dort weiter.',
  },
  elsewhere: {
    title: 'Diese Verbindung läuft in einem anderen Browser',
    text: 'Machen Sie in dem Browser oder Tab weiter, in dem Sie begonnen haben. Gibt es ihn nicht mehr, öffnen Sie noch einmal den Link, der Sie hierher geführt hat.',
  },
  lost: {
    title: 'Diese Seite ist nicht mehr offen',
    text: 'Die Verbindung wurde in einem anderen Browser neu begonnen oder entfernt. Öffnen Sie noch einmal den Link, der Sie hierher geführt hat. Funktioniert er nicht, bitten Sie um einen neuen.',
  },
  taken: {
    title: 'Sie haben in einem anderen Browser weitergemacht',
    text: 'Diese Seite ist beendet, und hier wurde nichts verbunden. Machen Sie im anderen Browser weiter. Um hier weiterzumachen, öffnen Sie noch einmal den Link, der Sie hierher geführt hat.',
  },
  tooManyForms: {
    title: 'Diese Seite ist beendet',
    text: 'Sie wurde zu oft abgeschickt. Es wurde nichts verbunden. Um neu zu beginnen, öffnen Sie noch einmal den Link, der Sie hierher geführt hat.',
  },
  begun: {
    title: 'Dieser Link ist in einem anderen Browser offen',
    text: 'Machen Sie dort weiter, oder beginnen Sie hier neu. Dann endet die Seite im anderen Browser.',
    titleLeft: 'Sie haben die Seite schon einmal verlassen',
    textLeft: 'Es wurde nichts verbunden. Sie können neu beginnen.',
    submit: 'Hier neu beginnen',
  },
  used: {
    title: 'Dieser Link wurde schon benutzt',
    text: (client) =>
      `Ihre Konten sind verbunden. Um andere zu verbinden, bitten Sie ${client} um einen neuen Link.`,
  },
  tooOften: {
    title: 'Dieser Link wurde zu oft geöffnet',
    text: (client) => `Bitten Sie ${client} um einen neuen Link.`,
  },
  expired: {
    title: 'Ihre Zeit hier ist abgelaufen',
    text: 'Es wurde nichts verbunden. Gehen Sie zurück zu der Anwendung, die Sie hierher geführt hat, und bitten Sie um einen neuen Link.',
  },
  gone: {
    title: 'Diese Verbindung ist nicht mehr möglich',
    text: 'Die Verbindung oder das Institut wurde inzwischen entfernt. Gehen Sie zurück zu der Anwendung, die Sie hierher geführt hat, und bitten Sie um einen neuen Link.',
  },
  unknown: {
    title: 'Dieser Link funktioniert nicht',
    text: 'Links gelten nur eine Zeit lang. Bitten Sie die Anwendung, von der Sie ihn haben, um einen neuen.',
  },
  foreign: {
    title: 'Dieses Formular kam von einer anderen Seite',
    text: 'Es ist nichts geschehen. Öffnen Sie noch einmal den Link, der Sie hierher geführt hat, und machen Sie dort weiter.',
  },
  busy: {
    title: 'Der Dienst ist ausgelastet',
    text: 'Nichts ist verloren. Warten Sie eine Minute, und laden Sie diese Seite dann neu.',
  },
  tooLarge: {
    title: 'Das Formular ist zu groß',
    text: 'Es ist nichts geschehen. Gehen Sie zurück, kürzen Sie Ihre Angaben, und schicken Sie es noch einmal ab.',
  },
  rejected: {
    title: 'Das geht nicht',
    text: 'Es ist nichts geschehen. Öffnen Sie noch einmal den Link, der Sie hierher geführt hat, und machen Sie dort weiter.',
  },
  failure: {
    title: 'Etwas ist schiefgegangen',
    text: 'Der Dienst hat den Fehler vermerkt. Öffnen Sie noch einmal den Link, der Sie hierher geführt hat, und machen Sie dort weiter.',
  },
}
