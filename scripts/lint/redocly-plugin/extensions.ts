import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { base, contractFolder } from '../../contract/place.ts'
import { ofPages, undated } from '../../contract/undated.ts'
import type { Context, Node } from './shared.ts'

const contract = join(base, contractFolder)
/** An error file is named `CODE`, `TYPE.CODE`, `TYPE.CODE.STATUS` or `oauth.code`. */
const codes = ['errors', ...[...undated, ...ofPages].map((name) => `${name}/errors`)]
  .flatMap((folder) => readdirSync(join(contract, folder)))
  .map((file) => file.replace(/(\.\d{3})?\.yaml$/, '').replace(/^.*\./, ''))

const text = { type: 'string' }
const positive = { type: 'integer', minimum: 1 }

/** The extensions of the contract, as redocly's rule `struct` checks them; null allows any value. */
const extensions = {
  Operation: {
    'x-retry-safe': { type: 'boolean' },
    'x-after': { type: 'array', items: { type: 'string' } },
    'x-rate-limits': 'RateLimits',
    'x-pagination': 'Pagination',
    'x-bearer-replaces': text,
    'x-tool': 'Tool',
  },
  Schema: {
    'x-expected': null,
    'x-error-code': { enum: codes },
    'x-enumDescriptions': null,
    'x-open': null,
    'x-versions': null,
    'x-webhooks': null,
  },
  Example: {
    'x-status': { type: 'integer' },
    'x-retry': { enum: ['never', 'later', 'after-action'] },
    'x-action': text,
    'x-replay': null,
    'x-unreachable': text,
    'x-error-type': text,
  },
}

/** The objects that are the values of extensions. */
const objects = {
  Tool: { properties: { name: text, answer: text }, required: ['name'] },
  RateLimits: { properties: { sandbox: 'Limits', production: 'Limits' } },
  Limits: {
    properties: {
      per_client: positive,
      per_item: positive,
      per_report: positive,
      shared_with: text,
    },
    required: ['per_client'],
  },
  Pagination: {
    properties: {
      style: { enum: ['cursor', 'offset', 'after_id'] },
      request: text,
      limit: text,
      response: text,
      total: text,
      has_more: text,
      items: { type: 'array', items: text },
    },
    required: ['style'],
  },
}

type Types = Record<string, { properties: Node }>

/** Adds the extensions to redocly's types of OpenAPI. */
export const extendTypes = (types: Types): Types => ({
  ...types,
  ...objects,
  ...Object.fromEntries(
    Object.entries(extensions).map(([name, added]) => {
      const properties = { ...types[name]?.properties, ...added }
      return [name, { ...types[name], properties }]
    }),
  ),
})

/** Reports each extension that nothing reads: a typing mistake would be silent otherwise. */
export const KnownExtensions = () =>
  Object.fromEntries(
    Object.entries(extensions).map(([type, known]) => [
      type,
      (node: Node, context: Context) => {
        for (const name of Object.keys(node)) {
          if (!name.startsWith('x-') || name in known) continue
          const message = `\`${name}\` is unknown here; known are ${Object.keys(known).join(', ')}`
          context.report({ message, location: context.location.child([name]).key() })
        }
      },
    ]),
  )
