import { computed, reactive, type WritableComputedRef } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { momentOf } from './words.ts'

/** A value that is kept in the address. Empty texts leave it out. */
export function useQueryText(name: string): WritableComputedRef<string> {
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

/** A filter of a list: its text, what the text stands for, and why it cannot be used. */
export interface Filter<Value = unknown> {
  text: string
  readonly value: Value | undefined
  readonly problem: string | undefined
}

/** A filter whose text stands for a value. `read` returns undefined where it stands for none. */
export function useReadFilter<Value>(
  name: string,
  read: (text: string) => Value | undefined,
  problem: string | ((text: string) => string),
): Filter<Value> {
  const text = useQueryText(name)
  const value = computed(() => (text.value === '' ? undefined : read(text.value)))
  const isWrong = computed(() => text.value !== '' && value.value === undefined)
  const words = () => (typeof problem === 'string' ? problem : problem(text.value))
  const found = computed(() => (isWrong.value ? words() : undefined))
  return reactive({ text, value, problem: found }) as Filter<Value>
}

/** A filter that takes any text. */
export const useTextFilter = (name: string): Filter<string> =>
  useReadFilter(name, (text) => text, '')

/** A filter that takes one of some values. */
export const useChoiceFilter = <Value extends string>(
  name: string,
  options: readonly Value[],
): Filter<Value> =>
  useReadFilter(
    name,
    (text) => options.find((one) => one === text),
    'Choose one of the values in the list.',
  )

/** A filter that takes a day and a time. */
export const useMomentFilter = (name: string): Filter<string> =>
  useReadFilter(name, momentOf, 'Enter a day and a time.')

/** Whether any filter of a list is set, and whether all of them can be used. */
export const useFilters = (filters: readonly Filter[]) => ({
  isFiltered: computed(() => filters.some(({ text }) => text !== '')),
  isUsable: computed(() => filters.every(({ problem }) => problem === undefined)),
})

/** The fields that have a value, as a request wants them. */
export function given<Fields extends Record<string, unknown>>(fields: Fields) {
  const entries = Object.entries(fields).filter(([, value]) => value !== '' && value !== undefined)
  return Object.fromEntries(entries) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], '' | undefined>
  }
}
