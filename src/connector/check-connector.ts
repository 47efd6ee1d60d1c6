import { hasControls } from '../control-characters.ts'
import type { Connector } from './connector.ts'
import { type Fields, isFields, isText, isWhole, type Reject } from './fields.ts'

/** What is wrong with a connector. */
export interface Mistake {
  /** Empty for the connector itself. */
  path: string
  expected: string
}

const idPattern = /^[a-z][a-z0-9-]{1,31}$/
const institutionPattern = /^[A-Za-z0-9_-]{1,64}$/

/** Lists what keeps a value from being a connector. No entry has the value itself. */
export function checkConnector(value: unknown): Mistake[] {
  const mistakes: Mistake[] = []
  const reject: Reject = (path, expected) => mistakes.push({ path, expected })
  if (!isFields(value)) return [{ path: '', expected: 'an object with the fields of a connector' }]
  if (typeof value['id'] !== 'string' || !idPattern.test(value['id'])) {
    reject('id', '2 to 32 small letters, digits and hyphens, of which the first is a letter')
  }
  if (!isText(value['version'], 64)) reject('version', 'a text such as 1.0.0')
  if (!isWhole(value['keyVersion'], 1, 9999)) reject('keyVersion', 'a whole number from 1')
  checkLimits(value['limits'], reject)
  for (const name of ['hosts', 'authorize', 'read']) checkFunction(value, name, reject)
  for (const name of ['allowsPrivate', 'checkSettings', 'revoke', 'isNews']) {
    if (value[name] !== undefined) checkFunction(value, name, reject)
  }
  if (value['first'] !== undefined) checkForm(value['first'], 'first', reject)
  checkInstitutions(value['institutions'], reject)
  return mistakes
}

/** Whether a value is a connector. */
export const isConnector = (value: unknown): value is Connector =>
  checkConnector(value).length === 0

function checkFunction(value: Fields, name: string, reject: Reject): void {
  if (typeof value[name] !== 'function') reject(name, 'a function')
}

const limits = {
  minIntervalSeconds: [0, 86_400],
  callsPerDay: [1, 10_000],
  // The latest days are read together.
  maxWindowDays: [32, 3660],
  requestsPerCall: [1, 10_000],
} as const

function checkLimits(value: unknown, reject: Reject): void {
  if (!isFields(value)) {
    reject('limits', 'an object, which may be empty')
    return
  }
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(limits, name)) {
      reject(`limits.${name}`, `one of: ${Object.keys(limits).join(', ')}`)
    }
  }
  for (const [name, [least, most]] of Object.entries(limits)) {
    const limit = value[name]
    if (limit === undefined || isWhole(limit, least, most)) continue
    reject(`limits.${name}`, `a whole number from ${least} to ${most}`)
  }
}

const fieldPattern = /^[a-z][a-z0-9_]{0,39}$/
/** Fields of the page itself. */
const ownFields: readonly string[] = ['turn', 'another', 'file']

/** Rejects what is no form of a page. */
export function checkForm(value: unknown, path: string, reject: Reject): void {
  const schema = isFields(value) && value['kind'] === 'form' ? value['schema'] : undefined
  const properties = isFields(schema) ? schema['properties'] : undefined
  if (!isFields(schema) || !isFields(properties)) {
    reject(path, "a step { kind: 'form', schema } with the properties of the form")
    return
  }
  const names = Object.keys(properties)
  for (const name of names) {
    const at = `${path}.schema.properties.${name}`
    if (!fieldPattern.test(name) || ownFields.includes(name)) {
      reject(at, `a name of small letters, digits and underscores, not ${ownFields.join(', ')}`)
    }
    checkField(properties[name], at, reject)
  }
  const { required } = schema
  if (!Array.isArray(required) || required.some((name) => !names.includes(String(name)))) {
    reject(`${path}.schema.required`, 'a list of names of properties')
  }
}

function checkField(value: unknown, path: string, reject: Reject): void {
  if (!isFields(value) || value['type'] !== 'string') {
    reject(path, "{ type: 'string' }")
    return
  }
  for (const name of ['title', 'description']) {
    const text = value[name]
    if (text !== undefined && !(isText(text, 200) && !hasControls(text)))
      reject(`${path}.${name}`, 'at most 200 characters, none of them a control character')
  }
  const { format, maxLength } = value
  if (format !== undefined && format !== 'password') reject(`${path}.format`, "'password', or none")
  if (maxLength !== undefined && !isWhole(maxLength, 1, 8192)) {
    reject(`${path}.maxLength`, 'a whole number from 1 to 8192')
  }
}

function checkInstitutions(value: unknown, reject: Reject): void {
  if (value === undefined) return
  if (!Array.isArray(value)) reject('institutions', 'a list')
  for (const [index, one] of (Array.isArray(value) ? value : []).entries()) {
    const at = `institutions[${index}]`
    if (!isFields(one)) {
      reject(at, 'an object')
      continue
    }
    if (!institutionPattern.test(String(one['institution_id']))) {
      reject(`${at}.institution_id`, '1 to 64 letters, digits, underscores and hyphens')
    }
    if (!isText(one['name'], 256) || hasControls(one['name'])) {
      reject(`${at}.name`, '1 to 256 characters, none of them a control character')
    }
    const { country_codes: countries, settings, url } = one
    const areCountries = Array.isArray(countries) && countries.every((code) => isCountry(code))
    if (!areCountries || countries.length === 0) {
      reject(`${at}.country_codes`, 'a list of codes of two capital letters, such as US')
    }
    if (settings !== undefined && !isFields(settings)) reject(`${at}.settings`, 'an object')
    if (url !== undefined && !/^https?:\/\/\S{1,2040}$/.test(String(url))) {
      reject(`${at}.url`, 'an http or https URL')
    }
  }
}

const isCountry = (value: unknown): boolean => /^[A-Z]{2}$/.test(String(value))
