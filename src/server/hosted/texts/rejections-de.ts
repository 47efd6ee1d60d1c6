import type { rejections as en } from './rejections-en.ts'

/** Why an answer is rejected, in German. */
export const rejections: typeof en = {
  setupTokenMalformed:
    'Das ist kein Setup-Token. Kopieren Sie es vollständig und ohne anderen Text, und fügen Sie es hier ein.',
  setupTokenUsed:
    'Dieses Setup-Token wurde schon benutzt oder zurückgezogen. Erzeugen Sie ein neues, und fügen Sie es hier ein. Wenn nicht Sie es benutzt haben, kennt es vielleicht jemand anderes: Sperren Sie es auf der Website von SimpleFIN.',
  setupTokenForeign:
    'Dieses Setup-Token gehört zu einem Server, mit dem diese Seite nicht arbeitet. Erzeugen Sie eines auf der Website von SimpleFIN.',
  inputMalformed:
    'Ihre Eingabe hat nicht die richtige Form. Prüfen Sie sie, und versuchen Sie es noch einmal.',
  inputRejected:
    'Das Institut nimmt Ihre Eingabe nicht an. Prüfen Sie sie, und versuchen Sie es noch einmal.',
  inputUsed:
    'Ihre Eingabe war nur einmal gültig. Holen Sie eine neue, und versuchen Sie es noch einmal.',
  institutionUnreachable:
    'Das Institut antwortet gerade nicht. Versuchen Sie es in ein paar Minuten noch einmal.',
  institutionRejects:
    'Das Institut lässt diesen Dienst Ihre Konten nicht mehr lesen. Verbinden Sie sich erneut.',
  institutionAsks:
    'Das Institut verlangt, dass Sie zuerst auf seiner Website etwas erledigen, etwa eine Zahlung. Tun Sie das, und machen Sie dann hier weiter.',
  quotaReached: 'Das Institut wurde heute zu oft gefragt. Versuchen Sie es morgen noch einmal.',
  noAccounts:
    'Hier gibt es kein Konto, das für diesen Zweck freigegeben werden kann. Ändern Sie Ihre Angaben, gehen Sie zurück und wählen Sie etwas anderes, oder verlassen Sie die Seite.',
  websiteDenied:
    'Sie haben die Verbindung bei Ihrem Institut abgelehnt. Es wurde nichts verbunden. Beginnen Sie noch einmal, wählen Sie ein anderes Institut, oder verlassen Sie die Seite.',
  websiteFailed:
    'Ihr Institut konnte das gerade nicht ausführen. Versuchen Sie es in einigen Minuten noch einmal.',
  columnsUnread:
    'So lässt sich keine Zeile der Datei lesen. Prüfen Sie die Spalten, die Datumsangaben und die Beträge.',
  fileFormat: 'Für Ihre Bank gilt hier ein anderes Format. Wählen Sie es dort aus.',
  fileEmpty:
    'Diese Datei ist leer. Laden Sie sie bei Ihrer Bank noch einmal herunter, und senden Sie diese.',
  filePdf:
    'Das ist ein PDF, das Programme nicht zuverlässig lesen können. Laden Sie die Umsätze als OFX, CAMT, MT940 oder CSV herunter.',
  fileArchive:
    'Das ist ein Archiv oder eine Arbeitsmappe. Entpacken Sie ein Archiv, gegebenenfalls mit seinem Passwort, und senden Sie die Datei darin. Speichern Sie eine Arbeitsmappe als CSV.',
  fileWorkbook:
    'Das ist eine Arbeitsmappe. Öffnen Sie sie, speichern Sie sie als CSV, und senden Sie diese Datei.',
  filePicture:
    'Das ist ein Bild. Laden Sie die Umsätze bei Ihrer Bank als OFX, CAMT, MT940 oder CSV herunter.',
  fileWebPage:
    'Das ist eine Webseite, nicht die Datei Ihrer Bank. Melden Sie sich bei Ihrer Bank an, und laden Sie die Datei noch einmal herunter.',
  fileUnknown:
    'Das ist keine Datei mit Umsätzen, die hier lesbar ist. Laden Sie sie bei Ihrer Bank als OFX, CAMT, MT940 oder CSV herunter.',
  fileWithoutAccounts:
    'In dieser Datei sind keine Umsätze. Wählen Sie bei Ihrer Bank mehr Monate, und laden Sie sie noch einmal herunter.',
  fileTooManyAccounts: 'Diese Datei hat mehr als 100 Konten. Senden Sie eine mit weniger Konten.',
  fileTooLarge: 'Diese Datei ist größer als 50 MB. Wählen Sie bei Ihrer Bank weniger Monate.',
  fileCut: 'Die Datei ist nicht vollständig angekommen. Senden Sie sie noch einmal.',
  fileGone:
    'Ihre Datei ist nicht mehr da, weil viel Zeit vergangen ist. Senden Sie sie noch einmal.',
  fileUnfinished:
    'Ihre Datei konnte nicht bis zum Ende übernommen werden. Durch sie ist nichts verbunden. Senden Sie sie noch einmal.',
  fileRejected:
    'Die Daten dieser Datei lassen sich nicht übernehmen. Laden Sie sie in einem anderen Format herunter, und senden Sie diese.',
}
