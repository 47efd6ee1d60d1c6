import { afterAll, beforeAll, beforeEach, inject } from 'vitest'

// The tests of a file share a service: one test reads what another one, or a hook, made the service
// cache or store. Stryker knows only the tests that run a line themselves. So every test of a file
// counts as covering what any of them, or a hook, runs.

type Hits = Record<string, number>

interface Stryker {
  currentTestId?: string
  mutantCoverage?: { static: Hits; perTest: Record<string, Hits> }
}

declare module 'vitest' {
  interface ProvidedContext {
    globalNamespace: string
    mode: 'dry-run' | 'mutant'
  }
}

const stryker = (): Stryker => Reflect.get(globalThis, inject('globalNamespace'))

if (inject('mode') === 'dry-run') {
  const tests: string[] = []
  let loaded: Hits = {}

  // Whatever ran until then ran while the file was imported.
  beforeAll(() => {
    loaded = { ...stryker().mutantCoverage?.static }
  })
  beforeEach(() => {
    tests.push(stryker().currentTestId ?? '')
  })
  afterAll(() => {
    const { mutantCoverage } = stryker()
    if (!mutantCoverage) return
    const { static: outside, perTest } = mutantCoverage
    const inHooks = Object.keys(outside).filter((id) => outside[id] !== loaded[id])
    const inTests = tests.flatMap((test) => Object.keys(perTest[test] ?? {}))
    for (const test of tests) {
      const hits = perTest[test] ?? {}
      for (const id of new Set([...inHooks, ...inTests])) hits[id] ??= 1
      perTest[test] = hits
    }
  })
}
