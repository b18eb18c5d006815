import { stderrSeparator } from '../../../contract/shared/command-line.ts'

interface Line {
  stream: 'stdout' | 'stderr'
  text: string
}

export function separateStreams(lines: readonly Line[]): readonly Line[] {
  const errors = lines.filter(({ stream }) => stream === 'stderr')
  if (errors.length === 0) return lines
  const rest = lines.filter(({ stream }) => stream === 'stdout')
  return [...rest, { stream: 'stdout', text: stderrSeparator }, ...errors]
}
