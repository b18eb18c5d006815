import { type ChartColumn, findGaps, valueRange } from './chart-points.ts'
import { clockTime } from './chart-time.ts'
import { formatInUnit, type Unit } from './chart-units.ts'

interface SummaryOf {
  lines: readonly string[]
  columns: [number[], ...ChartColumn[]]
  unit: Unit
  earlier?: { label: string; columns: readonly ChartColumn[] } | undefined
}

export function chartSummary({ lines, columns, unit, earlier }: SummaryOf): string {
  const [, ...values] = columns
  const sentences = values.map((column, line) => `${lines[line]}: ${rangeText(column, unit)}.`)
  const before = earlier?.columns.map(
    (column, line) => `${lines[line]}, ${earlier.label.toLowerCase()}: ${rangeText(column, unit)}.`,
  )
  return [...sentences, ...(before ?? []), ...gapSentences(columns)].join(' ')
}

function rangeText(column: ChartColumn, unit: Unit): string {
  const range = valueRange(column)
  if (!range) return 'no data'
  const [least, most, mean] = [range.least, range.most, range.mean].map((value) => formatInUnit(value, unit))
  return `lowest ${least}, highest ${most}, on average ${mean}`
}

const MOST_GAPS = 3

function gapSentences(columns: [number[], ...ChartColumn[]]): string[] {
  const gaps = findGaps(columns)
  if (gaps.length > MOST_GAPS) return [`${gaps.length} gaps without data.`]
  return gaps.map(({ from, to }) => `No data between ${clockTime(from)} and ${clockTime(to)}.`)
}
