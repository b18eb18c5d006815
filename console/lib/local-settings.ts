import { useSyncExternalStore } from 'react'
import { logError } from './log.ts'

export interface Settings {
  show_ip_addresses: boolean
  log_timestamps: boolean
  log_wrap: boolean
  notify_deployments: boolean
}

const key = 'settings'
const defaults: Settings = {
  show_ip_addresses: false,
  log_timestamps: true,
  log_wrap: false,
  notify_deployments: false,
}
const changed = new Set<() => void>()
let current: Settings | undefined

export function parseSettings(text: string | null): Settings {
  if (text === null) return defaults
  try {
    const stored: unknown = JSON.parse(text)
    if (typeof stored !== 'object' || stored === null) throw new TypeError(`${key} is not an object.`)
    const known = new Map<string, unknown>(Object.entries(stored))
    const read = (name: keyof Settings) => {
      const value = known.get(name)
      return typeof value === 'boolean' ? value : defaults[name]
    }
    return {
      show_ip_addresses: read('show_ip_addresses'),
      log_timestamps: read('log_timestamps'),
      log_wrap: read('log_wrap'),
      notify_deployments: read('notify_deployments'),
    }
  } catch (error) {
    logError('Could not read the stored settings. Using defaults.', error)
    return defaults
  }
}

export function changeSettings(change: Partial<Settings>) {
  current = { ...read(), ...change }
  localStorage.setItem(key, JSON.stringify(current))
  for (const listener of changed) listener()
}

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
