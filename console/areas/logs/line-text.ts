import { type Piece, readAnsi } from './ansi.ts'
import { type Style, plain } from './ansi-style.ts'
import { type LogLine, shownLength } from './log-entry.ts'
import type { Range } from './matcher.ts'

export interface Part {
  /** Where it begins in the line. */
  from: number
  text: string
  style: Style
  marked: boolean
}

/** As much of a line as is shown, cut wherever its look changes or what is looked for begins or ends. */
export function partsOf(line: Pick<LogLine, 'text' | 'raw'>, ranges: readonly Range[]): Part[] {
  const pieces: Piece[] = line.raw === undefined ? [{ text: line.text, style: plain }] : readAnsi(line.raw)
  const edges = ranges.flat()
  const parts: Part[] = []
  let from = 0
  for (const { text, style } of pieces) {
    const until = Math.min(from + text.length, shownLength)
    const cuts = [from, ...edges.filter((edge) => edge > from && edge < until), until]
    for (let at = 1; at < cuts.length; at++) {
      const [begin = 0, end = 0] = [cuts[at - 1], cuts[at]]
      if (end > begin)
        parts.push({
          from: begin,
          text: text.slice(begin - from, end - from),
          style,
          marked: ranges.some(([first, last]) => begin >= first && begin < last),
        })
    }
    from = until
    if (from >= shownLength) break
  }
  return parts
}
