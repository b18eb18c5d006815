import type { z } from 'zod'
import type { composeProblem } from '../../../../contract/compose.ts'

export type ComposeProblem = z.output<typeof composeProblem>

export type Path = readonly (string | number)[]

export interface Finding {
  path: Path
  /** Marks the key instead of the value. */
  at?: 'key'
  severity: 'error' | 'warning'
  message: string
}

export const errorAt = (path: Path, message: string): Finding => ({ path, severity: 'error', message })
export const errorAtKey = (path: Path, message: string): Finding => ({ ...errorAt(path, message), at: 'key' })
export const warningAt = (path: Path, message: string): Finding => ({ path, severity: 'warning', message })
export const warningAtKey = (path: Path, message: string): Finding => ({
  ...warningAt(path, message),
  at: 'key',
})

export interface Mark {
  from: number
  to: number
  severity: 'error' | 'warning'
  message: string
  unset?: string
}
