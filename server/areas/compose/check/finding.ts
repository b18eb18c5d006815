import type { z } from 'zod'
import type { composeProblem } from '../../../../contract/compose.ts'

export type ComposeProblem = z.output<typeof composeProblem>

export type Path = readonly (string | number)[]

export interface Finding {
  path: Path
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

const maxProblems = 100

interface Lines {
  linePos(offset: number): { line: number; col: number }
}

export const toComposeProblems = (marks: readonly Mark[], text: string, lines: Lines): ComposeProblem[] =>
  sorted(marks).map((mark) => toProblem(mark, text, lines))

export const errorSentences = (problems: readonly ComposeProblem[]): string[] =>
  problems.flatMap(({ severity, line, message }) =>
    severity === 'error' ? [`Line ${line}: ${message}`] : [],
  )

function sorted(marks: readonly Mark[]): Mark[] {
  const isError = ({ severity }: Mark) => severity === 'error'
  const byPlace = (a: Mark, b: Mark) => a.from - b.from
  const once = [...new Map(marks.map((mark) => [`${mark.from} ${mark.message}`, mark])).values()]
  const errors = once.filter(isError).toSorted(byPlace).slice(0, maxProblems)
  const warnings = once.filter((mark) => !isError(mark)).toSorted(byPlace)
  return [...errors, ...warnings.slice(0, maxProblems - errors.length)].toSorted(byPlace)
}

function toProblem({ from, to, severity, message }: Mark, text: string, lines: Lines): ComposeProblem {
  const lineEnd = text.indexOf('\n', from)
  const last = Math.min(Math.max(to, from + 1), lineEnd < 0 ? text.length : lineEnd)
  const [start, end] = [lines.linePos(from), lines.linePos(Math.max(last, from))]
  return {
    line: Math.max(start.line, 1),
    column: Math.max(start.col, 1),
    end_line: Math.max(end.line, start.line, 1),
    end_column: Math.max(end.col, 1),
    severity,
    message,
  }
}
