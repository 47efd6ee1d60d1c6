/** The pages that say what happened, and what to do. */
export const messages = {
  stale: {
    title: 'This page is out of date',
    text: 'You have already sent it, or went on in another tab. Nothing was done twice.',
    go: 'Go to the current page',
  },
  strayed: {
    title: 'This page was already used',
    text: 'You came back from your institution before, or began again since then. Nothing was done twice. Continue where you are now.',
    go: 'Continue',
  },
  returnUnknown: {
    title: 'This address is not complete',
    text: 'Nothing was done. Open the link again that brought you to this service, and continue there.',
  },
  elsewhere: {
    title: 'This connection goes on in another browser',
    text: 'Continue in the browser or tab where you began. If that is no longer there, open the link again that brought you here.',
  },
  lost: {
    title: 'This page is no longer open',
    text: 'The connection was begun again in another browser, or was removed. Open the link again that brought you here. If it does not work, ask for a new one.',
  },
  taken: {
    title: 'You continued in another browser',
    text: 'This page has ended, and nothing was connected here. Continue in the other browser. To continue here, open the link again that brought you here.',
  },
  tooManyForms: {
    title: 'This page has ended',
    text: 'It was sent too often. Nothing was connected. To start over, open the link again that brought you here.',
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
    text: 'Links work only for some time. Ask the application that sent it to you for a new one.',
  },
  foreign: {
    title: 'This form came from another page',
    text: 'Nothing was done. Open the link again that brought you here, and continue there.',
  },
  busy: {
    title: 'The service is busy',
    text: 'Nothing is lost. Wait a minute, then load this page again.',
  },
  tooLarge: {
    title: 'The form is too large',
    text: 'Nothing was done. Go back, shorten what you entered, and send it again.',
  },
  rejected: {
    title: 'This does not work',
    text: 'Nothing was done. Open the link again that brought you here, and continue there.',
  },
  failure: {
    title: 'Something went wrong',
    text: 'The service has noted the error. Open the link again that brought you here, and continue there.',
  },
}
