/** Opens whatever hides the element that the address names, marks it, and brings it into view. */
export function revealTarget(): void {
  for (const marked of document.querySelectorAll('.is-target')) marked.classList.remove('is-target')
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!target) return
  for (let at: Element | null = target; at; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement) at.open = true
  }
  target.classList.add('is-target')
  // The keyboard goes on from here, as it would after a jump of the browser's own.
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1
  target.focus({ preventScroll: true })
  // VitePress scrolls in the next frame, to where the target was before anything was opened.
  requestAnimationFrame(() => requestAnimationFrame(() => target.scrollIntoView()))
}

/** An error code that has one page: `documentation_url` names its row in the list of all errors. */
export function openErrorPage(): void {
  const row = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  const page = row?.closest('table.errors tr') && row.querySelector<HTMLAnchorElement>('a')
  if (page) location.replace(page.href)
}

/** Opens or closes all nested fields of a list; its button stands before it. */
export function toggleFields(event: Event): void {
  const button = event.target instanceof Element ? event.target.closest('button.expand') : null
  if (!(button instanceof HTMLButtonElement)) return
  const open = button.getAttribute('aria-expanded') !== 'true'
  button.setAttribute('aria-expanded', String(open))
  button.textContent = open ? 'Collapse all fields' : 'Expand all fields'
  const all =
    button.nextElementSibling?.querySelectorAll<HTMLDetailsElement>('details.nested') ?? []
  for (const details of all) details.open = open
}
