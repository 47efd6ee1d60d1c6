import type { AccountType, Product } from '#contract/closed.ts'

const products: Record<Product, string> = {
  assets: 'a report about balances and transactions of all accounts',
  auth: 'account and routing numbers',
  balance: 'current balances',
  balance_plus: 'current balances, and whether a payment is likely to succeed',
  beacon: 'checks against fraud',
  credit_details: 'details of credit accounts',
  cra_base_report: 'a consumer report',
  cra_cashflow_insights: 'figures about money coming in and going out',
  cra_income_insights: 'figures about your income',
  cra_lend_score: 'a score for loans',
  cra_monitoring: 'changes of your consumer report',
  cra_network_insights: 'figures about accounts that you connected elsewhere',
  cra_partner_insights: 'figures of partners about your consumer report',
  cra_service_credit_score: 'a credit score',
  employment: 'your employment',
  identity: 'name, address, email address and phone number of the account holder',
  identity_match: 'whether your name and address are those of the account holder',
  identity_verification: 'a check of your identity',
  income: 'your income',
  income_verification: 'a check of your income',
  investments: 'holdings and investment transactions',
  investments_auth: 'numbers of investment accounts',
  layer: 'what you have already told about yourself',
  liabilities: 'what you owe on loans and credit cards',
  pay_by_bank: 'payments from your account that you confirm',
  payment_initiation: 'payments that you confirm',
  processor_identity: 'the account holder, for a payment partner',
  processor_payments: 'account numbers, for a payment partner',
  profile: 'your profile',
  protect_linked_bank: 'checks against fraud for this account',
  recurring_transactions: 'payments that repeat',
  signal: 'the risk that a debit is returned',
  standing_orders: 'standing orders',
  statements: 'account statements',
  transactions: 'transactions',
  transactions_refresh: 'the newest transactions at once',
  transfer: 'transfers from and to your account',
}

const accountTypes: Record<AccountType, string> = {
  credit: 'credit',
  depository: 'bank account',
  investment: 'investment',
  loan: 'loan',
  other: 'other account',
  payroll: 'payroll',
}

/** The words of the hosted pages. Another language has the same keys. */
export const en = {
  code: 'en',
  products,
  accountTypes,
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
  },
  consent: {
    title: (client: string) => `Connect your accounts with ${client}`,
    asks: (client: string) => `${client} asks to read this data of the accounts that you choose:`,
    optional: 'And this data, if your institution offers it:',
    until: 'For how long?',
    untilEnd: (client: string) =>
      `Until you end the connection. Ask ${client} or your institution to do so at any time.`,
    history: (days: number) =>
      days === 1 ? 'Transactions go back 1 day.' : `Transactions go back up to ${days} days.`,
    agree: 'Agree and continue',
  },
  institution: {
    title: 'Choose your institution',
    label: 'Name of your bank or other institution',
    search: 'Search',
    first: 'The first institutions by name: search for others',
    found: (count: number) => (count === 1 ? '1 institution found' : `${count} institutions found`),
    none: 'No institution with this name offers the data that is asked for. Check the spelling, or search for a part of the name.',
    nothing:
      'No institution offers the data that is asked for. Leave, and tell the application that sent you here.',
    missing: 'Choose an institution of the list',
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
    sent: (institution: string) => `${institution} asks for a second proof that it is you.`,
    invented: (code: string) => `In the sandbox the code is ${code}.`,
    label: 'One-time code',
    noCode: 'Enter the code',
    wrong: 'The code is wrong. Check it, and try again.',
  },
  accounts: {
    title: 'Choose the accounts to share',
    intro: (client: string) => `${client} can read only those that you choose.`,
    ending: (mask: string) => `ending in ${mask}`,
    none: 'Choose at least one account',
    submit: 'Connect these accounts',
  },
  leaving: {
    title: 'Do you want to leave?',
    text: (client: string) => `Nothing is connected, and ${client} gets no data.`,
    submit: 'Leave',
    stay: 'No, go back',
  },
  done: {
    title: 'Your accounts are connected',
    text: (client: string, institution: string) =>
      `${client} can now read these accounts at ${institution}:`,
    titleAgain: 'Your connection works again',
    textAgain: (client: string) => `${client} can read your accounts again.`,
  },
  left: {
    title: 'You have left',
    text: (client: string) => `Nothing was connected. ${client} gets no data.`,
    textAgain: 'Your connection is as it was before.',
    again: 'To begin again, open the link again that brought you here.',
  },
  stale: {
    title: 'This page is out of date',
    text: 'You have already sent it, or went on in another tab. Nothing was done twice.',
    go: 'Go to the current page',
  },
  elsewhere: {
    title: 'This connection goes on in another browser',
    text: 'Continue in the browser or tab where you began. If that is no longer there, open the link again that brought you here.',
  },
  begun: {
    title: 'This link is open in another browser',
    text: 'Continue there, or begin again here. If you begin again, the page in the other browser ends.',
    titleLeft: 'You have left before',
    textLeft: 'Nothing was connected. You can begin again.',
    submit: 'Begin again here',
  },
  used: {
    title: 'This link has been used',
    text: (client: string) =>
      `Your accounts are connected. To connect others, ask ${client} for a new link.`,
  },
  tooOften: {
    title: 'This link was opened too often',
    text: (client: string) => `Ask ${client} for a new link.`,
  },
  expired: {
    title: 'Your time here is over',
    text: 'Nothing was connected. Go back to the application that sent you here, and ask for a new link.',
  },
  gone: {
    title: 'This connection is no longer possible',
    text: 'The connection or the institution was removed in the meantime. Go back to the application that sent you here, and ask for a new link.',
  },
  unknown: {
    title: 'This link does not work',
    text: 'Ask the application that sent it to you for another one, since links end after some time.',
  },
  foreign: {
    title: 'This form came from another page',
    text: 'Nothing was done. Open the link again that brought you here, and continue there.',
  },
  notBuilt: {
    title: 'Link your account',
    text: 'This service has no page yet on which you can link your account.',
    textIdentity: 'This service has no page yet on which you can verify your identity.',
  },
  busy: {
    title: 'The service is busy',
    text: 'Nothing is lost. Wait a minute, then load this page again.',
  },
  tooLarge: {
    title: 'The form is too large',
    text: 'Nothing was done. Go back, shorten what you entered, and send it again.',
  },
  failure: {
    title: 'Something went wrong',
    text: 'The service has noted the error. Open the link again that brought you here, and continue there.',
  },
}
