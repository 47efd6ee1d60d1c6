/** Why an answer is rejected, and what to do. */
export const rejections = {
  setupTokenMalformed:
    'This is not a setup token. Copy all of it, without other text, and paste it here.',
  setupTokenUsed:
    'This setup token was used before, or was withdrawn. Create a new one, and paste it here. If you did not use it, somebody else may have it: disable it on the website of SimpleFIN.',
  setupTokenForeign:
    'This setup token is for a server that this page does not work with. Create one on the website of SimpleFIN.',
  inputMalformed: 'What you entered has another form. Check it, and try again.',
  inputRejected: 'The institution does not accept what you entered. Check it, and try again.',
  inputUsed: 'What you entered was valid once only. Get a new one, and try again.',
  institutionUnreachable:
    'The institution does not answer at the moment. Try again in a few minutes.',
  institutionRejects:
    'The institution no longer lets this service read your accounts. Connect again.',
  institutionAsks:
    'The institution asks you to finish something on its website first, such as a payment. Do that, then continue here.',
  quotaReached: 'The institution was asked too often today. Try again tomorrow.',
  noAccounts:
    'There is no account here that can be shared for this purpose. Change your answers, go back and choose something else, or leave.',
  websiteDenied:
    'You decided at your institution not to connect. Nothing was connected. Begin again, choose another institution, or leave.',
  websiteFailed: 'Your institution could not do this now. Try again in a few minutes.',
  columnsUnread:
    'No line of the file can be read in this way. Check the columns, the dates and the amounts.',
  fileFormat: 'Your bank sends this kind of data in another format. Choose another one there.',
  fileEmpty: 'This file is empty. Download it again at your bank, and send that one.',
  filePdf:
    'This is a PDF, which programs cannot read reliably. Download the transactions as OFX, CAMT, MT940 or CSV.',
  fileArchive:
    'This is an archive or a workbook. Unpack an archive, with its password if it has one, and send the file inside. Save a workbook as CSV.',
  fileWorkbook: 'This is a workbook. Open it, save it as CSV, and send that file.',
  filePicture:
    'This is a picture. Download the transactions at your bank as OFX, CAMT, MT940 or CSV.',
  fileWebPage:
    'This is a web page, not the file of your bank. Log in at your bank, and download the file again.',
  fileUnknown:
    'This is no file with transactions that can be read here. Download them at your bank as OFX, CAMT, MT940 or CSV.',
  fileWithoutAccounts:
    'There are no transactions in this file. Choose more months at your bank, and download it again.',
  fileTooManyAccounts: 'This file has more than 100 accounts. Send one with fewer accounts.',
  fileTooLarge: 'This file is larger than 50 MB. Choose fewer months at your bank.',
  fileCut: 'The file did not arrive completely. Send it again.',
  fileGone: 'Your file is no longer here, since much time has passed. Send it again.',
  fileUnfinished:
    'Your file could not be added to its end. Nothing is connected by it. Send it again.',
  fileRejected:
    'The data of this file cannot be added. Download it in another format, and send that one.',
}
