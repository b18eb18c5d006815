import { type AlertKind, type AlertKindName, alertKinds } from '../../../contract/shared/alert-kinds.ts'
import type { Point } from '../../ui/chart/chart-points.ts'
import type { Unit } from '../../ui/chart/chart-units.ts'
import { subjectsPlural } from './alert-texts.ts'
import type { Preview } from './queries.ts'

interface Scale {
  title: string
  unit: Unit
  by: number
  most?: number
}

export function chartScale(kind: AlertKindName): Scale | undefined {
  const { label, unit, subject }: AlertKind = alertKinds[kind]
  if (kind === 'http_check') return { title: 'Response time', unit: 'milliseconds', by: 1 }
  if (unit === undefined) return undefined
  if (unit !== 'percent') return { title: titles[unit], unit: 'number', by: 1 }
  const share = { title: label, unit: 'share' as const, by: 0.01 }
  // A container can use more than one core, so its CPU chart has no maximum.
  return subject === 'server' || kind === 'container_memory' ? { ...share, most: 1 } : share
}

const titles = { load: 'Load per core', times: 'Times', days: 'Days left' }

export function toChartPoints(series: Preview['series'], by: number): Point[] {
  const rows = new Map<number, (number | null)[]>()
  for (const [line, { points }] of series.entries())
    for (const { at, value } of points) {
      const time = Date.parse(at) / 1000
      const row = rows.get(time) ?? series.map(() => null)
      row[line] = value * by
      rows.set(time, row)
    }
  return [...rows].toSorted(([a], [b]) => a - b).map(([at, values]) => ({ at, values }))
}

/** Returns a summary such as “Applies to 3 servers. The alert would have triggered twice in the last 24 hours.” */
export function previewText(
  kind: AlertKindName,
  { subjects, times_fired: count }: Pick<Preview, 'subjects' | 'times_fired'>,
) {
  const things = subjectsPlural(kind)
  if (subjects === 0) return `No ${things} in this scope yet.`
  const looks = `Applies to ${subjects} ${subjects === 1 ? things.replace(/s$/, '') : things}.`
  const { unit }: AlertKind = alertKinds[kind]
  // The history holds only averages, in which shorter peaks are missing, so the text names them.
  const by = unit === 'percent' || unit === 'load' ? ' (5-minute averages)' : ''
  return count === null ? looks : `${looks} ${firedText(count)} in the last 24 hours${by}.`
}

function firedText(count: number): string {
  if (count === 0) return 'The alert would not have triggered'
  const often = count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`
  return `The alert would have triggered ${often}`
}
