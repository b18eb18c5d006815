import { useSyncExternalStore } from 'react'
import type { LogStore } from './log-store.ts'

export const usePaused = (store: LogStore) => useSyncExternalStore(store.subscribe, () => store.paused)
