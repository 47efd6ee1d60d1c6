import type { DocumentKind } from '../../../identity-verification/evidence.ts'
import { en as link } from '../../texts/en.ts'
import { messages } from './messages-en.ts'
import { numberNamesEn as numberNames } from './number-names.ts'

const documents: Record<DocumentKind, string> = {
  passport: 'Passport',
  drivers_license: "Driver's license",
  id_card: 'Identity card',
  residence_permit_card: 'Residence permit',
}

const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })

/** The words of the page on which a person proves who they are. Another language has the same keys. */
export const en = {
  code: 'en',
  documents,
  application: 'the application',
  shared: {
    ...link.shared,
    sandboxAdvice:
      'Nothing here is real. Do not enter real data, and do not send real documents or pictures of people.',
    leave: 'Leave and continue later',
    runBy: (host: string, client: string) =>
      `The service at ${host} runs this page for ${client}. It stores what you enter, and gives it to ${client}.`,
  },
  invented: {
    title: 'For your tests',
    names: 'These family names decide what happens:',
    codes: (code: string) => `No message is sent. The code is ${code}.`,
    unreachable: (number: string) => `A message cannot be delivered to ${number}.`,
    samples: 'Use a sample in place of a picture',
    outcomes: {
      kyc_check: {
        failed: 'your data does not match the records',
        pending_review: 'a reviewer looks at your data',
        expired: 'the verification expires',
      },
      watchlist_screening: { pending_review: 'the name is on a watchlist' },
      risk_check: { failed: 'the risk is too high' },
    },
    sampleNames: {
      document: 'A clear picture: it is accepted',
      document_back: 'A clear picture of the back: it is accepted',
      document_blurred: 'A blurred picture: you are asked again, and the third one fails',
      document_failed: 'A forgery: it is rejected',
      document_review: 'A doubtful picture: a reviewer looks at it',
      selfie: 'A clear picture: it is accepted',
      selfie_failed: 'The face of somebody else: it is rejected',
      selfie_review: 'A doubtful picture: a reviewer looks at it',
    },
  },
  terms: {
    title: (client: string) => `Verify your identity for ${client}`,
    asks: (client: string) =>
      `This page leads you through a few questions. Your answers tell ${client} who you are.`,
    steps: 'What you will be asked for',
    kinds: {
      verify_sms: 'a code that is sent to your phone',
      kyc_check:
        'your name, date of birth, address and an official number, as far as they are not known',
      documentary_verification: 'pictures of an official document',
      selfie_check: 'a picture of your face',
      watchlist_screening: 'your name is compared with public watchlists',
      risk_check: 'your connection and your contact data are checked for signs of fraud',
    },
    behind: 'What is checked in addition',
    use: (client: string) =>
      `The service uses your data for this check only, and gives the data and the result to ${client}.`,
    agree: 'Agree and continue',
  },
  phone: {
    title: 'Confirm your phone number',
    text: 'You get a text message with a code of six digits.',
    known: (end: string) => `The message goes to your number that ends in ${end}.`,
    label: 'Mobile phone number',
    hint: 'Begin with the country code, such as +1 415 555 0142',
    send: 'Send the code',
    missing: 'Enter your phone number',
    wrong: 'Enter the number with its country code, such as +1 415 555 0142',
    unreachable: 'No message can be delivered to this number. Check it, or enter another one.',
    later: 'Too many messages were sent. Wait an hour, and try again.',
    tried: 'The code was wrong three times, and no longer works. Send a new code.',
  },
  sms: {
    title: 'Enter the code',
    sent: (end: string) => `The message was sent to the number that ends in ${end}.`,
    ends: 'The code works for ten minutes, and can be tried three times.',
    label: 'Code of six digits',
    missing: 'Enter the code of the message',
    noCode: 'Enter the six digits of the code. This did not count as a try.',
    wrong: (left: number): string =>
      left === 1
        ? 'The code is wrong. You can try it one more time.'
        : `The code is wrong. You can try it ${left} more times.`,
    expired: 'The code is more than ten minutes old. Send a new one.',
    again: 'Send a new code',
    none: 'No message has arrived?',
  },
  name: {
    title: 'What is your name?',
    hint: 'As it stands in your official documents.',
    given: 'Given names',
    family: 'Family name',
    noGiven: 'Enter your given names',
    noFamily: 'Enter your family name',
  },
  birth: {
    title: 'When were you born?',
    hint: 'For example 27 3 1985',
    day: 'Day',
    month: 'Month',
    year: 'Year',
    legend: 'Date of birth',
    missing: 'Enter day, month and year of your birth',
    wrong: {
      day: 'Enter the day as a number from 1 to 31',
      month: 'Enter the month as a number from 1 to 12, such as 3 for March',
      year: 'Enter the year with four digits, such as 1985',
    },
    noDay: 'There is no such day. Check day, month and year',
    future: 'Enter a day in the past',
    old: 'Check the year: it is more than 120 years ago',
  },
  country: {
    title: 'In which country do you live?',
    label: 'Country',
    choose: 'Choose',
    missing: 'Choose your country',
  },
  address: {
    title: 'What is your home address?',
    country: (name: string) => `Country: ${name}`,
    street: 'Street and house number',
    street2: 'Apartment or floor (optional)',
    city: 'City or town',
    region: 'State',
    regionHint: 'Two letters, such as OR for Oregon',
    regionOptional: 'State or province (optional)',
    regionOptionalHint:
      'Its code of one to three letters or digits, if your country has such codes',
    postal: 'ZIP code',
    postalHint: 'Five digits',
    postalRequired: 'Postal code',
    postalOptional: 'Postal code (optional)',
    missing: {
      street: 'Enter street and house number',
      city: 'Enter the city or town',
      postal_code: 'Enter the postal code',
    },
    wrongInUs: {
      region: 'Enter the two letters of the state or territory, such as OR for Oregon',
      postal_code: 'Enter the five digits of the ZIP code',
    },
    wrong: {
      street: 'Enter street and house number, with at least one letter and at most 80 characters',
      street2: 'Enter at most 50 characters',
      city: 'Enter the city or town, with at least one letter',
      region: 'Enter the code of the state or province: one to three letters or digits',
      postal_code: 'Enter the postal code. It has 2 to 10 letters and digits',
    },
  },
  number: {
    title: 'Your official number',
    text: 'Enter one of the numbers that this country has given you.',
    kind: 'Which number do you enter?',
    label: 'Number',
    hint: 'You can leave out spaces and hyphens.',
    none: 'I have no such number',
    missing: 'Enter the number',
    noKind: 'Choose which number you enter',
    wrong: 'This number does not have the right form. Check it.',
    types: numberNames,
  },
  answers: {
    title: 'Check your answers',
    text: 'After you send them, you can no longer change them.',
    edit: 'Change',
    change: (what: string) => `Change: ${what}`,
    labels: {
      name: 'Name',
      birth: 'Date of birth',
      country: 'Country',
      address: 'Address',
      number: 'Official number',
    },
    noNumber: 'None',
    numberEnding: (end: string) => `Ends in ${end}`,
    send: 'Send my answers',
    contact: { phone: 'Phone number', email: 'E-mail address' },
    known: 'Already known',
    knownText: (client: string) =>
      `You need not enter this again, and it is checked as well. It is shown in part only. If something is wrong, tell ${client}.`,
    bornIn: (year: string) => `In ${year}`,
    day: (date: string): string => day.format(new Date(date)),
  },
  document: {
    title: 'Which document do you have at hand?',
    instead: 'Your data could not be confirmed. A document can confirm it.',
    text: 'It must be valid, and all four corners must be visible in the picture.',
    label: 'Kind of document',
    country: 'Country that issued it',
    missing: 'Choose a document',
    noCountry: 'Choose the country',
  },
  picture: {
    front: (document: string) => `Front of your document: ${document}`,
    back: (document: string) => `Back of your document: ${document}`,
    passport: 'Page of your passport with your picture',
    selfie: 'A picture of your face',
    advice: 'Put it on a dark, even surface. Avoid reflections. Every word must be readable.',
    selfieAdvice:
      'Look into the camera, in good light, without sunglasses or a hat. Nobody else must be in the picture.',
    camera: 'Take a picture',
    file: 'Choose a picture',
    hint: 'JPEG or PNG, 8 MB at most',
    send: 'Send the picture',
    useSample: 'Use the sample',
    missing: 'Choose a picture',
    noSample: 'Choose a sample',
    left: (left: number): string =>
      left === 1 ? 'This is your last try.' : `You have ${left} tries.`,
    problems: {
      empty: 'The file is empty. Choose another picture.',
      too_large: 'The picture is larger than 8 MB. Take a smaller one.',
      wrong_type: 'This is neither a JPEG nor a PNG picture. Choose another one.',
      broken: 'The picture is damaged or did not arrive completely. Send it again.',
      too_many_pixels: 'The picture has too many pixels. Take one with a lower resolution.',
      too_small: 'The picture is too small to read. Take one with a higher resolution.',
    },
    flaws: {
      blurred: 'The last picture is blurred. Hold the camera still, and send another one.',
      glaring: 'The last picture has reflections. Change the light, and send another one.',
      unreadable: 'Nothing could be read in the last picture. Send another one.',
    },
  },
  waiting: {
    title: 'Your data is being checked',
    text: 'This page renews itself every few seconds. If you close it, the check goes on.',
    steps: {
      verify_sms: 'The phone number is being checked.',
      kyc_check: 'Your data is being compared with records.',
      documentary_verification: 'Your document is being checked.',
      selfie_check: 'Your picture is being compared.',
      watchlist_screening: 'Your name is being compared with watchlists.',
      risk_check: 'Your connection and your contact data are being checked.',
    },
    look: 'Look again',
  },
  leaving: {
    title: 'Leave for now?',
    text: 'Finished steps are kept. What you have not sent is deleted. To continue, open the link again that brought you here.',
    stay: 'Stay',
    submit: 'Leave',
  },
  ...messages,
}
