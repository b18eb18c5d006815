import type { Diagnostic } from '@codemirror/lint'
import type { Text } from '@codemirror/state'
import type { ComposeProblem } from './check-query.ts'

/** Lines and columns begin at 1. The text may have changed since they were told, so they may lie beyond it. */
export function offsetOf(text: Text, line: number, column: number): number {
  const { from, to } = text.line(Math.min(Math.max(line, 1), text.lines))
  return Math.min(from + Math.max(column - 1, 0), to)
}

export const diagnosticsOf = (text: Text, problems: readonly ComposeProblem[]): Diagnostic[] =>
  problems.map(({ line, column, end_line, end_column, severity, message }) => {
    const from = offsetOf(text, line, column)
    return { from, to: Math.max(offsetOf(text, end_line, end_column), from), severity, message }
  })
