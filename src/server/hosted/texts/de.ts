import { html } from '../html.ts'
import { messages } from './messages-de.ts'
import { accountTypes, kindNames, products } from './names-de.ts'
import { rejections } from './rejections-de.ts'
import type { Texts } from './texts.ts'

const dates = new Intl.DateTimeFormat('de', { dateStyle: 'medium', timeZone: 'UTC' })
const day = (date: string): string => dates.format(new Date(date))

/** German. */
export const de: Texts = {
  code: 'de',
  products,
  accountTypes,
  kindNames,
  shared: {
    sandbox: 'Dies ist eine Testumgebung.',
    sandboxAdvice:
      'Nichts hier ist echt. Geben Sie keinen echten Namen, kein echtes Passwort und keinen echten Code ein.',
    problem: 'Es gibt ein Problem',
    errorTitle: (title) => `Fehler: ${title}`,
    progress: (step, count) => `Schritt ${step} von ${count}`,
    continue: 'Weiter',
    back: 'Zurück',
    leave: 'Verlassen, ohne zu verbinden',
    close: 'Sie können dieses Fenster schließen.',
    returnTo: (client) => `Zurück zu ${client}`,
    runBy: (host, client) =>
      `Der Dienst unter ${host} betreibt diese Seite für ${client}. Er speichert die Daten der Konten, die Sie freigeben, und gibt sie an ${client}.`,
  },
  consent: {
    title: (client) => `Ihre Konten mit ${client} verbinden`,
    asks: (client) => `${client} möchte diese Daten der Konten lesen, die Sie auswählen:`,
    optional: 'Und diese Daten, falls Ihr Institut sie anbietet:',
    until: 'Wie lange?',
    untilEnd: (client) =>
      `Bis Sie die Verbindung beenden. Das können Sie jederzeit bei ${client} verlangen.`,
    history: (days) =>
      days === 1
        ? 'Die Umsätze reichen 1 Tag zurück.'
        : `Die Umsätze reichen bis zu ${days} Tage zurück.`,
    agree: 'Zustimmen und weiter',
  },
  impossible: {
    title: 'Hier lässt sich nichts verbinden',
    asks: (client) => `${client} möchte diese Daten:`,
    text: 'Kein Institut, das dieser Dienst erreicht, bietet sie alle an. Sie können daran nichts ändern: Melden Sie es der Anwendung, die Sie hierher geführt hat.',
  },
  institution: {
    title: 'Wählen Sie Ihr Institut',
    label: 'Name Ihrer Bank oder eines anderen Instituts',
    search: 'Suchen',
    first: 'Suchen Sie, oder wählen Sie eines von diesen',
    found: (count) => (count === 1 ? '1 Institut gefunden' : `${count} Institute angezeigt`),
    none: 'Kein Institut mit diesem Namen bietet die verlangten Daten an. Prüfen Sie die Schreibweise, oder suchen Sie nach einem Teil des Namens oder nach einem Land. Um andere zu sehen, leeren Sie das Feld und suchen Sie noch einmal.',
    notHere: 'Ihre Bank ist nicht dabei?',
    notHereText:
      'Laden Sie Ihre Umsätze bei Ihrer Bank herunter, und senden Sie die Datei auf der nächsten Seite.',
    nothing:
      'Kein Institut bietet die verlangten Daten an. Verlassen Sie die Seite, und melden Sie es der Anwendung, die Sie hierher geführt hat.',
    missing: 'Wählen Sie ein Institut aus der Liste',
    cannot:
      'Dieser Dienst kann sich mit diesem Institut noch nicht verbinden. Wählen Sie ein anderes, oder senden Sie eine Datei Ihrer Bank.',
  },
  login: {
    title: (institution) => `Anmelden bei ${institution}`,
    titleAgain: (institution) => `Erneut anmelden bei ${institution}`,
    institution: 'Ihrem Institut',
    again: (client) =>
      `${client} kann Ihre Konten nicht mehr lesen oder bittet Sie, die Verbindung zu bestätigen. Ihre Verbindung und ihre Konten bleiben dieselben.`,
    username: 'Benutzername',
    password: 'Passwort',
    submit: 'Anmelden',
    noUsername: 'Geben Sie Ihren Benutzernamen ein',
    noPassword: 'Geben Sie Ihr Passwort ein',
    invented: 'Benutzernamen der Testumgebung',
    inventedAdvice: 'Verwenden Sie einen von diesen, mit einem beliebigen Passwort:',
    logins: {
      user_good: 'die Anmeldung gelingt',
      user_mfa: 'die Anmeldung verlangt zuerst einen Einmalcode',
      user_bad: 'das Passwort ist falsch',
      user_locked: 'das Institut hat den Benutzer gesperrt',
      user_expired: 'das Passwort ist abgelaufen',
    },
    rejected:
      'Benutzername oder Passwort ist falsch. Prüfen Sie beides, und versuchen Sie es noch einmal.',
    locked:
      'Das Institut hat diesen Benutzer gesperrt. Entsperren Sie ihn auf der Website des Instituts, und versuchen Sie es dann noch einmal.',
    expired:
      'Das Passwort ist abgelaufen. Legen Sie auf der Website des Instituts ein neues fest, und versuchen Sie es dann noch einmal.',
    noAccounts:
      'Hier gibt es kein Konto, das für diesen Zweck freigegeben werden kann. Wählen Sie ein anderes Institut oder einen anderen Benutzer, oder verlassen Sie die Seite.',
  },
  mfa: {
    title: 'Geben Sie den Einmalcode ein',
    sent: (institution) =>
      `${institution || 'Ihr Institut'} verlangt einen zweiten Nachweis, dass Sie es sind.`,
    invented: (code) => `In der Testumgebung lautet der Code ${code}.`,
    label: 'Einmalcode',
    noCode: 'Geben Sie den Code ein',
    wrong: 'Der Code ist falsch. Prüfen Sie ihn, und versuchen Sie es noch einmal.',
  },
  connect: {
    title: (institution) => `Mit ${institution} verbinden`,
    titleAgain: (institution) => `Erneut mit ${institution} verbinden`,
    wait: 'Bestätigen Sie die Verbindung in der App oder auf der Website Ihres Instituts. Machen Sie dann hier weiter.',
    look: 'Ich habe sie bestätigt',
    outage:
      'Das Institut antwortet gerade nicht. Ihre Eingabe wurde angenommen: Geben Sie sie nicht noch einmal ein. Warten Sie eine Minute, und versuchen Sie es dann noch einmal.',
    tryAgain: 'Noch einmal versuchen',
    setup:
      'Ihre Eingabe wurde angenommen: Geben Sie sie nicht noch einmal ein. Wenn Sie auf der Website fertig sind, machen Sie hier weiter.',
    before:
      'Sie melden sich auf der Website Ihres Instituts an, nicht hier. Dort bestimmen Sie auch, was gelesen werden darf.',
    redirect: 'Sie machen auf der Website Ihres Instituts weiter und kommen danach hierher zurück.',
    goOn: 'Weiter bei meinem Institut',
  },
  website: {
    title: 'Eine erfundene Bank',
    text: 'Die Website einer echten Bank würde Sie hier nach Ihren Zugangsdaten fragen und danach, was gelesen werden darf. Wählen Sie, wie diese Bank antwortet.',
    allow: 'Erlauben',
    app: 'Später in der App bestätigen',
    deny: 'Nicht erlauben',
    fail: 'Die Bank soll versagen',
  },
  resume: {
    title: (institution) => `Ihre Verbindung zu ${institution} aktualisieren`,
    intro: (client) =>
      `Die Verbindung besteht noch, und Sie brauchen kein neues Setup-Token. Was ${client} lesen kann, bleibt gleich, bis Sie fertig sind.`,
    appeared: 'Neue Konten',
    appearedText: (client) =>
      `${client} kann diese Konten noch nicht lesen. Als Nächstes sagen Sie, welche Art von Konten es sind. Danach wählen Sie, welche Sie freigeben.`,
    login:
      'Eine Bank verlangt, dass Sie sich erneut anmelden. Tun Sie das zuerst auf der Website von SimpleFIN. Machen Sie dann hier weiter.',
    setup:
      'SimpleFIN verlangt, dass Sie zuerst auf seiner Website etwas erledigen, etwa eine Zahlung. Machen Sie dann hier weiter.',
    look: 'Der Dienst fragt jetzt, welche Konten es gibt.',
    another: 'Stattdessen ein neues Setup-Token verwenden',
  },
  resumeOther: {
    intro: (client) =>
      `Die Verbindung besteht noch, und Sie brauchen sich nicht neu zu verbinden. Was ${client} lesen kann, bleibt gleich, bis Sie fertig sind.`,
    login:
      'Das Institut verlangt, dass Sie sich erneut anmelden. Tun Sie das zuerst dort. Machen Sie dann hier weiter.',
    setup:
      'Das Institut verlangt, dass Sie dort zuerst etwas erledigen. Machen Sie dann hier weiter.',
    another: 'Stattdessen neu verbinden',
  },
  said: {
    title: 'Das Institut schreibt',
    text: 'Dies sind seine eigenen Worte. Dieser Dienst hat sie nicht geprüft.',
  },
  fields: {
    setup_token: {
      label: 'Setup-Token',
      hint: 'Eine lange Zeile aus Buchstaben und Ziffern, die einmal gilt.',
      missing: 'Fügen Sie das Setup-Token ein',
    },
    other: { label: '', hint: '', missing: 'Füllen Sie dieses Feld aus' },
  },
  simplefin: {
    choice: 'Ein anderer Anbieter, der sich für Sie mit Ihrer Bank verbindet',
    whatText:
      'SimpleFIN ist ein Dienst eines anderen Anbieters. Er verbindet sich für Sie mit Ihrer Bank und gibt weiter, was er liest. Sie brauchen dort ein Konto, das etwas kosten kann. Ihr Bankpasswort geben Sie auf dieser Seite nie ein.',
    where: 'Woher bekomme ich ein Setup-Token?',
    website: (link) => html`Öffnen Sie ${link}. Melden Sie sich an, oder legen Sie ein Konto an.`,
    steps: [
      'Verbinden Sie dort Ihre Bank, falls noch nicht geschehen.',
      'Erzeugen Sie eine neue Verbindung für eine App. Sie sehen dann das Setup-Token.',
      'Kopieren Sie das Token, und fügen Sie es auf dieser Seite ein.',
    ],
    reads: 'Was kann dieser Dienst dann lesen?',
    readsText: (client) =>
      `Die Namen, Salden und Umsätze der Konten, die Sie dort verbunden haben. Geld bewegen kann er nicht. Auf den nächsten Seiten wählen Sie, was Sie für ${client} freigeben. Den Zugriff können Sie auf der Website von SimpleFIN jederzeit beenden.`,
  },
  rejections,
  adding: {
    title: (percent: number) => `Ihre Umsätze werden übernommen: ${percent} %`,
    state: (done: number, total: number) =>
      `${done.toLocaleString('de')} von ${total.toLocaleString('de')} Umsätzen sind übernommen.`,
    text: 'Ihre Antworten sind angekommen. Diese Seite erneuert sich alle paar Sekunden. Eine große Datei braucht einige Minuten. Wenn Sie die Seite schließen, läuft die Arbeit weiter.',
    look: 'Erneut nachsehen',
    stalled: {
      title: 'Das Übernehmen Ihrer Umsätze dauert länger als üblich',
      text: 'Seit einigen Minuten ist nichts hinzugekommen. Der Dienst versucht es einige Stunden lang von selbst weiter. Sie können diese Seite schließen und den Link später erneut öffnen.',
      stopText:
        'Oder brechen Sie hier ab, und senden Sie die Datei noch einmal, etwa in einem anderen Format. Nichts wird doppelt übernommen.',
      stop: 'Abbrechen und eine Datei erneut senden',
    },
    elsewhere: {
      title: 'Ihre Konten werden verbunden',
      text: 'Das wurde in einem anderen Fenster begonnen und dauert einige Minuten. Gehen Sie zu jenem Fenster zurück, oder öffnen Sie diesen Link später erneut.',
    },
  },
  barriers: {
    unsupportedCurrency: 'seine Währung wird nicht unterstützt',
  },
  busyAnswer: {
    title: 'Der Dienst fragt Ihr Institut',
    text: 'Das dauert höchstens eine Minute. Ihre Angabe ist angekommen: Schicken Sie sie nicht noch einmal.',
    look: 'Noch einmal nachsehen',
  },
  file: {
    choice: 'Eine Datei meiner Bank',
    title: (institution) =>
      institution === ''
        ? 'Senden Sie eine Datei Ihrer Bank'
        : `Senden Sie eine Datei von ${institution}`,
    titleAgain: (institution) =>
      institution === ''
        ? 'Senden Sie eine weitere Datei Ihrer Bank'
        : `Senden Sie eine weitere Datei von ${institution}`,
    again: (client) =>
      `${client} bittet um neuere Umsätze. Ihre Verbindung und ihre Konten bleiben dieselben. Was die Datei wiederholt, wird nicht doppelt übernommen.`,
    how: 'Es wird noch nichts freigegeben. Zuerst sehen Sie, was die Datei enthält. Dann wählen Sie die Konten zur Freigabe.',
    label: 'Datei mit Ihren Umsätzen',
    hint: 'OFX, QFX, CAMT (XML), MT940 oder CSV, höchstens 50 MB. Kein PDF und kein ZIP-Archiv.',
    submit: 'Datei senden',
    interrupted:
      'Bricht das Senden ab, geht nichts verloren, und nichts wird freigegeben. Laden Sie diese Seite neu, und senden Sie die ganze Datei noch einmal.',
    missing: 'Wählen Sie eine Datei',
    kept: 'Was geschieht mit der Datei?',
    keptText:
      'Der Dienst liest sie und behält sie nicht. Er speichert die Umsätze der Konten, die Sie auswählen. Alle anderen löscht er, wenn Sie fertig sind oder die Seite verlassen. Schließen Sie nur dieses Fenster, löscht er sie nach etwa einem Tag.',
    where: 'Woher bekomme ich diese Datei?',
    whereText:
      'Melden Sie sich bei Ihrer Bank an. Öffnen Sie das Konto, und suchen Sie „Export“, „Download“ oder „Umsätze“. Wählen Sie eines der Formate oben. Nehmen Sie CSV nur, wenn Ihre Bank kein anderes davon anbietet. Wählen Sie so viele Monate, wie Sie freigeben möchten.',
  },
  columns: {
    title: 'Sagen Sie, was die Spalten Ihrer Datei sind',
    how: 'Diese Datei ist eine Tabelle, deren Spalten hier nicht bekannt sind. Was sich erraten ließ, ist ausgefüllt. Bitte prüfen Sie es.',
    rows: (count) =>
      count === 1 ? 'Die erste Zeile Ihrer Datei' : `Die ersten ${count} Zeilen Ihrer Datei`,
    column: (column) => `Spalte ${column}`,
    choose: 'Bitte wählen',
    absent: 'Nicht in dieser Datei',
    labels: {
      date: 'Datum des Umsatzes',
      amount: 'Betrag, wenn alle in einer Spalte stehen',
      in: 'Eingänge, wenn sie eine eigene Spalte haben',
      out: 'Ausgänge, wenn sie eine eigene Spalte haben',
      counterparty: 'Name der Gegenseite',
      balance: 'Kontostand nach dem Umsatz',
      currency: 'Währung',
      account: 'Nummer Ihres Kontos',
    },
    form: 'Wie ist das Datum geschrieben?',
    formHint: 'Jede Möglichkeit zeigt den 1. Februar 2026.',
    amounts: 'Beträge',
    amountsHint:
      'Wählen Sie eine Spalte mit allen Beträgen, oder je eine für Eingänge und Ausgänge.',
    inverted: 'In dieser Spalte haben Ausgänge kein Minuszeichen, und Eingänge haben eines',
    decimal: 'Wie sind die Beträge geschrieben?',
    text: 'Beschreibung: Wählen Sie alle Spalten, die den Umsatz beschreiben',
    another: 'Stattdessen eine andere Datei senden',
    wrong: {
      noDate: 'Wählen Sie die Spalte mit dem Datum',
      noForm: 'Wählen Sie, wie das Datum geschrieben ist',
      noAmount: 'Wählen Sie die Spalte mit dem Betrag oder die mit den Eingängen',
      noOut: 'Wählen Sie auch die Spalte mit den Ausgängen',
      twoAmounts:
        'Wählen Sie entweder eine Spalte mit allen Beträgen oder die für Eingänge und Ausgänge',
      noDecimal: 'Wählen Sie, wie die Beträge geschrieben sind',
      noText: 'Wählen Sie mindestens eine Spalte, die den Umsatz beschreibt',
      twice: 'Wählen Sie für Ausgänge eine andere Spalte als für Eingänge',
    },
  },
  read: {
    rows: (count) => (count === 1 ? '1 Umsatz' : `${count} Umsätze`),
    days: (from, to) => (from === to ? day(from) : `${day(from)} bis ${day(to)}`),
    line: (line, text) => `Zeile ${line}: ${text}`,
    lostTitle: 'Ein Teil der Datei ließ sich nicht lesen',
    noteTitle: 'Zu Ihrer Datei',
    lostAdvice:
      'Gehen Sie zurück und senden Sie eine andere Datei, etwa in einem anderen Format. Oder machen Sie mit dem weiter, was lesbar war.',
    more: (count) => `Und ${count} weitere.`,
    codes: {
      UNSUPPORTED_PRECISION: 'ein Betrag hat mehr als zwei Nachkommastellen.',
      INVALID_AMOUNT: 'der Betrag ist nicht lesbar.',
      INVALID_DATE: 'das Datum ist nicht lesbar.',
      INVALID_VALUE: 'etwas ist nicht lesbar.',
      MISSING_VALUE: 'es fehlt etwas, etwa der Betrag oder das Datum.',
      INVALID_ENCODING: 'Buchstaben sind nicht lesbar.',
      MIXED_ENCODING: 'manche Buchstaben sehen vielleicht falsch aus.',
      UNEXPECTED_END: 'die Datei endet mittendrin. Laden Sie sie noch einmal herunter.',
      UNSUPPORTED_TRANSACTION: 'diese Art Umsatz ist nicht lesbar.',
      BALANCE_MISMATCH: 'Salden und Umsätze passen nicht zusammen.',
      UNKNOWN_ACCOUNT: 'die Datei nennt das Konto nicht.',
      UNKNOWN_CURRENCY: 'die Datei nennt die Währung nicht.',
      UNFINISHED_LINE: 'die letzte Zeile ist nicht vollständig.',
      REPORTED_BY_BANK: 'Ihre Bank meldet einen Fehler in der Datei.',
      NO_BOOKING: 'diese Zeile ist kein Umsatz.',
    },
  },
  details: {
    title: (count) => (count === 1 ? 'Zu Ihrem Konto' : 'Zu Ihren Konten'),
    why: 'In den Daten Ihrer Bank steht nicht alles. Bitte ergänzen Sie, was fehlt.',
    account: 'Ihr Konto',
    accountEnding: (mask) => `Konto, das auf ${mask} endet`,
    kind: 'Welche Art Konto ist es?',
    choose: 'Auswählen',
    kinds: kindNames,
    none: 'Nichts davon: nicht freigeben',
    balance: (currency) => (currency === 'XXX' ? 'Saldo heute' : `Saldo heute, in ${currency}`),
    balanceHint:
      'Wenn Sie Geld schulden, beginnen Sie mit einem Minuszeichen. Beispiele: 1250,40 und -310,25',
    typedBalance: (decimal) => decimal.replace('.', ','),
    number: 'Nummer des Kontos',
    numberHint:
      'Die IBAN, die Kontonummer oder ihre letzten vier Stellen. Daran wird bei Ihrer nächsten Datei dieses Konto erkannt.',
    noNumber: 'Geben Sie die Nummer oder ihre letzten vier Stellen ein',
    wrongIban:
      'Diese IBAN stimmt nicht: Ein Zeichen ist falsch, fehlt oder ist zu viel. Prüfen Sie sie, oder geben Sie nur ihre letzten vier Stellen ein',
    currency: 'Währung',
    currencyHint: 'Drei Buchstaben, etwa EUR oder USD',
    noCurrency: 'Geben Sie die drei Buchstaben der Währung ein, etwa EUR',
    wrongCurrency:
      'Eine Währung mit diesen Buchstaben gibt es nicht oder nicht mehr. Geben Sie eine andere ein, etwa EUR',
    noKind: 'Wählen Sie die Art des Kontos',
    noBalance: 'Geben Sie den Saldo als Zahl ein, etwa 1250,40',
  },
  share: {
    inFile: {
      title: 'Prüfen Sie, was die Datei enthält',
      intro: 'Die Umsätze kommen zu diesen Konten hinzu:',
    },
    atSource: {
      title: 'Prüfen Sie Ihre Konten',
      intro: 'Es gibt keine neuen Konten. Diese bleiben verbunden:',
    },
    submitAgain: 'Verbindung aktualisieren',
    known: 'Schon verbunden',
    others: 'Diese Konten werden nicht freigegeben',
    notShared: 'Sie wollten es nicht freigeben',
    notAsked: 'nach Konten dieser Art wurde nicht gefragt',
  },
  accounts: {
    title: 'Wählen Sie die Konten zur Freigabe',
    intro: (client) => `${client} kann nur die lesen, die Sie auswählen.`,
    ending: (mask) => `endet auf ${mask}`,
    none: 'Wählen Sie mindestens ein Konto',
    submit: 'Diese Konten verbinden',
  },
  leaving: {
    linkAgain: 'Verlassen, ohne etwas zu ändern',
    title: 'Möchten Sie die Seite verlassen?',
    text: (client) => `Es wird nichts verbunden, und ${client} bekommt keine Daten.`,
    submit: 'Verlassen',
    stay: 'Nein, zurück',
  },
  done: {
    title: 'Ihre Konten sind verbunden',
    text: (client, institution) =>
      institution === ''
        ? `${client} kann jetzt diese Konten lesen:`
        : `${client} kann jetzt diese Konten lesen (${institution}):`,
    titleAgain: 'Ihre Verbindung funktioniert wieder',
    textAgain: (client) => `${client} kann Ihre Konten wieder lesen.`,
    titleUpdated: 'Ihre Verbindung ist auf dem neuesten Stand',
    textUpdated: (client) => `${client} kann die neuen Daten Ihrer Konten lesen.`,
  },
  left: {
    title: 'Sie haben die Seite verlassen',
    text: (client) => `Es wurde nichts verbunden. ${client} bekommt keine Daten.`,
    textAgain: 'Ihre Verbindung bleibt, wie sie war.',
    again: 'Um neu zu beginnen, öffnen Sie den Link, der Sie hierher geführt hat.',
  },
  ...messages,
}
