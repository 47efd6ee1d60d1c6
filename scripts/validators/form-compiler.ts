import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import type { Contract, Schema } from '../contract/contract.ts'
import { type Form, toForm } from '../contract/schema-forms.ts'
import { createAjv, referenceTo, toDocument } from './compile-schemas.ts'

/** Compiles any schema of a contract in one form, as it stands there. */
export class FormCompiler {
  readonly #contract: Contract
  readonly #form: Form
  readonly #ajv: Ajv2020
  readonly #base: string

  constructor(contract: Contract, form: Form) {
    this.#contract = contract
    this.#form = form
    this.#ajv = createAjv()
    this.#ajv.addSchema(toDocument(contract, form))
    this.#base = referenceTo({ schema: '', form })
  }

  compile(schema: Schema): ValidateFunction {
    const text = JSON.stringify(toForm(this.#contract, schema, this.#form))
    return this.#ajv.compile(
      JSON.parse(text.replaceAll('"#/components/schemas/', `"${this.#base}`)),
    )
  }
}
