import { eachWebhook, readBundle, resolve } from '../contract/contract.ts'
import type { Action } from './overlay.ts'

/** A webhook of the contract, and what its body tells. */
interface Named {
  type: string
  code: string
  description: string
}

/**
 * Fills in the codes and types of webhooks where `x-webhooks` asks for them, and which types each
 * code goes with: the sandbox can send every webhook of these documents.
 */
export function webhookNames(documents: readonly string[]): Action[] {
  const all = documents.flatMap(listWebhooks)
  const mark = (what: string): string => `$..[?@['x-webhooks'] == '${what}']`
  return [
    { target: mark('codes'), update: codes(all) },
    { target: mark('types'), update: { enum: [...new Set(all.map(({ type }) => type))] } },
    { target: mark('rules'), update: { allOf: rules(all) } },
    { target: `$..[?@['x-webhooks']]['x-webhooks']`, remove: true },
  ]
}

/** Of a code with two types the last one is meant where none is named, so that one comes first. */
function listWebhooks(document: string): Named[] {
  const contract = readBundle(document)
  return eachWebhook(contract).map(({ name, schema }) => {
    const [type = '', code = ''] = name.split('.')
    return { type, code, description: resolve(contract, schema).description ?? '' }
  })
}

const ofCode = (all: readonly Named[], code: string): Named[] =>
  all.filter((one) => one.code === code).reverse()

function codes(all: readonly Named[]): object {
  const names = [...new Set(all.map(({ code }) => code).reverse())].reverse()
  const descriptions = names.map((code) => {
    const lines = ofCode(all, code).map((one) => `${one.description} Of type ${one.type}.`)
    return [code, lines.join(' ')]
  })
  return { enum: names, 'x-enumDescriptions': Object.fromEntries(descriptions) }
}

/** One rule for all codes with the same types: a type that goes with none of them is rejected. */
function rules(all: readonly Named[]): object[] {
  const groups = new Map<string, { types: string[]; codes: Set<string> }>()
  for (const { code } of all) {
    const types = ofCode(all, code).map(({ type }) => type)
    const group = groups.get(types.join()) ?? { types, codes: new Set() }
    groups.set(types.join(), group)
    group.codes.add(code)
  }
  return [...groups.values()].map(({ types, codes }) => ({
    if: { required: ['webhook_code'], properties: { webhook_code: { enum: [...codes] } } },
    then: { properties: { webhook_type: { anyOf: [{ enum: types }, { type: 'null' }] } } },
  }))
}
