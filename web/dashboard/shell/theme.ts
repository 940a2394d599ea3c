import { useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark' | 'system'

export const THEMES: readonly (readonly [Theme, string])[] = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['system', 'System'],
]

const KEY = 'switchyard.theme'
const DARK = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

DARK.addEventListener('change', tell)

/** Before the first paint, so that a dark page does not flash. */
export function applyTheme(): void {
  const chosen = chosenTheme()
  if (chosen === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = chosen
}

export function useTheme() {
  const chosen = useSyncExternalStore(listen, chosenTheme)
  const shown = useSyncExternalStore(listen, shownTheme)
  return {
    chosen,
    shown,
    choose: (theme: Theme) => {
      localStorage.setItem(KEY, theme)
      applyTheme()
      tell()
    },
  }
}

function chosenTheme(): Theme {
  const value = localStorage.getItem(KEY)
  return value === 'light' || value === 'dark' ? value : 'system'
}

function shownTheme(): 'light' | 'dark' {
  const chosen = chosenTheme()
  if (chosen !== 'system') return chosen
  return DARK.matches ? 'dark' : 'light'
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function tell(): void {
  for (const listener of listeners) listener()
}
