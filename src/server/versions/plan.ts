import { isListText, readList } from '../kernel/list-text.ts'
import type { Change, Edit, Places } from './difference.ts'

/** The edits of a body as a tree along its places, so that one walk makes them all. */
export interface Plan {
  edit?: Edit
  /** By field; `[]` stands for the elements of a list, `*` for the values of a map. */
  below: Map<string, Plan>
  /** The fields that are put beside the others. */
  added: [name: string, value: unknown][]
}

const emptyPlan = (): Plan => ({ below: new Map(), added: [] })

/** Joins the changes of components at their places. */
export function toPlan(places: Places, changes: Readonly<Record<string, Change>>): Plan {
  const plan = emptyPlan()
  for (const [component, stands] of Object.entries(places)) {
    for (const [at, edit] of Object.entries(changes[component] ?? {})) {
      for (const place of stands) insert(plan, toSteps(`${place}.${at}`), edit)
    }
  }
  return plan
}

const toSteps = (place: string): string[] => place.match(/\[\]|[^.[\]]+/g) ?? []

function insert(plan: Plan, steps: readonly string[], edit: Edit): void {
  const [step, ...rest] = steps
  if (step === undefined) {
    plan.edit = { ...plan.edit, ...edit }
  } else if (rest.length === 0 && 'added' in edit) {
    plan.added.push([step, edit.added])
  } else {
    const next = plan.below.get(step) ?? emptyPlan()
    plan.below.set(step, next)
    insert(next, rest, edit)
  }
}

/** Makes the edits in a copy; what they do not touch is shared with the original. */
export function applyPlan(plan: Plan, value: unknown): unknown {
  const { edit, below } = plan
  if (edit && 'only' in edit) return edit.only
  const pair = edit?.values?.find(([from]) => from === value)
  if (pair) return pair[1]
  const element = below.get('[]')
  if (isListText(value)) return element ? applyPlan(plan, readList(value)) : value
  if (Array.isArray(value)) return element ? value.map((one) => applyPlan(element, one)) : value
  return typeof value === 'object' && value !== null ? applyToFields(plan, value) : value
}

function applyToFields({ below, added }: Plan, value: object): object {
  const fields = value as Readonly<Record<string, unknown>>
  const all = below.get('*')
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(fields)) {
    const plan = below.get(name) ?? all
    if (!plan) setField(copy, name, fields[name])
    else if (!plan.edit?.gone)
      setField(copy, plan.edit?.name ?? name, applyPlan(plan, fields[name]))
  }
  for (const [name, part] of added) setField(copy, name, part)
  return copy
}

/** Assigning would set the prototype, where a caller's own field has that name. */
function setField(copy: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') copy[name] = value
  else Object.defineProperty(copy, name, { value, enumerable: true })
}
