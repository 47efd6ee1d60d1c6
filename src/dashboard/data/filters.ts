import { computed, type WritableComputedRef } from 'vue'
import { useRoute, useRouter } from 'vue-router'

/** A filter that is kept in the address. Empty texts leave it out. */
export function useFilter(name: string): WritableComputedRef<string> {
  const route = useRoute()
  const router = useRouter()
  return computed({
    get: () => {
      const value = route.query[name]
      return typeof value === 'string' ? value : ''
    },
    set: (value) => {
      const { [name]: _, ...others } = route.query
      const query = value === '' ? others : { ...others, [name]: value }
      void router.replace({ query })
    },
  })
}

/** The fields that have a value, as a request wants them. */
export function given<Fields extends Record<string, unknown>>(fields: Fields) {
  const entries = Object.entries(fields).filter(([, value]) => value !== '' && value !== undefined)
  return Object.fromEntries(entries) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], '' | undefined>
  }
}
