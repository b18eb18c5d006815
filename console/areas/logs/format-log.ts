import { formatEntry } from './format-entry.ts'
import type { LogStore } from './feed/log-store.ts'

export function formatLog(store: LogStore, timestamps: boolean): string {
  const lines: string[] = []
  for (let number = store.first; number < store.end; number++) {
    const entry = store.get(number)
    if (entry) lines.push(formatEntry(entry, timestamps))
  }
  return lines.join('\n')
}
