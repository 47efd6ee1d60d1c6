/** Lets work in as long as it is open, and knows when nobody is inside. */
export interface Gate {
  /** Runs `work` inside; while the gate is closed it waits outside. */
  pass<Result>(work: () => Promise<Result>): Promise<Result>
  close(): void
  open(): void
  /** Resolves once nobody is inside; meant for a closed gate. */
  empty(): Promise<void>
}

export function createGate(): Gate {
  let inside = 0
  let opened: PromiseWithResolvers<void> | undefined
  let emptied: PromiseWithResolvers<void> | undefined
  return {
    async pass(work) {
      while (opened) await opened.promise
      inside += 1
      try {
        return await work()
      } finally {
        inside -= 1
        if (inside === 0) emptied?.resolve()
      }
    },
    close() {
      opened ??= Promise.withResolvers()
    },
    open() {
      opened?.resolve()
      opened = undefined
    },
    async empty() {
      if (inside === 0) return
      emptied ??= Promise.withResolvers()
      await emptied.promise
      emptied = undefined
    },
  }
}
