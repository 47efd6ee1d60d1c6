import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DefaultTheme } from 'vitepress'
import { root } from '../contract/contract.ts'
import { isOwn } from '../contract/place.ts'

/** The field `repository` of a package.json, in the forms that npm accepts. */
export type Repository = string | { url: string; directory?: string } | undefined

/** The repository of this package, if its package.json names one. Files of other contracts are not in it. */
export const ownRepository = (): Repository =>
  isOwn
    ? (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { repository?: Repository })
        .repository
    : undefined

const hosts: Record<string, string> = {
  github: 'https://github.com/',
  gitlab: 'https://gitlab.com/',
  bitbucket: 'https://bitbucket.org/',
}

/** The page on which the code host lets a reader edit a file, if the repository has an address. */
export function editAddress(repository: Repository, file: string): string | undefined {
  if (repository === undefined) return undefined
  const { url, directory = '' } = typeof repository === 'string' ? { url: repository } : repository
  const page = webAddress(url)
  // GitLab has its own pages below `/-/`.
  const edit = page.includes('gitlab') ? '-/edit' : 'edit'
  return `${page}/${edit}/main/${join(directory, file)}`
}

function webAddress(url: string): string {
  const [, host = 'github', path] =
    url.match(/^(?:(github|gitlab|bitbucket):)?([\w.-]+\/[\w.-]+)$/) ?? []
  const full = path === undefined ? url : `${hosts[host]}${path}`
  return full
    .replace(/^git\+/, '')
    .replace(/^(?:ssh|git):\/\/(?:git@)?/, 'https://')
    .replace(/^git@([^:]+):/, 'https://$1/')
    .replace(/\.git$/, '')
}

/** The settings of the theme: each page has its address in its front matter, as `edit`. */
export const editLinks = (repository: Repository): Pick<DefaultTheme.Config, 'editLink'> =>
  repository === undefined
    ? {}
    : { editLink: { text: 'Edit this page', pattern: ({ frontmatter }) => frontmatter['edit'] } }
