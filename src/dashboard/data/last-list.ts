import type { Router } from 'vue-router'

/** The addresses at which lists were last seen, with their filters. */
const lastSeen = new Map<string, string>()

/** Remembers the filters of each list, for the links that lead back to it. */
export function rememberLists(router: Router): void {
  router.afterEach(({ path, fullPath }) => {
    lastSeen.set(path, fullPath)
  })
}

/** A list as it was last seen. */
export const asLastSeen = (path: string): string => lastSeen.get(path) ?? path
