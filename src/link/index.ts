/** An account that the user shares. */
export interface LinkAccount {
  id: string
  name: string
  mask: string | null
  type: string
  subtype: string | null
}

/** The institution that the user chose. */
export interface LinkInstitution {
  institution_id: string
  name: string
}

/** Why the user could not link. */
export interface LinkError {
  error_type: string
  error_code: string
  error_message: string
  display_message: string | null
}

/** What is known when the user has linked. */
export interface LinkSuccessMetadata {
  link_session_id: string
  institution: LinkInstitution | null
  accounts: LinkAccount[]
}

/** What is known when the user has left. The session is null where no page has told of one. */
export interface LinkExitMetadata {
  link_session_id: string | null
  institution: LinkInstitution | null
}

/** What is known about an event. */
export interface LinkEventMetadata {
  link_session_id: string
  timestamp: string
  institution_id?: string
  institution_name?: string
  error_code?: string
}

/** How a page links an Item. */
export interface LinkOptions {
  /** The link token. */
  token: string
  /** Its `hosted_link_url`. */
  url: string
  /** Gets the public token; null after the update flow, which keeps the access token. */
  onSuccess(publicToken: string | null, metadata: LinkSuccessMetadata): void
  /** Gets the error that stopped the user; null where the user left without one. */
  onExit?(error: LinkError | null, metadata: LinkExitMetadata): void
  /** Gets each event of the session: `OPEN`, `SELECT_INSTITUTION`, `HANDOFF`, `EXIT` and others. */
  onEvent?(eventName: string, metadata: LinkEventMetadata): void
}

/** Opens and closes the hosted pages. */
export interface LinkHandler {
  /** Opens the pages in a window of their own. Where windows are blocked, this page goes there. */
  open(): void
  /** Closes the window. `onExit` is called. */
  exit(): void
  /** Closes the window. Nothing is called any more. */
  destroy(): void
}

interface Session {
  link_session_id: string
  finished_at: string | null
  events: {
    event_name: string
    timestamp: string
    event_metadata: Omit<LinkEventMetadata, 'link_session_id' | 'timestamp'>
  }[]
  exit: { error: LinkError | null; metadata: { institution: LinkInstitution | null } } | null
  results: {
    item_add_results: {
      public_token: string
      institution: LinkInstitution | null
      accounts: LinkAccount[]
    }[]
  } | null
}

const checkMs = 300

/**
 * Links an Item on the hosted pages, in a window of their own. The pages tell only the origin of
 * the link token's `completion_redirect_uri`, so that must be the origin of the calling page.
 *
 * @example
 * ```ts
 * import { createLink } from 'financial-data-service/link'
 *
 * export const connect = (token: string, url: string) =>
 *   createLink({ token, url, onSuccess: (publicToken) => console.log(publicToken) }).open()
 * ```
 */
export function createLink(options: LinkOptions): LinkHandler {
  const { token, url, onSuccess, onExit, onEvent } = options
  const { origin } = new URL(url)
  let pages: Window | null = null
  let timer: ReturnType<typeof setInterval> | undefined
  let session: Session | undefined
  let told = 0

  function stop(): void {
    clearInterval(timer)
    removeEventListener('message', receive)
    pages?.close()
    pages = null
  }

  function leave(): void {
    if (!pages) return
    stop()
    onExit?.(null, { link_session_id: session?.link_session_id ?? null, institution: null })
  }

  function receive({ origin: from, source, data }: MessageEvent): void {
    if (from !== origin || source !== pages || data?.source !== 'financial-data-service-link')
      return
    const next = data.session as Session
    if (next.link_session_id !== session?.link_session_id) told = 0
    session = next
    const { link_session_id, events } = next
    const untold = events.slice(told)
    told = events.length
    for (const { event_name, timestamp, event_metadata } of untold) {
      onEvent?.(event_name, { ...event_metadata, timestamp, link_session_id })
    }
    if (next.finished_at !== null && pages) finish(next)
  }

  function finish({ link_session_id, exit, results }: Session): void {
    stop()
    if (exit) {
      onExit?.(exit.error, { link_session_id, institution: exit.metadata.institution })
      return
    }
    const [added] = results?.item_add_results ?? []
    const { public_token = null, institution = null, accounts = [] } = added ?? {}
    onSuccess(public_token, { link_session_id, institution, accounts })
  }

  return {
    open() {
      if (pages && !pages.closed) return pages.focus()
      stop()
      session = undefined
      told = 0
      addEventListener('message', receive)
      // One window for a link token, however often the user presses the button.
      pages = window.open(url, token)
      if (!pages) {
        stop()
        location.assign(url)
        return
      }
      timer = setInterval(() => pages?.closed && leave(), checkMs)
    },
    exit: leave,
    destroy: stop,
  }
}
