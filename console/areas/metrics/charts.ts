import type { Unit } from '../../ui/chart-units.ts'
import type { ContainerPoint, ServerPoint } from './queries.ts'

export interface ChartKind<Point> {
  title: string
  unit: Unit
  lines: readonly { label: string; value: (point: Point) => number }[]
  /** The most there can be, as it last was. */
  most?: (point: Point) => number
  /** The axis ends with what is used, where that is little of the most. */
  zooms?: true
  /** Over the whole width. */
  wide?: true
}

const network = {
  title: 'Network',
  unit: 'rate',
  lines: [
    { label: 'In', value: (point: { network_in: number }) => point.network_in },
    { label: 'Out', value: (point: { network_out: number }) => point.network_out },
  ],
} as const

export const serverCharts: readonly ChartKind<ServerPoint>[] = [
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
  network,
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

export const containerCharts: readonly ChartKind<ContainerPoint>[] = [
  // A container may use several cores: 150% is one and a half.
  { title: 'CPU, of one core', unit: 'share', lines: [{ label: 'Busy', value: ({ cpu }) => cpu }] },
  {
    title: 'Memory',
    unit: 'bytes',
    lines: [{ label: 'Used', value: (point) => point.memory_used }],
    most: (point) => point.memory_limit,
    // Without a limit of its own it may use all that the server has.
    zooms: true,
  },
  network,
  {
    title: 'Disk',
    unit: 'rate',
    lines: [
      { label: 'Read', value: (point) => point.disk_read },
      { label: 'Written', value: (point) => point.disk_written },
    ],
  },
]
