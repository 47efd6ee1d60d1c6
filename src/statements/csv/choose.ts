import { Document, isMap, isScalar } from 'yaml'
import type { CsvMapping } from '../../../generated/statements/types.ts'
import { type Draft, draftOf, type Given, rolesOf } from './draft.ts'
import { guessRoles } from './guess.ts'
import { type Sample, takeSample } from './sample.ts'
import { fittingShapes } from './shapes.ts'
import { UnknownTable } from './table.ts'

/** A CSV file that needs a mapping, with one to start from. */
export class MappingNeeded extends UnknownTable {
  /** YAML; what is uncertain is marked by comments. */
  readonly proposal: string

  constructor(message: string, proposal: string, sample: Sample, draft: Draft) {
    super(message, sample, draft)
    this.proposal = proposal
  }
}

/**
 * The mapping of a file by its header row.
 *
 * @throws MappingNeeded when no shape, or more than one, fits, or the rows leave something open
 */
export function chooseMapping(text: string, isWhole: boolean, given: Given): CsvMapping {
  const sample = takeSample(text, isWhole)
  const [shape, ...others] = sample?.header ? fittingShapes(sample.header) : []
  if (sample && shape && others.length === 0) {
    const draft = draftOf(sample, rolesOf(shape), given)
    if (draft.open.length === 0) return draft.mapping
    const open = draft.open
      .map((doubt) => doubt.replace(/^UNSURE: |(?:; choose one)?[.]$/g, ''))
      .join('; ')
    const told = `its header row fits the built-in mapping ${shape.shape.name}, but ${open}`
    throw new MappingNeeded(told, toYaml(draft), sample, draft)
  }
  const roles = sample && guessRoles(sample)
  if (!sample || !roles) {
    const told = 'the file is no OFX, CAMT or MT940, and no CSV with dates and amounts'
    throw new UnknownTable(told, sample)
  }
  const told =
    others.length > 0
      ? 'several built-in mappings fit its header row'
      : 'no built-in mapping fits its header row'
  const draft = draftOf(sample, roles, given)
  throw new MappingNeeded(told, toYaml(withGuesses(draft)), sample, draft)
}

/** Every column of a guess has to be looked at. */
function withGuesses({ mapping, doubts, ...draft }: Draft): Draft {
  const guessed = ['date', 'value_date', 'amount', 'description', 'counterparty', 'balance']
  const present = guessed.filter((key) => key in mapping && !doubts.has(key))
  const asked = present.map((key): [string, string] => [key, 'Guessed: is it this column?'])
  return { ...draft, mapping, doubts: new Map([...asked, ...doubts]) }
}

const heading = ` A mapping made from the file. Check what a comment marks. The guide "Read statement files"
 says what else a mapping can hold.`

/** The draft as YAML, each doubt above its key. */
function toYaml({ mapping, doubts }: Draft): string {
  const placeholders = {
    ...(mapping.currency ? {} : { currency: { fixed: 'XXX' } }),
    ...(mapping.account ? {} : { account: { id: { fixed: 'unknown' } } }),
  }
  const document = new Document({ ...mapping, ...placeholders })
  document.commentBefore = heading
  for (const { key } of isMap(document.contents) ? document.contents.items : []) {
    if (!isScalar(key)) continue
    const doubt = doubts.get(String(key.value))
    if (doubt) key.commentBefore = ` ${doubt}`
  }
  return document.toString({ lineWidth: 100, collectionStyle: 'any' })
}
