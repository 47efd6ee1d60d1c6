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
  if (Array.isArray(value)) {
    const element = below.get('[]')
    return element ? value.map((one) => applyPlan(element, one)) : value
  }
  return typeof value === 'object' && value !== null ? applyToFields(plan, value) : value
}

function applyToFields({ below, added }: Plan, value: object): object {
  const fields = Object.entries(value).flatMap(([name, part]): [string, unknown][] => {
    const plan = below.get(name) ?? below.get('*')
    if (!plan) return [[name, part]]
    return plan.edit?.gone ? [] : [[plan.edit?.name ?? name, applyPlan(plan, part)]]
  })
  return Object.fromEntries([...fields, ...added])
}
