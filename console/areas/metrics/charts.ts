import type { Unit } from '../../ui/chart/chart-units.ts'
import type { ApplicationPoint, ContainerPoint, ServerPoint } from './queries.ts'

export interface ChartKind<Point> {
  title: string
  unit: Unit
  lines: readonly { label: string; value: (point: Point) => number | null | undefined }[]
  most?: (point: Point) => number
  /** Scales the axis to the values when they are far below the capacity. */
  zooms?: true
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
    lines: [{ label: 'Usage', value: ({ cpu }) => cpu }],
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

/** CPU chart in which one core is 100 %, so values can exceed it. */
const cores = {
  title: 'CPU (100% = one core)',
  unit: 'share',
  lines: [{ label: 'Usage', value: ({ cpu }: { cpu: number }) => cpu }],
} as const

export const containerCharts: readonly ChartKind<ContainerPoint>[] = [
  cores,
  {
    title: 'Memory',
    unit: 'bytes',
    lines: [{ label: 'Used', value: (point) => point.memory_used }],
    most: (point) => point.memory_limit,
    // A container without a limit can use all memory of the server.
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

export const applicationCharts: readonly ChartKind<ApplicationPoint>[] = [
  {
    title: 'Requests',
    unit: 'frequency',
    lines: [
      { label: '2xx', value: (point) => point.status_2xx },
      { label: '3xx', value: (point) => point.status_3xx },
      { label: '4xx', value: (point) => point.status_4xx },
      { label: '5xx', value: (point) => point.status_5xx },
    ],
    wide: true,
  },
  {
    title: 'Response time',
    unit: 'milliseconds',
    // An interval without responses has no response time. It is no gap, so return undefined instead of null.
    lines: [
      { label: 'p50', value: (point) => point.latency_p50_ms ?? undefined },
      { label: 'p95', value: (point) => point.latency_p95_ms ?? undefined },
      { label: 'p99', value: (point) => point.latency_p99_ms ?? undefined },
    ],
    wide: true,
  },
  {
    title: 'Open connections',
    unit: 'number',
    lines: [{ label: 'Open', value: ({ sessions }) => sessions }],
  },
  {
    title: 'Traffic',
    unit: 'rate',
    lines: [
      { label: 'In', value: (point) => point.bytes_in },
      { label: 'Out', value: (point) => point.bytes_out },
    ],
  },
  cores,
  { title: 'Memory', unit: 'bytes', lines: [{ label: 'Used', value: (point) => point.memory_used }] },
]
