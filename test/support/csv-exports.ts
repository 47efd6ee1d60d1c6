/** A file as banks export it, of invented rows, for each built-in mapping. */
export const exportedFiles: readonly { shape: string; text: string; told: readonly string[] }[] = [
  {
    shape: 'date-description-amount',
    text: 'Date,Description,Amount,Currency\n2026-01-31,Tea,-1.20,EUR\n',
    told: ['2026-01-31 -1.20'],
  },
  {
    shape: 'date-description-amount-balance',
    text: 'Date,Description,Amount,Balance\n01/31/2026,Tea,-1.20,98.80\n02/01/2026,Pay,"1,500.00","1,598.80"\n',
    told: ['2026-01-31 -1.20', '2026-02-01 1500.00'],
  },
  {
    shape: 'date-description-debit-credit',
    text: 'Status,Date,Description,Debit,Credit\nCleared,01/31/2026,Tea,1.20,\nCleared,02/01/2026,Back,,-0.00\n',
    told: ['2026-01-31 -1.20', '2026-02-01 0.00'],
  },
  {
    shape: 'date-description-debit-credit-balance',
    text: 'Date,Description,Debit,Credit,Balance\n31 Jan 2026,Tea,1.20,,98.80\n1 Feb 2026,Pay,,2.00,100.80\n',
    told: ['2026-01-31 -1.20', '2026-02-01 2.00'],
  },
  {
    shape: 'date-payee-amount',
    text: 'Date,Payee,Memo,Amount\n2026/01/31,Tea shop,Tea,-1.20\n',
    told: ['2026-01-31 -1.20'],
  },
  {
    shape: 'transaction-post-date-type-amount',
    text: 'Transaction Date,Post Date,Description,Category,Type,Amount,Memo\n01/02/2026,01/13/2026,TEA,Food,Sale,-1.20,\n',
    told: ['2026-01-13 -1.20'],
  },
  {
    shape: 'transaction-posted-date-card-debit-credit',
    text: 'Transaction Date,Posted Date,Card No.,Description,Category,Debit,Credit\n2026-01-30,2026-01-31,1234,TEA,Dining,1.20,\n',
    told: ['2026-01-31 -1.20'],
  },
  {
    shape: 'details-posting-date-amount-balance',
    text: 'Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #\nDEBIT,01/31/2026,TEA,-1.20,ACH_DEBIT,98.80,,\nCREDIT,01/30/2026,PAY,5.00,ACH_CREDIT,100.00,,\n',
    told: ['2026-01-31 -1.20', '2026-01-30 5.00'],
  },
  {
    shape: 'sort-code-debit-credit-amounts-balance',
    text: "Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,Debit Amount,Credit Amount,Balance,\n31/01/2026,DEB,'01-02-03,12345678,TEA ,1.20,,98.80\n30/01/2026,BGC,'01-02-03,12345678,PAY ,,5.00,100.00\n",
    told: ['2026-01-31 -1.20', '2026-01-30 5.00'],
  },
  {
    shape: 'date-type-description-value-balance',
    text: 'Date, Type, Description, Value, Balance, Account Name, Account Number\n\n31/01/2026,POS,"TEA",-1.20,98.80,"M TALVIK","010203-12345678"\n',
    told: ['2026-01-31 -1.20'],
  },
  {
    shape: 'booking-value-date-partner-amount',
    text: '"Booking Date","Value Date","Partner Name","Partner Iban",Type,"Payment Reference","Account Name","Amount (EUR)","Original Amount","Original Currency","Exchange Rate"\n2026-01-31,2026-01-30,"Tea shop",,Presentment,,"Main",-1.20,1.20,EUR,1\n',
    told: ['2026-01-31 -1.20'],
  },
  {
    shape: 'date-payee-account-reference-amount',
    text: '"Date","Payee","Account number","Transaction type","Payment reference","Amount (EUR)","Amount (Foreign Currency)","Type Foreign Currency","Exchange Rate"\n"2026-01-31","Tea shop","","Card","","-1.2","","",""\n',
    told: ['2026-01-31 -1.20'],
  },
  {
    shape: 'date-name-account-debit-or-credit-amount',
    text: '"Date";"Name / Description";"Account";"Counterparty";"Code";"Debit/credit";"Amount (EUR)";"Transaction type";"Notifications";"Resulting balance";"Tag"\n"20260131";"Tea shop";"NL02ABNA0123456789";"";"BA";"Debit";"1,20";"Payment terminal";"";"98,80";""\n',
    told: ['2026-01-31 -1.20'],
  },
  {
    shape: 'datum-naam-rekening-af-bij-bedrag',
    text: '"Datum","Naam / Omschrijving","Rekening","Tegenrekening","Code","Af Bij","Bedrag (EUR)","MutatieSoort","Mededelingen"\n"20260131","Theewinkel","NL02ABNA0123456789","","BA","Af","1,20","Betaalautomaat","Thee"\n"20260130","Loon","NL02ABNA0123456789","","OV","Bij","1.500,00","Overschrijving","Loon"\n',
    told: ['2026-01-31 -1.20', '2026-01-30 1500.00'],
  },
  {
    shape: 'auftragskonto-buchungstag-verwendungszweck-betrag',
    text: '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Beguenstigter/Zahlungspflichtiger";"Kontonummer";"BLZ";"Betrag";"Waehrung";"Info"\n"DE02100100100006820101";"31.01.26";"31.01.26";"LASTSCHRIFT";"Tee";"Teeladen";"1";"2";"-1,20";"EUR";"Umsatz gebucht"\n',
    told: ['2026-01-31 -1.20'],
  },
  {
    shape: 'buchung-valuta-auftraggeber-betrag',
    text: 'Umsatzanzeige;Datei erstellt am: 01.02.2026 10:00\n\nIBAN;DE02 1001 0010 0006 8201 01\nSaldo;1.598,80;EUR\n\nBuchung;Valuta;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;Betrag;Währung\n31.01.2026;31.01.2026;Teeladen;Lastschrift;Tee;1.598,80;EUR;-1,20;EUR\n30.01.2026;30.01.2026;Arbeit;Gehalt;Lohn;1.600,00;EUR;1.500,00;EUR\n',
    told: ['2026-01-31 -1.20', '2026-01-30 1500.00'],
  },
  {
    shape: 'comptabilisation-libelle-debit-credit',
    text: 'Date de comptabilisation;Libelle simplifie;Libelle operation;Reference;Informations complementaires;Type operation;Categorie;Sous categorie;Debit;Credit;Date operation;Date de valeur;Pointage operation\n31/01/2026;THE;CB THE;R1;;Carte bancaire;Sorties;The;-1,20;;30/01/2026;31/01/2026;0\n30/01/2026;PAIE;VIR PAIE;R2;;Virement;Revenus;Paie;;+1500,00;30/01/2026;30/01/2026;0\n',
    told: ['2026-01-31 -1.20', '2026-01-30 1500.00'],
  },
  {
    shape: 'bokforingsdag-belopp-rubrik-saldo',
    text: 'Bokföringsdag;Belopp;Avsändare;Mottagare;Namn;Rubrik;Saldo;Valuta;\n2026/01/31;-1,20;51 86;;;Te;98,80;SEK;\n2026/01/30;5,00;;51 86;;Lön;100,00;SEK;\n',
    told: ['2026-01-31 -1.20', '2026-01-30 5.00'],
  },
  {
    shape: 'iban-volgnr-datum-bedrag-saldo',
    text: '"IBAN/BBAN","Munt","BIC","Volgnr","Datum","Rentedatum","Bedrag","Saldo na trn","Tegenrekening IBAN/BBAN","Naam tegenpartij","Naam uiteindelijke partij","Naam initiërende partij","BIC tegenpartij","Code","Batch ID","Transactiereferentie","Machtigingskenmerk","Incassant ID","Betalingskenmerk","Omschrijving-1","Omschrijving-2","Omschrijving-3","Reden retour","Oorspr bedrag","Oorspr munt","Koers"\n"NL02ABNA0123456789","EUR","ABNANL2A","000000000000000001","2026-01-31","2026-01-31","-1,20","+98,80","","Theewinkel","","","","bc","","","","","","Thee"," "," ","","","",""\n',
    told: ['2026-01-31 -1.20'],
  },
]
