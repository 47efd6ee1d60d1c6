import { type ComputedRef, computed, onScopeDispose, ref } from 'vue'
import { useSession } from './session.ts'

const tickMs = 10_000

const realNow = ref(Date.now())
let users = 0
let timer: ReturnType<typeof setInterval> | undefined

/** The real time, as long as somebody uses it. */
function useRealNow(): typeof realNow {
  users += 1
  realNow.value = Date.now()
  timer ??= setInterval(() => {
    realNow.value = Date.now()
  }, tickMs)
  onScopeDispose(() => {
    users -= 1
    if (users > 0) return
    clearInterval(timer)
    timer = undefined
  })
  return realNow
}

/** The time by the clock of the client, which a sandbox may have advanced. */
export function useClientNow(): ComputedRef<number> {
  const now = useRealNow()
  const { client } = useSession()
  const ahead = computed(() => (client.value ? Date.parse(client.value.now) - Date.now() : 0))
  // A browser that is a second or two off is no advanced clock.
  const shift = computed(() => (Math.abs(ahead.value) < 120_000 ? 0 : ahead.value))
  return computed(() => now.value + shift.value)
}

export const useNow = (): ComputedRef<number> => {
  const now = useRealNow()
  return computed(() => now.value)
}
