import { de as link } from '../../texts/de.ts'
import { messagesDe } from './messages-de.ts'
import { numberNamesDe } from './number-names.ts'
import type { Texts } from './texts.ts'

const day = new Intl.DateTimeFormat('de', { dateStyle: 'long', timeZone: 'UTC' })

/** Die Wörter der Seite, auf der ein Mensch zeigt, wer er ist. */
export const de: Texts = {
  code: 'de',
  documents: {
    passport: 'Reisepass',
    drivers_license: 'Führerschein',
    id_card: 'Personalausweis',
    residence_permit_card: 'Aufenthaltstitel',
  },
  application: 'die Anwendung',
  shared: {
    ...link.shared,
    sandboxAdvice:
      'Nichts hier ist echt. Geben Sie keine echten Daten ein, und senden Sie keine echten Dokumente oder Bilder von Menschen.',
    leave: 'Verlassen und später weitermachen',
    runBy: (host, client) =>
      `Der Dienst unter ${host} betreibt diese Seite für ${client}. Er speichert, was Sie eingeben, und gibt es an ${client}.`,
  },
  invented: {
    title: 'Für Ihre Tests',
    names: 'Diese Familiennamen bestimmen, was geschieht:',
    codes: (code) => `Es wird keine Nachricht gesendet. Der Code ist ${code}.`,
    unreachable: (number) => `An ${number} kann keine Nachricht zugestellt werden.`,
    samples: 'Nehmen Sie ein Muster anstelle eines Bildes',
    outcomes: {
      kyc_check: {
        failed: 'Ihre Angaben stimmen nicht mit den Verzeichnissen überein',
        pending_review: 'ein Mensch prüft Ihre Angaben',
        expired: 'die Prüfung läuft ab',
      },
      watchlist_screening: { pending_review: 'der Name steht auf einer Sanktionsliste' },
      risk_check: { failed: 'das Risiko ist zu hoch' },
    },
    sampleNames: {
      document: 'Ein klares Bild: Es wird angenommen',
      document_back: 'Ein klares Bild der Rückseite: Es wird angenommen',
      document_blurred:
        'Ein unscharfes Bild: Sie werden noch einmal gefragt, und das dritte scheitert',
      document_failed: 'Eine Fälschung: Sie wird abgelehnt',
      document_review: 'Ein zweifelhaftes Bild: Ein Mensch prüft es',
      selfie: 'Ein klares Bild: Es wird angenommen',
      selfie_failed: 'Das Gesicht eines anderen: Es wird abgelehnt',
      selfie_review: 'Ein zweifelhaftes Bild: Ein Mensch prüft es',
    },
  },
  terms: {
    title: (client) => `Bestätigen Sie Ihre Identität für ${client}`,
    asks: (client) =>
      `Diese Seite führt Sie durch einige Fragen. Ihre Antworten zeigen, wer Sie sind. Sie gehen an ${client}.`,
    steps: 'Wonach Sie gefragt werden',
    kinds: {
      verify_sms: 'nach einem Code, der an Ihr Telefon gesendet wird',
      kyc_check:
        'nach Namen, Geburtsdatum, Anschrift und einer amtlichen Nummer, soweit nicht bekannt',
      documentary_verification: 'nach Bildern eines amtlichen Dokuments',
      selfie_check: 'nach einem Bild Ihres Gesichts',
      watchlist_screening: 'Ihr Name wird mit öffentlichen Sanktionslisten verglichen',
      risk_check: 'Ihre Verbindung und Ihre Kontaktdaten werden auf Anzeichen von Betrug geprüft',
    },
    behind: 'Was außerdem geprüft wird',
    use: (client) =>
      `Der Dienst nutzt Ihre Daten nur für diese Prüfung und gibt Daten und Ergebnis an ${client}.`,
    agree: 'Zustimmen und weiter',
  },
  phone: {
    title: 'Bestätigen Sie Ihre Telefonnummer',
    text: 'Sie erhalten eine Textnachricht mit einem Code aus sechs Ziffern.',
    known: (end) => `Die Nachricht geht an Ihre Nummer, die auf ${end} endet.`,
    label: 'Mobilnummer',
    hint: 'Mit der Ländervorwahl, zum Beispiel +49 151 23456789',
    send: 'Code senden',
    missing: 'Geben Sie Ihre Telefonnummer ein',
    wrong: 'Geben Sie die Nummer mit der Ländervorwahl ein, zum Beispiel +49 151 23456789',
    unreachable:
      'An diese Nummer kann keine Nachricht zugestellt werden. Prüfen Sie sie, oder geben Sie eine andere ein.',
    later: 'Es wurden zu viele Nachrichten gesendet. Versuchen Sie es in einer Stunde noch einmal.',
    tried: 'Der Code war dreimal falsch und gilt nicht mehr. Senden Sie einen neuen.',
  },
  sms: {
    title: 'Geben Sie den Code ein',
    sent: (end) => `Die Nachricht ging an die Nummer, die auf ${end} endet.`,
    ends: 'Der Code gilt zehn Minuten, und Sie haben drei Versuche.',
    label: 'Code aus sechs Ziffern',
    missing: 'Geben Sie den Code der Nachricht ein',
    noCode: 'Geben Sie die sechs Ziffern des Codes ein. Das zählte nicht als Versuch.',
    wrong: (left) =>
      left === 1
        ? 'Der Code ist falsch. Sie haben noch einen Versuch.'
        : `Der Code ist falsch. Sie haben noch ${left} Versuche.`,
    expired: 'Der Code ist älter als zehn Minuten. Senden Sie einen neuen.',
    again: 'Neuen Code senden',
    none: 'Es kam keine Nachricht an?',
  },
  name: {
    title: 'Wie heißen Sie?',
    hint: 'So, wie es in Ihren amtlichen Dokumenten steht.',
    given: 'Vornamen',
    family: 'Familienname',
    noGiven: 'Geben Sie Ihre Vornamen ein',
    noFamily: 'Geben Sie Ihren Familiennamen ein',
  },
  birth: {
    title: 'Wann sind Sie geboren?',
    hint: 'Zum Beispiel 27 3 1985',
    day: 'Tag',
    month: 'Monat',
    year: 'Jahr',
    legend: 'Geburtsdatum',
    missing: 'Geben Sie Tag, Monat und Jahr Ihrer Geburt ein',
    wrong: {
      day: 'Geben Sie den Tag als Zahl von 1 bis 31 ein',
      month: 'Geben Sie den Monat als Zahl von 1 bis 12 ein, zum Beispiel 3 für März',
      year: 'Geben Sie das Jahr mit vier Ziffern ein, zum Beispiel 1985',
    },
    noDay: 'Diesen Tag gibt es nicht. Prüfen Sie Tag, Monat und Jahr',
    future: 'Geben Sie einen Tag in der Vergangenheit ein',
    old: 'Prüfen Sie das Jahr: Es liegt mehr als 120 Jahre zurück',
  },
  country: {
    title: 'In welchem Land wohnen Sie?',
    label: 'Land',
    choose: 'Auswählen',
    missing: 'Wählen Sie Ihr Land aus',
  },
  address: {
    title: 'Wie lautet Ihre Anschrift?',
    country: (name) => `Land: ${name}`,
    street: 'Straße und Hausnummer',
    street2: 'Wohnung oder Stockwerk (freiwillig)',
    city: 'Ort',
    region: 'Bundesstaat',
    regionHint: 'Zwei Buchstaben, zum Beispiel OR für Oregon',
    regionOptional: 'Bundesland oder Provinz (freiwillig)',
    regionOptionalHint:
      'Das Kürzel aus einem bis drei Buchstaben oder Ziffern, falls Ihr Land solche Kürzel hat',
    postal: 'ZIP-Code',
    postalHint: 'Fünf Ziffern',
    postalRequired: 'Postleitzahl',
    postalOptional: 'Postleitzahl (freiwillig)',
    missing: {
      street: 'Geben Sie Straße und Hausnummer ein',
      city: 'Geben Sie den Ort ein',
      postal_code: 'Geben Sie die Postleitzahl ein',
    },
    wrongInUs: {
      region:
        'Geben Sie die zwei Buchstaben des Bundesstaats oder Gebiets ein, zum Beispiel OR für Oregon',
      postal_code: 'Geben Sie die fünf Ziffern des ZIP-Codes ein',
    },
    wrong: {
      street:
        'Geben Sie Straße und Hausnummer ein, mit mindestens einem Buchstaben und höchstens 80 Zeichen',
      street2: 'Geben Sie höchstens 50 Zeichen ein',
      city: 'Geben Sie den Ort ein, mit mindestens einem Buchstaben',
      region:
        'Geben Sie das Kürzel des Bundeslands oder der Provinz ein: ein bis drei Buchstaben oder Ziffern',
      postal_code: 'Geben Sie die Postleitzahl ein. Sie hat 2 bis 10 Buchstaben und Ziffern',
    },
  },
  number: {
    title: 'Ihre amtliche Nummer',
    text: 'Geben Sie eine der Nummern ein, die Sie in diesem Land erhalten haben.',
    kind: 'Welche Nummer geben Sie ein?',
    label: 'Nummer',
    hint: 'Leerzeichen und Bindestriche können Sie weglassen.',
    none: 'Ich habe keine solche Nummer',
    missing: 'Geben Sie die Nummer ein',
    noKind: 'Wählen Sie aus, welche Nummer Sie eingeben',
    wrong: 'Diese Nummer hat nicht die richtige Form. Prüfen Sie sie.',
    types: numberNamesDe,
  },
  answers: {
    title: 'Prüfen Sie Ihre Antworten',
    text: 'Nach dem Senden können Sie sie nicht mehr ändern.',
    edit: 'Ändern',
    change: (what) => `Ändern: ${what}`,
    labels: {
      name: 'Name',
      birth: 'Geburtsdatum',
      country: 'Land',
      address: 'Anschrift',
      number: 'Amtliche Nummer',
    },
    noNumber: 'Keine',
    numberEnding: (end) => `Endet auf ${end}`,
    send: 'Meine Antworten senden',
    contact: { phone: 'Telefonnummer', email: 'E-Mail-Adresse' },
    known: 'Schon bekannt',
    knownText: (client) =>
      `Das müssen Sie nicht noch einmal eingeben, und es wird mitgeprüft. Es ist nur zum Teil zu sehen. Wenn etwas falsch ist, wenden Sie sich an ${client}.`,
    bornIn: (year) => `Im Jahr ${year}`,
    day: (date) => day.format(new Date(date)),
  },
  document: {
    title: 'Welches Dokument haben Sie zur Hand?',
    instead: 'Ihre Angaben konnten nicht bestätigt werden. Ein Dokument kann sie bestätigen.',
    text: 'Es muss gültig sein, und alle vier Ecken müssen im Bild zu sehen sein.',
    label: 'Art des Dokuments',
    country: 'Land, das es ausgestellt hat',
    missing: 'Wählen Sie ein Dokument aus',
    noCountry: 'Wählen Sie das Land aus',
  },
  picture: {
    front: (document) => `Vorderseite Ihres Dokuments: ${document}`,
    back: (document) => `Rückseite Ihres Dokuments: ${document}`,
    passport: 'Seite Ihres Reisepasses mit Ihrem Bild',
    selfie: 'Ein Bild Ihres Gesichts',
    advice:
      'Legen Sie es auf eine dunkle, ebene Fläche. Vermeiden Sie Spiegelungen. Jedes Wort muss lesbar sein.',
    selfieAdvice:
      'Sehen Sie in die Kamera, bei gutem Licht, ohne Sonnenbrille und Hut. Niemand sonst darf im Bild sein.',
    camera: 'Ein Bild aufnehmen',
    file: 'Ein Bild auswählen',
    hint: 'JPEG oder PNG, höchstens 8 MB',
    send: 'Bild senden',
    useSample: 'Muster nehmen',
    missing: 'Wählen Sie ein Bild aus',
    noSample: 'Wählen Sie ein Muster aus',
    left: (left) => (left === 1 ? 'Das ist Ihr letzter Versuch.' : `Sie haben ${left} Versuche.`),
    problems: {
      empty: 'Die Datei ist leer. Wählen Sie ein anderes Bild aus.',
      too_large: 'Das Bild ist größer als 8 MB. Nehmen Sie ein kleineres auf.',
      wrong_type: 'Das ist weder ein JPEG- noch ein PNG-Bild. Wählen Sie ein anderes aus.',
      broken: 'Das Bild ist beschädigt oder kam nicht vollständig an. Senden Sie es noch einmal.',
      too_many_pixels:
        'Das Bild hat zu viele Bildpunkte. Nehmen Sie eines mit geringerer Auflösung auf.',
      too_small:
        'Das Bild ist zu klein, um es zu lesen. Nehmen Sie eines mit höherer Auflösung auf.',
    },
    flaws: {
      blurred:
        'Das letzte Bild ist unscharf. Halten Sie die Kamera ruhig, und senden Sie ein neues.',
      glaring: 'Das letzte Bild hat Spiegelungen. Ändern Sie das Licht, und senden Sie ein neues.',
      unreadable: 'Auf dem letzten Bild war nichts zu lesen. Senden Sie ein neues.',
    },
  },
  waiting: {
    title: 'Ihre Angaben werden geprüft',
    text: 'Diese Seite lädt sich alle paar Sekunden neu. Wenn Sie sie schließen, läuft die Prüfung weiter.',
    steps: {
      verify_sms: 'Die Telefonnummer wird geprüft.',
      kyc_check: 'Ihre Angaben werden mit Verzeichnissen verglichen.',
      documentary_verification: 'Ihr Dokument wird geprüft.',
      selfie_check: 'Ihr Bild wird verglichen.',
      watchlist_screening: 'Ihr Name wird mit Sanktionslisten verglichen.',
      risk_check: 'Ihre Verbindung und Ihre Kontaktdaten werden geprüft.',
    },
    look: 'Noch einmal nachsehen',
  },
  leaving: {
    title: 'Jetzt verlassen?',
    text: 'Fertige Schritte bleiben erhalten. Was Sie nicht gesendet haben, wird gelöscht. Um weiterzumachen, öffnen Sie den Link noch einmal, der Sie hierher brachte.',
    stay: 'Bleiben',
    submit: 'Verlassen',
  },
  ...messagesDe,
}
