import { MutationCache, QueryCache, QueryClient } from '@tanstack/vue-query'
import { Problem } from './problem.ts'

type Listener = () => void
let whenSignedOut: Listener = () => {}

/** Sets what happens when the service says that the session has ended. */
export function onSignedOut(listener: Listener): void {
  whenSignedOut = listener
}

function watchSession(error: unknown): void {
  if (error instanceof Problem && error.code === 'SIGN_IN_REQUIRED') whenSignedOut()
}

/** A call is repeated only where the service did not answer, or was too busy. */
const isWorthRepeating = (count: number, error: unknown): boolean =>
  error instanceof Problem && [0, 429, 503].includes(error.status) && count < 2

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: watchSession }),
  mutationCache: new MutationCache({ onError: watchSession }),
  defaultOptions: {
    queries: { retry: isWorthRepeating, staleTime: 5000 },
  },
})
