import { _, Ajv, type CodeKeywordDefinition, type KeywordCxt } from 'ajv'
import { checkDataType } from 'ajv/dist/compile/validate/dataType.js'
import standalone from 'ajv/dist/standalone/index.js'
import dependentRequiredModule from 'ajv/dist/vocabularies/validation/dependentRequired.js'
import * as formats from '../validators/formats.ts'
import { boundWork } from './bounded-work.ts'
import { defaultOf } from './default-of.ts'
import type { Contract } from './document.ts'
import { type Form, toForm } from './schema-forms.ts'

/** A component schema in one of its forms. */
export interface Entry {
  schema: string
  form: Form
}

// Ajv resolves local references within one schema document; each form is a document of its own.
const idOf = (form: Form) => `https://contract.invalid/${form}`

// Part of a later draft than the Ajv below is set up for.
const dependentRequired = defaultOf<CodeKeywordDefinition>(dependentRequiredModule)

/** Rejects null where a required property does not allow it, as if the property were missing. */
const nonNull: CodeKeywordDefinition = {
  keyword: 'x-non-null',
  type: 'object',
  schemaType: 'array',
  error: {
    message: 'must have a value',
    params: ({ params }) => _`{ missingProperty: ${params['missingProperty']} }`,
  },
  code(cxt: KeywordCxt) {
    for (const name of cxt.schema as string[]) {
      cxt.setParams({ missingProperty: name })
      cxt.fail(_`${cxt.data}[${name}] === null`)
    }
  },
}

/** Checks a value by the schema that stands there for the value's type. */
const byType: CodeKeywordDefinition = {
  keyword: 'x-by-type',
  schemaType: 'object',
  code(cxt: KeywordCxt) {
    const { gen, data, it } = cxt
    for (const type of Object.keys(cxt.schema as object)) {
      const matches = checkDataType(type as 'string', data, it.opts.strictNumbers)
      const check = () => cxt.subschema({ keyword: 'x-by-type', schemaProp: type }, gen.name('_'))
      gen.if(matches, check)
    }
  },
}

// What stands inside conditions and rules, which the forms leave as they are.
const annotations = ['components', 'x-expected', 'x-error-code', 'x-open']

/**
 * Sets up Ajv for the contract; `code` as in Ajv's own options. It is not `Ajv2020`, which keeps a
 * record of evaluated properties that takes a third of the time; strict mode rejects the keywords
 * that would need it.
 */
export function createAjv(code: Record<string, unknown> = {}): Ajv {
  const ajv = new Ajv({
    strict: true,
    next: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
    allErrors: true,
    unicodeRegExp: true,
    messages: false,
    code,
  })
  for (const keyword of annotations) ajv.addKeyword(keyword)
  ajv.addKeyword(dependentRequired)
  ajv.addKeyword(nonNull)
  ajv.addKeyword(byType)
  boundWork(ajv)
  for (const [name, check] of Object.entries(formats)) {
    ajv.addFormat(name === 'dateTime' ? 'date-time' : name, check)
  }
  return ajv
}

/** A whole contract in one form, as the document that Ajv resolves references in. */
export function toDocument(contract: Contract, form: Form): { $id: string } {
  const schemas = Object.entries(contract.components.schemas).map(([name, schema]) => [
    name,
    toForm(contract, schema, form),
  ])
  return { $id: idOf(form), components: { schemas: Object.fromEntries(schemas) } } as {
    $id: string
  }
}

export const referenceTo = ({ schema, form }: Entry): string =>
  `${idOf(form)}#/components/schemas/${schema}`

/** Compiles the entries to the text of one ES module that exports `<form>_<schema>` for each. */
export function compileForms(contract: Contract, entries: Entry[]): string {
  const code = { source: true, esm: true, formats: _`require("formats")` }
  const ajv = createAjv(code)
  for (const form of new Set(entries.map((entry) => entry.form))) {
    ajv.addSchema(toDocument(contract, form))
  }
  const named = entries.map((entry) => [`${entry.form}_${entry.schema}`, referenceTo(entry)])
  return standalone.default(ajv, Object.fromEntries(named))
}
