import { ref } from 'vue'

/** The themes that a user can choose. */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'dashboard-theme'

const stored = localStorage.getItem(key)
export const theme = ref<Theme>(themes.find((one) => one === stored) ?? 'system')

/** Shows the chosen theme. Every color follows from `color-scheme`. */
export function applyTheme(): void {
  const { style } = document.documentElement
  style.colorScheme = theme.value === 'system' ? 'light dark' : theme.value
}

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen
  localStorage.setItem(key, chosen)
  applyTheme()
}
