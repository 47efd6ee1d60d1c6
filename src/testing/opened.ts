import type { Inbox } from './inbox.ts'

/** The inboxes of a service, which are closed with it. */
export interface Opened {
  /** @throws Error once the service was closed. */
  check(): void
  open(make: (onClose: (inbox: Inbox) => void) => Promise<Inbox>): Promise<Inbox>
  close(): Promise<void>
}

export function createOpened(): Opened {
  const inboxes = new Set<Inbox>()
  let isClosed = false
  const check = () => {
    if (isClosed) throw new Error('the service was closed')
  }
  return {
    check,
    async open(make) {
      check()
      const inbox = await make((closed) => inboxes.delete(closed))
      inboxes.add(inbox)
      // The service may have been closed meanwhile, without this one.
      if (isClosed) await inbox.close()
      check()
      return inbox
    },
    async close() {
      isClosed = true
      await Promise.all([...inboxes].map((inbox) => inbox.close()))
    },
  }
}
