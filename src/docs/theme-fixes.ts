import { join } from 'node:path'
import type { Plugin } from 'vitepress'

/** What of the theme's own markup a screen reader stumbles over, by the file's name. */
const fixes: Record<string, [from: string, to: string][]> = {
  'VPLocalSearchBox.vue': [
    // A dialog, and not a button that holds a form.
    ['role="button"\n', 'role="dialog"\n      aria-modal="true"\n'],
    [`:aria-owns="results?.length ? 'localsearch-list' : undefined"`, ''],
    ['aria-expanded="true"\n      aria-haspopup="listbox"', ''],
    // The field that opens the list is a combobox.
    ['aria-autocomplete="both"', `aria-autocomplete="list"\n            role="combobox"`],
    [
      'ref="searchInput"',
      `ref="searchInput"\n            :aria-expanded="results?.length ? 'true' : 'false'"`,
    ],
    // The link itself is the option, with its text as its name.
    [
      `:id="'localsearch-item-' + index"\n            :aria-selected="selectedIndex === index ? 'true' : 'false'"\n            role="option"`,
      'role="presentation"',
    ],
    [
      `:aria-label="[...p.titles, p.title].join(' > ')"`,
      `:id="'localsearch-item-' + index"\n              :aria-selected="selectedIndex === index ? 'true' : 'false'"\n              role="option"`,
    ],
    [
      '<div v-if="showDetailedList" class="excerpt-wrapper">',
      '<p v-if="p.excerpt" class="found-text">{{ p.excerpt }}</p>\n\n                <div v-if="showDetailedList" class="excerpt-wrapper">',
    ],
    ['<kbd :aria-label', '<kbd role="img" :aria-label'],
    ['<span class="title-icon">', '<span class="title-icon" aria-hidden="true">'],
  ],
}

/**
 * Mends the theme's components while they are compiled. A place that a newer VitePress has otherwise
 * stops the build, so that no fix is lost unnoticed.
 */
export const themeFixes: Plugin = {
  name: 'theme-fixes',
  enforce: 'pre',
  transform(code, id) {
    const [name] = Object.keys(fixes).filter((file) => id.endsWith(join('/components', file)))
    if (!name) return undefined
    return (fixes[name] ?? []).reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${name} has no ${from}`)
      return text.replaceAll(from, to)
    }, code)
  },
}

/** Our own component in place of one of the theme's. */
export const ownComponents = [
  {
    find: /^\.\/VPSidebarGroup\.vue$/,
    replacement: join(import.meta.dirname, 'SidebarGroups.vue'),
  },
]
