import { useMutation, useQueryClient } from '@tanstack/vue-query'
import { ref } from 'vue'
import { inLabels, type Labels } from './labels.ts'
import { tell } from './toasts.ts'

interface ActionOptions<Input, Answer> {
  send(input: Input): Promise<Answer>
  /** What to say once it is done; nothing where the page shows it itself. */
  done?(answer: Answer, input: Input): string
  /** What is shown and may have changed, by the first part of its key. Left out, everything. */
  changes?: readonly string[]
  /** The labels of the form. */
  labels?: Labels
}

/** Something that the user does. What it changes is fetched again, and a problem is kept for the form. */
export function useAction<Input, Answer>(options: ActionOptions<Input, Answer>) {
  const { send, done, changes, labels } = options
  const cache = useQueryClient()
  const problem = ref<string | null>(null)
  const isChanged = (name: unknown): boolean =>
    changes === undefined ? name !== 'session' : changes.includes(String(name))
  const mutation = useMutation({
    mutationFn: send,
    // An answer may hold a secret.
    gcTime: 0,
    onMutate: () => {
      problem.value = null
    },
    onError: (error) => {
      problem.value = inLabels(error.message, labels)
    },
    // Also after a problem: what the page shows may not be what is there.
    onSettled: () =>
      cache.invalidateQueries({ predicate: ({ queryKey }) => isChanged(queryKey[0]) }),
  })

  /** Does it; the answer, or undefined where it failed. */
  async function run(input: Input): Promise<Answer | undefined> {
    if (mutation.isPending.value) return undefined
    try {
      const answer = await mutation.mutateAsync(input)
      // The page shows it by now.
      if (done) tell(done(answer, input))
      return answer
    } catch {
      return undefined
    }
  }

  return { run, problem, isPending: mutation.isPending }
}
