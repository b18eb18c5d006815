import type { z } from 'zod'
import type { composeProblem } from '../../../../contract/compose.ts'

export type ComposeProblem = z.output<typeof composeProblem>

export type Path = readonly (string | number)[]

/** Something about a compose file, at one of its keys or values. */
export interface Finding {
  path: Path
  /** Which of the two is marked; the value, unless told. */
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

/** Something about its text, from one character to another. */
export interface Mark {
  from: number
  to: number
  severity: 'error' | 'warning'
  message: string
  /** A variable that is not set. */
  unset?: string
}
