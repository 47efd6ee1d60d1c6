import type { Contract } from '../../../../scripts/contract/contract.ts'
import { FormCompiler } from '../../../../src/contract/form-compiler.ts'
import type { Form } from '../../../../src/contract/schema-forms.ts'

/** Schemas that no generator can build an instance of. */
export class NoSchema extends Error {}

/** As the generator compiles, but tells what is no schema from what goes wrong elsewhere. */
export function compilerOf(contract: Contract, form: Form): FormCompiler {
  return compiling(() => {
    const made = new FormCompiler(contract, form)
    const compile = made.compile.bind(made)
    made.compile = (schema) => compiling(() => compile(schema))
    return made
  })
}

function compiling<Made>(make: () => Made): Made {
  try {
    return make()
  } catch (error) {
    throw new NoSchema(String(error), { cause: error })
  }
}
