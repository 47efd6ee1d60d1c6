import { ref } from 'vue'

interface Toast {
  id: number
  text: string
  isError: boolean
}

const shownMs = 5000

/** Short messages about what was just done. */
export const toasts = ref<Toast[]>([])
let last = 0

export function tell(text: string, { isError = false } = {}): void {
  last += 1
  const id = last
  toasts.value = [...toasts.value.slice(-2), { id, text, isError }]
  setTimeout(() => dismiss(id), shownMs)
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    tell(`${what} copied`)
  } catch {
    // Browsers allow the clipboard only with https or on localhost.
    tell(`${what} could not be copied: the browser did not allow it`, { isError: true })
  }
}
