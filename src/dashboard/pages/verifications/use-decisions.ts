import { useMutation, useQueryClient } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, ref, toValue } from 'vue'
import { answerOf, api, type Schemas } from '../../data/api.ts'
import { inLabels } from '../../data/labels.ts'
import { Problem } from '../../data/problem.ts'
import { useSession } from '../../data/session.ts'
import { tellChange } from './conflict.ts'
import { type StepName, stepWords, wordsOf } from './words.ts'

/** What a reviewer is about to decide. */
export type Asked = { kind: 'approve' | 'reject'; step: StepName } | { kind: 'cancel' | 'retry' }

export const verbs: Record<Asked['kind'], string> = {
  approve: 'Approve step',
  reject: 'Reject step',
  cancel: 'Cancel attempt',
  retry: 'Create retry',
}

const labels = { step: 'Step', reason: 'Reason', identity_verification_id: 'The attempt' }

/** What came of the last decision. */
export interface Outcome {
  isRejected: boolean
  text: string
}

/** Sends decisions about an attempt, and says what came of them. */
export function useDecisions(
  found: MaybeRefOrGetter<Schemas['DashboardVerificationGetResponse'] | undefined>,
  after: (outcome: Outcome, retryId: string | undefined) => void,
) {
  const { scope } = useSession()
  const cache = useQueryClient()
  const problem = ref<string | null>(null)

  const mutation = useMutation({
    mutationFn: ({ asked, reason }: { asked: Asked; reason: string }) => send(asked, reason),
    onMutate: () => {
      problem.value = null
    },
    async onSuccess(done) {
      await refresh()
      after({ isRejected: false, text: done.text }, done.retryId)
    },
    async onError(error) {
      if (!(error instanceof Problem) || error.code !== 'VERIFICATION_CHANGED') {
        problem.value = inLabels(error.message, labels)
        return
      }
      const before = toValue(found)
      await refresh()
      after({ isRejected: true, text: tellChange(before, toValue(found)) }, undefined)
    },
  })

  async function refresh(): Promise<void> {
    await cache.invalidateQueries({ queryKey: ['verification'] })
    await cache.invalidateQueries({ queryKey: ['verifications'] })
  }

  async function send(asked: Asked, reason: string): Promise<{ text: string; retryId?: string }> {
    const shown = toValue(found)
    if (!shown) throw new Error('Only an attempt that is shown can be decided.')
    const { verification, revision } = shown
    const identity_verification_id = verification.id
    const body = { ...scope.value, identity_verification_id, revision, reason }
    if ('step' in asked) {
      const { kind: decision, step } = asked
      const { status } = await answerOf(
        api.POST('/dashboard/api/verification/decide_step', { body: { ...body, step, decision } }),
      )
      const done = decision === 'approve' ? 'approved' : 'rejected'
      return {
        text: `You ${done} the step "${stepWords[step]}". The status of the attempt is "${wordsOf(status)}" now.`,
      }
    }
    if (asked.kind === 'retry') {
      const made = await answerOf(api.POST('/dashboard/api/verification/retry', { body }))
      return { text: 'A retry was created.', retryId: made.identity_verification_id }
    }
    await answerOf(api.POST('/dashboard/api/verification/cancel', { body }))
    return { text: 'The attempt was canceled.' }
  }

  return { problem, isPending: mutation.isPending, decide: mutation.mutate }
}
