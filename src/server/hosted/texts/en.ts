import { type Html, html } from '../html.ts'
import { messages } from './messages-en.ts'
import { accountTypes, kindNames, products } from './names-en.ts'
import { rejections } from './rejections-en.ts'

const dates = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
const day = (date: string): string => dates.format(new Date(date))

/** The words of the hosted pages. Another language has the same keys. */
export const en = {
  code: 'en',
  products,
  accountTypes,
  kindNames,
  shared: {
    sandbox: 'This is a sandbox.',
    sandboxAdvice: 'Nothing here is real. Do not enter a real name, password or code.',
    problem: 'There is a problem',
    errorTitle: (title: string) => `Error: ${title}`,
    progress: (step: number, count: number) => `Step ${step} of ${count}`,
    continue: 'Continue',
    back: 'Back',
    leave: 'Leave without connecting',
    close: 'You can close this window.',
    returnTo: (client: string) => `Return to ${client}`,
    runBy: (host: string, client: string) =>
      `The service at ${host} runs this page for ${client}. It stores the data of the accounts that you share, and gives it to ${client}.`,
  },
  consent: {
    title: (client: string) => `Connect your accounts with ${client}`,
    asks: (client: string) => `${client} asks to read this data of the accounts that you choose:`,
    optional: 'And this data, if your institution offers it:',
    until: 'For how long?',
    untilEnd: (client: string) =>
      `Until you end the connection. You can ask ${client} to do so at any time.`,
    history: (days: number) =>
      days === 1 ? 'Transactions go back 1 day.' : `Transactions go back up to ${days} days.`,
    agree: 'Agree and continue',
  },
  impossible: {
    title: 'Nothing can be connected here',
    asks: (client: string) => `${client} asks for this data:`,
    text: 'No institution that this service can reach offers all of it. You cannot change that: tell the application that sent you here.',
  },
  institution: {
    title: 'Choose your institution',
    label: 'Name of your bank or other institution',
    search: 'Search',
    first: 'Search, or choose one of these',
    found: (count: number) => (count === 1 ? '1 institution found' : `${count} institutions shown`),
    none: 'No institution with this name offers the data that is asked for. Check the spelling, or search for a part of the name or for a country. To see other choices, empty the field and search again.',
    notHere: 'Your bank is not here?',
    notHereText: 'Download your transactions at your bank, and send the file on the next page.',
    nothing:
      'No institution offers the data that is asked for. Leave, and tell the application that sent you here.',
    missing: 'Choose an institution from the list',
    cannot:
      'This service cannot connect to this institution yet. Choose another one, or send a file from your bank.',
  },
  login: {
    title: (institution: string) => `Log in at ${institution}`,
    titleAgain: (institution: string) => `Log in again at ${institution}`,
    institution: 'your institution',
    again: (client: string) =>
      `${client} can no longer read your accounts, or asks you to confirm the connection. Your connection and its accounts stay the same.`,
    username: 'User name',
    password: 'Password',
    submit: 'Log in',
    noUsername: 'Enter your user name',
    noPassword: 'Enter your password',
    invented: 'User names of the sandbox',
    inventedAdvice: 'Use one of these, with any password:',
    logins: {
      user_good: 'the login succeeds',
      user_mfa: 'the login asks for a one-time code first',
      user_bad: 'the password is wrong',
      user_locked: 'the institution has locked the user',
      user_expired: 'the password has expired',
    },
    rejected: 'User name or password is wrong. Check both, and try again.',
    locked:
      'The institution has locked this user. Unlock it on the website of the institution, then try again.',
    expired:
      'The password has expired. Set a new one on the website of the institution, then try again.',
    noAccounts:
      'There is no account here that can be shared for this purpose. Choose another institution or another user, or leave.',
  },
  mfa: {
    title: 'Enter the one-time code',
    sent: (institution: string) =>
      `${institution || 'Your institution'} asks for a second proof that it is you.`,
    invented: (code: string) => `In the sandbox the code is ${code}.`,
    label: 'One-time code',
    noCode: 'Enter the code',
    wrong: 'The code is wrong. Check it, and try again.',
  },
  connect: {
    title: (institution: string) => `Connect to ${institution}`,
    titleAgain: (institution: string) => `Connect to ${institution} again`,
    wait: 'Confirm the connection in the app or on the website of your institution. Then continue here.',
    look: 'I have confirmed it',
    outage:
      'The institution does not answer at the moment. What you entered was accepted: do not enter it again. Wait a minute, then try again.',
    tryAgain: 'Try again',
    setup:
      'What you entered was accepted: do not enter it again. When you have finished on the website, continue here.',
    before:
      'You log in on the website of your institution, and not here. There you also say what may be read.',
    redirect: 'You continue on the website of your institution, and come back here afterwards.',
    goOn: 'Continue at my institution',
  },
  website: {
    title: 'An invented bank',
    text: 'The website of a real bank would ask you to log in here, and to confirm what may be read. Choose how this bank answers.',
    allow: 'Allow',
    app: 'Confirm later, in the app',
    deny: 'Do not allow',
    fail: 'Let the bank fail',
  },
  resume: {
    title: (institution: string) => `Update your connection to ${institution}`,
    intro: (client: string) =>
      `The connection is still there, and you need no new setup token. What ${client} can read stays the same until you finish.`,
    appeared: 'New accounts',
    appearedText: (client: string) =>
      `${client} cannot read these accounts yet. Next you say what kind of accounts they are. Then you choose which to share.`,
    login:
      'A bank asks you to log in again. Do that on the website of SimpleFIN first. Then continue here.',
    setup:
      'SimpleFIN asks you to finish something on its website first, such as a payment. Then continue here.',
    look: 'The service now asks which accounts there are.',
    another: 'Use a new setup token instead',
  },
  resumeOther: {
    intro: (client: string) =>
      `The connection is still there, and you need not connect again. What ${client} can read stays the same until you finish.`,
    login: 'The institution asks you to log in again. Do that there first. Then continue here.',
    setup: 'The institution asks you to finish something there first. Then continue here.',
    another: 'Connect again instead',
  },
  said: {
    title: 'The institution says',
    text: 'These are its own words. This service has not checked them.',
  },
  fields: {
    setup_token: {
      label: 'Setup token',
      hint: 'A long line of letters and digits, which works once.',
      missing: 'Paste the setup token',
    },
    other: { label: '', hint: '', missing: 'Fill in this field' },
  },
  simplefin: {
    choice: 'Another provider, which connects to your bank for you',
    whatText:
      'SimpleFIN is a service of another provider. It connects to your bank for you, and passes on what it reads. You need an account there, which may cost a fee. Your bank password is never entered on this page.',
    where: 'Where do I get a setup token?',
    website: (link: Html): Html => html`Open ${link}. Log in, or create an account.`,
    steps: [
      'Connect your bank there, if you have not yet.',
      'Create a new connection for an app. You see the setup token.',
      'Copy the token, and paste it on this page.',
    ],
    reads: 'What can this service read then?',
    readsText: (client: string) =>
      `The names, balances and transactions of the accounts that you connected there. It cannot move money. On the next pages you choose what to share with ${client}. You can end the access on the website of SimpleFIN at any time.`,
  },
  rejections,
  adding: {
    title: (percent: number) => `Adding your transactions: ${percent} %`,
    state: (done: number, total: number) =>
      `${done.toLocaleString('en')} of ${total.toLocaleString('en')} transactions are added.`,
    text: 'Your answers have arrived. This page renews itself every few seconds. A large file takes some minutes. If you close the page, the work goes on.',
    look: 'Look again',
    stalled: {
      title: 'Adding your transactions takes longer than usual',
      text: 'Nothing was added for some minutes. The service tries again by itself, for some hours. You can close this page and open the link again later.',
      stopText:
        'Or stop here and send the file again, such as in another format. Nothing is added twice.',
      stop: 'Stop, and send a file again',
    },
    elsewhere: {
      title: 'Your accounts are being connected',
      text: 'This was begun in another window, and takes some minutes. Go back to that window, or open this link again later.',
    },
  },
  barriers: {
    unsupportedCurrency: 'its currency is not supported',
  },
  busyAnswer: {
    title: 'The service is asking your institution',
    text: 'This takes a minute at most. Your answer has arrived: do not send it again.',
    look: 'Look again',
  },
  file: {
    choice: 'A file from my bank',
    title: (institution: string): string => `Send a file from ${institution || 'your bank'}`,
    titleAgain: (institution: string): string =>
      `Send another file from ${institution || 'your bank'}`,
    again: (client: string) =>
      `${client} asks for newer transactions. Your connection and its accounts stay the same. What the file repeats is not added twice.`,
    how: 'Nothing is shared yet. First you see what the file holds. Then you choose the accounts to share.',
    label: 'File with your transactions',
    hint: 'OFX, QFX, CAMT (XML), MT940 or CSV, 50 MB at most. Not PDF, and not a ZIP archive.',
    submit: 'Send the file',
    interrupted:
      'If the upload breaks off, nothing is lost and nothing is shared. Load this page again, and send the whole file again.',
    missing: 'Choose a file',
    kept: 'What happens with the file?',
    keptText:
      'The service reads it, and does not keep it. It stores the transactions of the accounts that you choose. It deletes all others when you finish or leave. If you only close this window, it deletes them after about a day.',
    where: 'Where do I get this file?',
    whereText:
      'Log in at your bank. Open the account, and look for “Export”, “Download” or “Statements”. Choose one of the formats above. Take CSV only if your bank offers none of the others. Choose as many months as you want to share.',
  },
  columns: {
    title: 'Say what the columns of your file are',
    how: 'This file is a table whose columns are not known here. What could be guessed is filled in. Please check it.',
    rows: (count: number) =>
      count === 1 ? 'The first line of your file' : `The first ${count} lines of your file`,
    column: (column: number) => `Column ${column}`,
    choose: 'Choose',
    absent: 'Not in this file',
    labels: {
      date: 'Date of the transaction',
      amount: 'Amount, where one column has all of them',
      in: 'Money in, where it has a column of its own',
      out: 'Money out, where it has a column of its own',
      counterparty: 'Name of the other party',
      balance: 'Balance after the transaction',
      currency: 'Currency',
      account: 'Number of your account',
    },
    form: 'How are the dates written?',
    formHint: 'Each choice shows the first of February 2026.',
    amounts: 'Amounts',
    amountsHint: 'Choose one column with all amounts, or one for money in and one for money out.',
    inverted: 'In this column, money out has no minus sign, and money in has one',
    decimal: 'How are the amounts written?',
    text: 'Description: choose all columns that describe the transaction',
    another: 'Send another file instead',
    wrong: {
      noDate: 'Choose the column with the date',
      noForm: 'Choose how the dates are written',
      noAmount: 'Choose the column with the amount, or the one with money in',
      noOut: 'Choose the column with money out, too',
      twoAmounts: 'Choose either one column with all amounts, or those for money in and money out',
      noDecimal: 'Choose how the amounts are written',
      noText: 'Choose at least one column that describes the transaction',
      twice: 'Choose another column for money out than for money in',
    },
  },
  read: {
    rows: (count: number) => (count === 1 ? '1 transaction' : `${count} transactions`),
    days: (from: string, to: string): string =>
      from === to ? day(from) : `${day(from)} to ${day(to)}`,
    line: (line: number, text: string) => `Line ${line}: ${text}`,
    lostTitle: 'A part of the file could not be read',
    noteTitle: 'About your file',
    lostAdvice:
      'Go back and send another file, such as one in another format. Or continue with what could be read.',
    more: (count: number) => `And ${count} more.`,
    codes: {
      UNSUPPORTED_PRECISION: 'an amount has more than two decimals.',
      INVALID_AMOUNT: 'the amount cannot be read.',
      INVALID_DATE: 'the date cannot be read.',
      INVALID_VALUE: 'something cannot be read.',
      MISSING_VALUE: 'something is missing, such as the amount or the date.',
      INVALID_ENCODING: 'letters cannot be read.',
      MIXED_ENCODING: 'some letters may look wrong.',
      UNEXPECTED_END: 'the file ends in the middle. Download it again.',
      UNSUPPORTED_TRANSACTION: 'this kind of transaction cannot be read.',
      BALANCE_MISMATCH: 'the balances and the transactions do not fit together.',
      UNKNOWN_ACCOUNT: 'the file does not name the account.',
      UNKNOWN_CURRENCY: 'the file does not name the currency.',
      UNFINISHED_LINE: 'the last line is not complete.',
      REPORTED_BY_BANK: 'your bank reports an error in the file.',
      NO_BOOKING: 'this line is no transaction.',
    },
  },
  details: {
    title: (count: number): string => (count === 1 ? 'About your account' : 'About your accounts'),
    why: 'The data from your bank does not say everything. Please fill in what is missing.',
    account: 'Your account',
    accountEnding: (mask: string) => `Account ending in ${mask}`,
    kind: 'What kind of account is it?',
    choose: 'Choose',
    kinds: { ...kindNames, checking: 'Checking account (current account)' },
    none: 'None of these: do not share it',
    balance: (currency: string) =>
      currency === 'XXX' ? 'Balance today' : `Balance today, in ${currency}`,
    balanceHint: 'If you owe money, begin with a minus sign. Examples: 1250.40 and -310.25',
    typedBalance: (decimal: string): string => decimal,
    number: 'Number of the account',
    numberHint:
      'The IBAN, the account number, or its last four digits. It matches your next file to this account.',
    noNumber: 'Enter the number, or its last four digits',
    wrongIban:
      'This IBAN is not correct: a sign is wrong, missing or too many. Check it, or enter only its last four digits',
    currency: 'Currency',
    currencyHint: 'Three letters, such as EUR or USD',
    noCurrency: 'Enter the three letters of the currency, such as EUR',
    wrongCurrency:
      'There is no currency with these letters, or it has ended. Enter another one, such as EUR',
    noKind: 'Choose the kind of the account',
    noBalance: 'Enter the balance as a number, such as 1250.40',
  },
  share: {
    inFile: {
      title: 'Check what the file holds',
      intro: 'The transactions are added to these accounts:',
    },
    atSource: {
      title: 'Check your accounts',
      intro: 'There are no new accounts. These stay connected:',
    },
    submitAgain: 'Update the connection',
    known: 'Already connected',
    others: 'These accounts are not shared',
    notShared: 'you chose not to share it',
    notAsked: 'accounts of this kind were not asked for',
  },
  accounts: {
    title: 'Choose the accounts to share',
    intro: (client: string) => `${client} can read only those that you choose.`,
    ending: (mask: string) => `ending in ${mask}`,
    none: 'Choose at least one account',
    submit: 'Connect these accounts',
  },
  leaving: {
    linkAgain: 'Leave and change nothing',
    title: 'Do you want to leave?',
    text: (client: string) => `Nothing is connected, and ${client} gets no data.`,
    submit: 'Leave',
    stay: 'No, go back',
  },
  done: {
    title: 'Your accounts are connected',
    text: (client: string, institution: string): string =>
      institution === ''
        ? `${client} can now read these accounts:`
        : `${client} can now read these accounts at ${institution}:`,
    titleAgain: 'Your connection works again',
    textAgain: (client: string) => `${client} can read your accounts again.`,
    titleUpdated: 'Your connection is up to date',
    textUpdated: (client: string) => `${client} can read the new data of your accounts.`,
  },
  left: {
    title: 'You have left',
    text: (client: string) => `Nothing was connected. ${client} gets no data.`,
    textAgain: 'Your connection stays as it was.',
    again: 'To start over, open the link that brought you here.',
  },
  ...messages,
}
