import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { editAddress, editLinks, type Repository } from '../../scripts/docs/edit-link.ts'
import { everyPage } from '../../scripts/docs/every-page.ts'
import { filesOf } from '../../scripts/docs/page-files.ts'
import { readSite } from '../../scripts/docs/site.ts'

const repository = { url: 'git+https://code.example.com/larkspur/service.git' }
const pages = everyPage(readSite()).map((page) => ({ ...page, text: '' }))

describe('the link to edit a page', () => {
  test.each<[Repository, string | undefined]>([
    [undefined, undefined],
    [repository, 'https://code.example.com/larkspur/service/edit/main/README.md'],
    [
      { url: 'git@code.example.com:larkspur/service.git', directory: 'api' },
      'https://code.example.com/larkspur/service/edit/main/api/README.md',
    ],
    [
      'ssh://git@code.example.com/larkspur/service',
      'https://code.example.com/larkspur/service/edit/main/README.md',
    ],
    ['larkspur/service', 'https://github.com/larkspur/service/edit/main/README.md'],
    ['gitlab:larkspur/service', 'https://gitlab.com/larkspur/service/-/edit/main/README.md'],
  ])('of the repository %j', (given, expected) => {
    expect(editAddress(given, 'README.md')).toBe(expected)
  })

  test('leads to the file that the page is written in', () => {
    const sources = pages.flatMap(({ source }) => source ?? [])
    expect(sources.filter((file) => !existsSync(join(root, file)))).toEqual([])
    const areas = ['guides/', 'operations/', 'webhooks/', 'platform/', 'sandbox/', 'errors/']
    const without = pages.filter(({ source }) => source === undefined).map(({ path }) => path)
    const written = without.filter((path) => areas.some((area) => path.startsWith(area)))
    expect(written).toEqual(areas.slice(1))
  })

  test('stands in the front matter of such a page, and not in that of others', () => {
    const matterOf = (path: string, given: Repository) =>
      filesOf(pages.find((page) => page.path === path)!, given)[0]![1]
    const own = matterOf('operations/accountsGet/', repository)
    expect(own).toMatch(/^edit: "https:.+\/accountsGet\.yaml"$/m)
    expect(own).not.toContain('editLink')
    expect(matterOf('operations/', repository)).toContain('editLink: false')
    expect(matterOf('operations/accountsGet/', undefined)).not.toMatch(/edit/i)
  })

  test('is a setting of the theme only with a repository', () => {
    expect(editLinks(undefined)).toEqual({})
    const { pattern } = editLinks(repository).editLink ?? {}
    const frontmatter = { edit: 'https://code.example.com/larkspur' }
    expect((pattern as (page: object) => string)({ frontmatter })).toBe(frontmatter.edit)
  })
})
