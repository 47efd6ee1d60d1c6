import type { Settings } from '../kernel/context.ts'
import type { Service } from '../kernel/service.ts'
import { createFailure } from './failure-pages.ts'
import type { Answering, HostedPages, VerifyPages } from './page-request.ts'
import { createFailure as createVerifyFailure } from './verify/failure-pages.ts'
import type { Ways } from './visit.ts'

// Few processes show any of these pages. So their code, and what only they need, is loaded when the
// first of them is asked for.

/** The pages of link tokens. */
export function createHostedPages(service: Service, findWays: () => Promise<Ways>): HostedPages {
  const pages = once(async (): Promise<Answering<HostedPages>> => {
    const [{ createLinkPages }, ways] = await Promise.all([import('./link-pages.ts'), findWays()])
    return createLinkPages(service, ways)
  })
  return {
    open: async (...asked) => (await pages()).open(...asked),
    step: async (...asked) => (await pages()).step(...asked),
    comeBack: async (...asked) => (await pages()).comeBack(...asked),
    website: async (...asked) => (await pages()).website(...asked),
    failure: createFailure(isSandbox(service)),
  }
}

/** The pages of identity verifications. */
export function createVerifyPages(service: Service): VerifyPages {
  const pages = once(async (): Promise<Answering<VerifyPages>> => {
    const loaded = await import('./verify/verify-pages.ts')
    return loaded.createVerifyPages(service)
  })
  return {
    open: async (...asked) => (await pages()).open(...asked),
    page: async (...asked) => (await pages()).page(...asked),
    failure: createVerifyFailure(isSandbox(service)),
  }
}

const isSandbox = ({ settings }: { settings: Settings }) => settings.environment === 'sandbox'

/** What is loaded once. After a failure, as where too many files are open, the next call tries again. */
function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined
  return () => {
    loaded ??= load().catch((error) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}
