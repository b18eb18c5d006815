import type { Unit } from '../../ui/chart-units.ts'
import type { ServerPoint } from './queries.ts'

export interface ServerChartKind {
  title: string
  unit: Unit
  lines: readonly { label: string; value: (point: ServerPoint) => number }[]
  /** The most there can be, as the server last had it. */
  most?: (point: ServerPoint) => number
  /** Over the whole width. */
  wide?: true
}

export const charts: readonly ServerChartKind[] = [
  {
    title: 'CPU',
    unit: 'share',
    lines: [{ label: 'Busy', value: ({ cpu }) => cpu }],
    most: () => 1,
    wide: true,
  },
  {
    title: 'Memory',
    unit: 'bytes',
    lines: [{ label: 'Used', value: (point) => point.memory_used }],
    most: (point) => point.memory_total,
  },
  {
    title: 'Disk',
    unit: 'bytes',
    lines: [{ label: 'Used', value: (point) => point.disk_used }],
    most: (point) => point.disk_total,
  },
  {
    title: 'Network',
    unit: 'rate',
    lines: [
      { label: 'In', value: (point) => point.network_in },
      { label: 'Out', value: (point) => point.network_out },
    ],
  },
  {
    title: 'Load',
    unit: 'number',
    lines: [
      { label: '1 min', value: (point) => point.load_1 },
      { label: '5 min', value: (point) => point.load_5 },
      { label: '15 min', value: (point) => point.load_15 },
    ],
  },
]
