/** Where the browser keeps the language in which the reader wants samples. */
const key = 'sample-language'

/** Runs in the head of each page, so that nothing moves after it is shown. Blocked storage throws. */
export const restoreSample = `try{const l=localStorage.getItem('${key}');if(l)document.documentElement.dataset.sample=l}catch{}`

/** Shows all samples in the language that was chosen in one of them. */
export function chooseSample({ target }: Event): void {
  if (!(target instanceof HTMLInputElement && target.closest('.samples'))) return
  const top = target.getBoundingClientRect().top
  document.documentElement.dataset['sample'] = target.value
  markChosen()
  // Samples above it can have another length now.
  scrollBy({ top: target.getBoundingClientRect().top - top, behavior: 'instant' })
  try {
    localStorage.setItem(key, target.value)
  } catch {
    // A browser that blocks storage throws; the choice then lasts until the next page load.
  }
}

/** Marks the chosen tabs of a page, and puts the address into its samples that it was served from. */
export function showSamples(): void {
  markChosen()
  for (const samples of document.querySelectorAll<HTMLElement>('.samples[data-server]')) {
    const { server = '' } = samples.dataset
    const texts = document.createTreeWalker(samples, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const { currentNode: text } = texts
      text.nodeValue = text.nodeValue?.replace(server, location.origin) ?? null
    }
    delete samples.dataset['server']
  }
}

/** A sample that is not there in the chosen language shows its first one. */
function markChosen(): void {
  const { sample } = document.documentElement.dataset
  for (const tabs of document.querySelectorAll('.samples .tabs')) {
    const inputs = [...tabs.querySelectorAll('input')]
    const chosen = inputs.find(({ value }) => value === sample) ?? inputs[0]
    if (chosen) chosen.checked = true
  }
}
