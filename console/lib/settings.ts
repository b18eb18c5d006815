import { useSyncExternalStore } from 'react'
import { logError } from './log.ts'

export interface Settings {
  show_ip_addresses: boolean
}

const key = 'settings'
const defaults: Settings = { show_ip_addresses: false }
const changed = new Set<() => void>()
let current: Settings | undefined

export function parseSettings(text: string | null): Settings {
  if (text === null) return defaults
  try {
    const stored: unknown = JSON.parse(text)
    if (typeof stored !== 'object' || stored === null) throw new TypeError(`${key} is not an object.`)
    const shown = 'show_ip_addresses' in stored ? stored.show_ip_addresses : undefined
    return { show_ip_addresses: typeof shown === 'boolean' ? shown : defaults.show_ip_addresses }
  } catch (error) {
    logError('The stored settings cannot be read; defaults are used.', error)
    return defaults
  }
}

export function changeSettings(change: Partial<Settings>) {
  current = { ...read(), ...change }
  localStorage.setItem(key, JSON.stringify(current))
  for (const listener of changed) listener()
}

/** What this browser remembers for whoever uses it. */
export const useSettings = () => useSyncExternalStore(subscribe, read)

function read() {
  current ??= parseSettings(localStorage.getItem(key))
  return current
}

function subscribe(listener: () => void) {
  const onStorage = (event: StorageEvent) => {
    if (event.key !== key) return
    current = undefined
    listener()
  }
  changed.add(listener)
  window.addEventListener('storage', onStorage)
  return () => {
    changed.delete(listener)
    window.removeEventListener('storage', onStorage)
  }
}
