/** The pages that say what happened, and what to do. */
export const messages = {
  success: {
    title: 'Your identity is verified',
    text: (client: string) => `You are done, and ${client} gets the result.`,
  },
  pending_review: {
    title: 'Your data is being reviewed',
    text: (client: string) =>
      `A person looks at what you sent. You hear the result from ${client}. If something is missing, this link works again.`,
  },
  failed: {
    title: 'Your identity could not be verified',
    text: (client: string) => `You can do nothing more here. Ask ${client} what to do next.`,
  },
  expired: {
    title: 'This verification has expired',
    text: (client: string) => `Ask ${client} for a new link.`,
  },
  canceled: {
    title: 'This verification was canceled',
    text: (client: string) => `You can do nothing more here. Ask ${client} what to do next.`,
  },
  retried: {
    title: 'A new verification has begun',
    text: (client: string) =>
      `This link is out of date. Verify your identity for ${client} once more.`,
    go: 'Go to the new verification',
    ask: (client: string) => `Ask ${client} for the new link.`,
  },
  left: {
    title: 'You have left',
    text: 'Finished steps are kept. To continue, open the link again that brought you here.',
  },
  taken: {
    title: 'You continued in another browser',
    text: (client: string) =>
      `Continue in the other browser. To continue here, open the link again that brought you here. If that was not you, tell ${client}.`,
  },
  full: {
    title: 'This page has ended',
    text: 'It was sent too often. Wait, and open the link again that brought you here.',
  },
  begun: {
    title: 'This link is open in another browser',
    text: 'Continue there, or continue here. If you continue here, the page in the other browser ends. What was entered there and not sent is deleted.',
    submit: 'Continue here',
  },
  tooOften: {
    title: 'This link was opened too often',
    text: (client: string) => `Ask ${client} for a new link.`,
  },
  over: {
    title: 'Your time on this page is over',
    text: 'Finished steps are kept. To continue, open the link again that brought you here.',
  },
  lost: {
    title: 'This page is no longer open',
    text: 'It was opened in another browser, or removed. Open the link again that brought you here.',
  },
  elsewhere: {
    title: 'This verification goes on in another browser',
    text: 'Continue in the browser or tab where you began. If that is no longer there, open the link again that brought you here.',
  },
  stale: {
    title: 'This page is out of date',
    text: 'You have already sent it, or went on in another tab. Nothing was done twice.',
    go: 'Go to the current page',
  },
  unknown: {
    title: 'This link does not work',
    text: 'Check that the address is complete. If it is, ask the application that sent it to you for a new one.',
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
    text: 'Nothing was done. Go back, and send less.',
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
