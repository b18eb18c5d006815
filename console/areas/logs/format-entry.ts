import type { LogEntry } from './feed/log-entry.ts'

export function formatEntry(entry: LogEntry, timestamps: boolean): string {
  if (entry.kind === 'note') return `— ${entry.text}`
  return timestamps && entry.at !== undefined ? `${entry.at} ${entry.text}` : entry.text
}
