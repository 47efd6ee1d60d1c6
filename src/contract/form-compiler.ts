import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import { createAjv, referenceTo, toDocument } from './compile-schemas.ts'
import type { Contract, Schema } from './document.ts'
import { readDocument } from './read-document.ts'
import { type Form, toForm } from './schema-forms.ts'

/** Compiles any schema of a contract in one form, as it stands there. */
export class FormCompiler {
  readonly #contract: Contract
  readonly #form: Form
  readonly #ajv: Ajv2020
  readonly #base: string
  readonly #compiled = new Map<string, ValidateFunction>()

  constructor(contract: Contract, form: Form) {
    this.#contract = contract
    this.#form = form
    this.#ajv = createAjv()
    this.#ajv.addSchema(toDocument(contract, form))
    this.#base = referenceTo({ schema: '', form })
  }

  compile(schema: Schema): ValidateFunction {
    const text = JSON.stringify(toForm(this.#contract, schema, this.#form))
    const compiled = this.#compiled.get(text) ?? this.#ajv.compile(this.#located(text))
    this.#compiled.set(text, compiled)
    return compiled
  }

  #located(text: string): object {
    return JSON.parse(text.replaceAll('"#/components/schemas/', `"${this.#base}`))
  }
}

const compilers = new Map<string, FormCompiler>()

/** The compiler of a generated document: compiling takes seconds, so it serves the whole process. */
export function compilerOf(document: string, form: Form): FormCompiler {
  const key = `${document} ${form}`
  const compiler = compilers.get(key) ?? new FormCompiler(readDocument(document), form)
  compilers.set(key, compiler)
  return compiler
}
