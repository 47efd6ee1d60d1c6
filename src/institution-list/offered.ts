import type { Connector, OfferedInstitution } from '../connector/connector.ts'
import { withLoaded } from './connectors.ts'
import type { ListedInstitution } from './listed-institution.ts'

/** The institutions that loaded connectors list. */
export function listOffered(
  connectors: ReadonlyMap<string, Connector> | undefined,
): ListedInstitution[] {
  const loaded = [...(connectors?.values() ?? [])]
  const facts = withLoaded(loaded)
  return loaded.flatMap(({ id, institutions = [] }) =>
    institutions.map((one) => toListed(one, id, [...(facts.get(id)?.products ?? [])])),
  )
}

const toListed = (
  { institution_id, name, country_codes, url, settings }: OfferedInstitution,
  connector: string,
  products: ListedInstitution['products'],
): ListedInstitution => ({
  institution_id,
  name,
  country_codes: country_codes as ListedInstitution['country_codes'],
  products,
  connector,
  settings: { ...settings },
  ...(url === undefined ? {} : { url }),
})
