import { onScopeDispose, type Ref, ref, watch } from 'vue'

/** Whether the service says when a list has changed. Where it does not, lists ask every few seconds. */
export const isTold = ref(false)

type Listener = () => void
const listeners = new Map<string, Set<Listener>>()

/** Calls a listener when a list has changed, as long as the component is there. */
export function onChange(topic: string, listener: Listener): void {
  const others = listeners.get(topic) ?? new Set()
  listeners.set(topic, others.add(listener))
  onScopeDispose(() => others.delete(listener))
}

/** What the tab with the stream tells the others. `hello` asks it whether there is one. */
type Message = 'hello' | 'open' | 'lost' | string[]

const againMs = 60_000

/** Listens to the changes of the client that is shown. */
export function listenToChanges(clientId: Readonly<Ref<string | null>>, scope: Ref<object>): void {
  let close: Listener = () => {}
  const stop = () => {
    close()
    isTold.value = false
  }
  watch(
    clientId,
    (id) => {
      stop()
      close = id === null ? () => {} : listen(id, new URLSearchParams({ ...scope.value }))
    },
    { immediate: true },
  )
  onScopeDispose(stop)
}

/**
 * One tab of the browser has the stream, and tells the others: browsers open few connections to one
 * host. The lock says which one, and another tab gets it when that one is closed.
 */
function listen(clientId: string, query: URLSearchParams): Listener {
  if (!('locks' in navigator)) return () => {}
  const name = `dashboard-changes ${clientId}`
  const channel = new BroadcastChannel(name)
  const ending = new AbortController()
  let source: EventSource | undefined
  let timer: number | undefined

  const tell = (message: Message): void => {
    channel.postMessage(message)
    hear(message)
  }
  function open(): void {
    source = new EventSource(`/dashboard/api/changes?${query}`)
    source.addEventListener('open', () => tell('open'))
    source.addEventListener('change', ({ data }) => tell(JSON.parse(data) as string[]))
    source.addEventListener('error', () => {
      tell('lost')
      // The browser tries again by itself unless the service has answered with an error.
      if (source?.readyState === EventSource.CLOSED) timer = window.setTimeout(open, againMs)
    })
  }
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    const isOpen = source?.readyState === EventSource.OPEN
    if (data !== 'hello') hear(data)
    else if (isOpen) channel.postMessage('open')
  })
  channel.postMessage('hello')
  const hold = () =>
    new Promise<void>((release) => {
      if (!ending.signal.aborted) open()
      ending.signal.addEventListener('abort', () => release())
    })
  navigator.locks.request(name, { signal: ending.signal }, hold).catch(() => {})
  return () => {
    window.clearTimeout(timer)
    source?.close()
    if (source) channel.postMessage('lost')
    ending.abort()
    channel.close()
  }
}

function hear(message: Message): void {
  if (message === 'open' || message === 'lost') isTold.value = message === 'open'
  if (typeof message === 'string' || document.hidden) return
  for (const topic of message) {
    for (const listener of listeners.get(topic) ?? []) listener()
  }
}
