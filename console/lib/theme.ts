import { useSyncExternalStore } from 'react'

const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

const key = 'theme'
const changed = new Set<() => void>()
const systemDark = window.matchMedia('(prefers-color-scheme: dark)')

// public/theme.js sets the theme before the first paint; this code updates it later.
systemDark.addEventListener('change', apply)
window.addEventListener('storage', (event) => {
  if (event.key === key) apply()
})

export function setTheme(theme: Theme) {
  localStorage.setItem(key, theme)
  apply()
}

export const useTheme = () => useSyncExternalStore(subscribe, readTheme)

function readTheme(): Theme {
  const stored = localStorage.getItem(key)
  return themes.find((theme) => theme === stored) ?? 'system'
}

function apply() {
  const theme = readTheme()
  const dark = theme === 'dark' || (theme === 'system' && systemDark.matches)
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light'
  for (const listener of changed) listener()
}

function subscribe(listener: () => void) {
  changed.add(listener)
  return () => void changed.delete(listener)
}
