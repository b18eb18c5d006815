import type { Level } from './level.ts'

export const levelColors: Record<Level, string> = {
  error: 'bg-red',
  warn: 'bg-yellow',
  info: 'bg-accent-ink/50',
  debug: 'bg-faint',
  trace: 'bg-edge',
}
