import { split } from '../contract/split.ts'
import { codes, join } from '../contract/words.ts'
import type { Change } from './compare-versions.ts'
import { enumOf, typeWords } from './field-words.ts'
import { type Field, membersOf, type Shape } from './fields.ts'

/** A sentence about the older of two versions; names are in backticks. */
export function sentenceOf(change: Change): string {
  if (change.kind === 'whole') return wholeSentence(change)
  if (change.kind === 'error') {
    return change.older
      ? `Also fails with \`${change.key}\`.`
      : `Never fails with \`${change.key}\`.`
  }
  const { older, newer } = change
  if (!older) return `Has no \`${newer?.path}\`.`
  if (!newer) return `Has ${described(older)}.`
  if (older.path !== newer.path) return `\`${newer.path}\` is called \`${older.name}\`.`
  return `\`${older.path}\` ${join(aspectsOf(older, newer), 'and')}.`
}

const wholeSentence = ({ noun, older }: { noun: string; older: boolean }): string => {
  if (older) return `The newer version has no such ${noun}.`
  return noun === 'webhook' ? 'Is not sent.' : 'Does not exist.'
}

const absent = 'absent'

/** What stands on either side of a table with the older version on the left. */
export function sidesOf(change: Change): [older: string, newer: string] {
  if (change.kind === 'whole') return change.older ? ['exists', absent] : [absent, 'exists']
  if (change.kind === 'error') {
    const fails = `fails with \`${change.key}\``
    const never = `never fails with \`${change.key}\``
    return change.older ? [fails, never] : [never, fails]
  }
  const { older, newer } = change
  if (!older || !newer) return [alone(older), alone(newer)]
  if (older.path !== newer.path) return [described(older), described(newer)]
  return [
    `\`${older.path}\` ${join(aspectsOf(older, newer), 'and')}`,
    `\`${newer.path}\` ${join(aspectsOf(newer, older), 'and')}`,
  ]
}

/** A field that only this version has, with what it means, since no other page tells of it. */
function alone(field: Field | undefined): string {
  if (!field) return absent
  const members = membersOf(field.shape).map(({ name }) => name)
  const inside = members.length > 0 ? ` with ${codes(members)}` : ''
  return `${described(field)}${inside}. ${field.shape.schema.description ?? ''}`.trim()
}

const described = ({ path, shape, required }: Field): string => {
  const presence = path.startsWith('request.') ? (required ? ', required' : ', optional') : ''
  return `\`${path}\` (${typeWords(shape)}${presence})`
}

/** What is true of a field, and not of the field with the same path in the other version. */
export function aspectsOf(field: Field, other: Field): string[] {
  const presence = field.required ? 'is required' : 'is optional'
  return [
    ...ofTypes(field.shape, other.shape),
    ...ofEnums(field.shape, other.shape),
    ...(field.required === other.required ? [] : [presence]),
  ]
}

function ofTypes(shape: Shape, other: Shape): string[] {
  const type = typeWords(shape)
  if (type === 'null') return typeWords(other) === 'null' ? [] : ['is always null']
  const changes = type === typeWords(other) ? [] : [`is of type ${type}`]
  if (shape.nullable === other.nullable) return changes
  return [...changes, shape.nullable ? 'can be null' : 'is never null']
}

function ofEnums(shape: Shape, other: Shape): string[] {
  const valuesOf = (of: Shape) => enumOf(of).map(([value]) => value)
  const { gone, added } = split(valuesOf(other), valuesOf(shape))
  return [
    ...(added.length > 0 ? [`can be ${codes(added, 'or')}`] : []),
    ...(gone.length > 0 ? [`is never ${codes(gone, 'or')}`] : []),
  ]
}
