/** What every hook gets about the attempt; never a credential, a header or a body. */
export interface AttemptEvent {
  operationId: string
  /** 1 for the first attempt. */
  attempt: number
}

/** What a hook gets about an attempt that has ended. */
export interface AnswerEvent extends AttemptEvent {
  /** The HTTP status, or undefined when no answer came. */
  status: number | undefined
  request_id: string | undefined
  error_code: string | undefined
  /** Milliseconds from the request to the last byte of the answer. */
  duration: number
}

/** What is told before the client waits and tries again. */
export interface RetryEvent extends AttemptEvent {
  /** The HTTP status that is the reason, or undefined when no answer came. */
  status: number | undefined
  /** Milliseconds until the next attempt. */
  delay: number
}

/** Functions that are called for each attempt, for logs and traces. What they throw is ignored. */
export interface Hooks {
  onRequest?: ((event: AttemptEvent) => unknown) | undefined
  onResponse?: ((event: AnswerEvent) => unknown) | undefined
  onRetry?: ((event: RetryEvent) => unknown) | undefined
}

/** Tells one hook; a failure of its own, now or later, must not become the call's. */
export function tell<Event>(hook: ((event: Event) => unknown) | undefined, event: Event): void {
  if (hook) (async () => hook(event))().catch(() => {})
}
