import type { Texts } from './texts.ts'

/** German. */
export const de: Texts = {
  code: 'de',
  products: {
    assets: 'ein Bericht über Salden und Umsätze aller Konten',
    auth: 'Kontonummern und Bankleitzahlen',
    balance: 'aktuelle Kontostände',
    balance_plus: 'aktuelle Kontostände, und ob eine Zahlung voraussichtlich gelingt',
    beacon: 'Prüfungen gegen Betrug',
    credit_details: 'Angaben zu Kreditkonten',
    cra_base_report: 'eine Auskunft über Sie',
    cra_cashflow_insights: 'Kennzahlen zu Ihren Einnahmen und Ausgaben',
    cra_income_insights: 'Kennzahlen zu Ihrem Einkommen',
    cra_lend_score: 'ein Punktwert für Kredite',
    cra_monitoring: 'Änderungen Ihrer Auskunft',
    cra_network_insights: 'Kennzahlen zu Konten, die Sie anderswo verbunden haben',
    cra_partner_insights: 'Kennzahlen von Partnern zu Ihrer Auskunft',
    cra_service_credit_score: 'ein Bonitätswert',
    employment: 'Ihr Arbeitsverhältnis',
    identity: 'Name, Anschrift, E-Mail-Adresse und Telefonnummer des Kontoinhabers',
    identity_match: 'ob Ihr Name und Ihre Anschrift die des Kontoinhabers sind',
    identity_verification: 'eine Prüfung Ihrer Identität',
    income: 'Ihr Einkommen',
    income_verification: 'eine Prüfung Ihres Einkommens',
    investments: 'Bestände und Umsätze von Wertpapieren',
    investments_auth: 'Nummern von Depots',
    layer: 'was Sie schon über sich angegeben haben',
    liabilities: 'was Sie auf Kredite und Kreditkarten schulden',
    pay_by_bank: 'Zahlungen von Ihrem Konto, die Sie bestätigen',
    payment_initiation: 'Zahlungen, die Sie bestätigen',
    processor_identity: 'der Kontoinhaber, für einen Zahlungspartner',
    processor_payments: 'Kontonummern, für einen Zahlungspartner',
    profile: 'Ihr Profil',
    protect_linked_bank: 'Prüfungen gegen Betrug für dieses Konto',
    recurring_transactions: 'wiederkehrende Zahlungen',
    signal: 'das Risiko, dass eine Lastschrift zurückgegeben wird',
    standing_orders: 'Daueraufträge',
    statements: 'Kontoauszüge',
    transactions: 'Umsätze',
    transactions_refresh: 'die neuesten Umsätze auf Abruf',
    transfer: 'Überweisungen von und auf Ihr Konto',
  },
  accountTypes: {
    credit: 'Kreditkarte',
    depository: 'Bankkonto',
    investment: 'Depot',
    loan: 'Kredit',
    other: 'anderes Konto',
    payroll: 'Lohnkonto',
  },
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
  },
  consent: {
    title: (client) => `Ihre Konten mit ${client} verbinden`,
    asks: (client) => `${client} möchte diese Daten der Konten lesen, die Sie auswählen:`,
    optional: 'Und diese Daten, falls Ihr Institut sie anbietet:',
    until: 'Wie lange?',
    untilEnd: (client) =>
      `Bis Sie die Verbindung beenden. Das können Sie jederzeit bei ${client} oder Ihrem Institut verlangen.`,
    history: (days) =>
      days === 1
        ? 'Die Umsätze reichen 1 Tag zurück.'
        : `Die Umsätze reichen bis zu ${days} Tage zurück.`,
    agree: 'Zustimmen und weiter',
  },
  institution: {
    title: 'Wählen Sie Ihr Institut',
    label: 'Name Ihrer Bank oder eines anderen Instituts',
    search: 'Suchen',
    first: 'Die ersten Institute nach Namen: andere finden Sie mit der Suche',
    found: (count) => (count === 1 ? '1 Institut gefunden' : `${count} Institute gefunden`),
    none: 'Kein Institut mit diesem Namen bietet die verlangten Daten an. Prüfen Sie die Schreibweise, oder suchen Sie nach einem Teil des Namens.',
    nothing:
      'Kein Institut bietet die verlangten Daten an. Verlassen Sie die Seite, und melden Sie es der Anwendung, die Sie hierher geführt hat.',
    missing: 'Wählen Sie ein Institut der Liste',
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
    sent: (institution) => `Verlangt von ${institution}: ein zweiter Nachweis, dass Sie es sind.`,
    invented: (code) => `In der Testumgebung lautet der Code ${code}.`,
    label: 'Einmalcode',
    noCode: 'Geben Sie den Code ein',
    wrong: 'Der Code ist falsch. Prüfen Sie ihn, und versuchen Sie es noch einmal.',
  },
  accounts: {
    title: 'Wählen Sie die Konten zur Freigabe',
    intro: (client) => `${client} kann nur die lesen, die Sie auswählen.`,
    ending: (mask) => `endet auf ${mask}`,
    none: 'Wählen Sie mindestens ein Konto',
    submit: 'Diese Konten verbinden',
  },
  leaving: {
    title: 'Möchten Sie die Seite verlassen?',
    text: (client) => `Es wird nichts verbunden, und ${client} bekommt keine Daten.`,
    submit: 'Verlassen',
    stay: 'Nein, zurück',
  },
  done: {
    title: 'Ihre Konten sind verbunden',
    text: (client, institution) => `${client} kann jetzt diese Konten lesen (${institution}):`,
    titleAgain: 'Ihre Verbindung funktioniert wieder',
    textAgain: (client) => `${client} kann Ihre Konten wieder lesen.`,
  },
  left: {
    title: 'Sie haben die Seite verlassen',
    text: (client) => `Es wurde nichts verbunden. ${client} bekommt keine Daten.`,
    textAgain: 'Ihre Verbindung ist, wie sie vorher war.',
    again: 'Um neu zu beginnen, öffnen Sie noch einmal den Link, der Sie hierher geführt hat.',
  },
  stale: {
    title: 'Diese Seite ist veraltet',
    text: 'Sie haben sie schon abgeschickt oder in einem anderen Tab weitergemacht. Nichts ist doppelt geschehen.',
    go: 'Zur aktuellen Seite',
  },
  elsewhere: {
    title: 'Diese Verbindung läuft in einem anderen Browser',
    text: 'Machen Sie in dem Browser oder Tab weiter, in dem Sie begonnen haben. Gibt es ihn nicht mehr, öffnen Sie noch einmal den Link, der Sie hierher geführt hat.',
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
    text: 'Bitten Sie die Anwendung, von der Sie ihn haben, um einen neuen, da Links nach einiger Zeit enden.',
  },
  foreign: {
    title: 'Dieses Formular kam von einer anderen Seite',
    text: 'Es ist nichts geschehen. Öffnen Sie noch einmal den Link, der Sie hierher geführt hat, und machen Sie dort weiter.',
  },
  notBuilt: {
    title: 'Ihr Konto verbinden',
    text: 'Dieser Dienst hat noch keine Seite, auf der Sie Ihr Konto verbinden können.',
    textIdentity:
      'Dieser Dienst hat noch keine Seite, auf der Sie Ihre Identität nachweisen können.',
  },
  busy: {
    title: 'Der Dienst ist ausgelastet',
    text: 'Nichts ist verloren. Warten Sie eine Minute, und laden Sie diese Seite dann neu.',
  },
  tooLarge: {
    title: 'Das Formular ist zu groß',
    text: 'Es ist nichts geschehen. Gehen Sie zurück, kürzen Sie Ihre Angaben, und schicken Sie es noch einmal ab.',
  },
  failure: {
    title: 'Etwas ist schiefgegangen',
    text: 'Der Dienst hat den Fehler vermerkt. Öffnen Sie noch einmal den Link, der Sie hierher geführt hat, und machen Sie dort weiter.',
  },
}
