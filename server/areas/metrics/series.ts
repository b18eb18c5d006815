import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../tables.ts'

export type MetricKind = 'server' | 'container' | 'application'
type Names = 'workspace_id' | 'server_id' | 'container_id' | 'application_id' | 'at'

export type Sample<K extends MetricKind> = Omit<Tables[`${K}_samples`], Names>

/** Aggregation: shares and amounts become means, capacities the maximum, and request values the mean over requests. */
type Figure = 'share' | 'amount' | 'most' | 'of a request'

export interface Series<K extends MetricKind> {
  samples: `${K}_samples`
  rollups: `${K}_rollups`
  owners: 'servers' | 'applications'
  of: readonly Exclude<keyof Tables[`${K}_samples`] & Names, 'workspace_id' | 'at'>[]
  figures: Readonly<Record<keyof Sample<K> & string, Figure>>
}

export const serverSeries: Series<'server'> = {
  samples: 'server_samples',
  rollups: 'server_rollups',
  owners: 'servers',
  of: ['server_id'],
  figures: {
    cpu: 'share',
    memory_used: 'amount',
    memory_total: 'most',
    disk_used: 'amount',
    disk_total: 'most',
    network_in: 'amount',
    network_out: 'amount',
    load_1: 'share',
    load_5: 'share',
    load_15: 'share',
  },
}

export const containerSeries: Series<'container'> = {
  samples: 'container_samples',
  rollups: 'container_rollups',
  owners: 'servers',
  of: ['server_id', 'container_id'],
  figures: {
    cpu: 'share',
    memory_used: 'amount',
    memory_limit: 'most',
    network_in: 'amount',
    network_out: 'amount',
    disk_read: 'amount',
    disk_written: 'amount',
  },
}

export const applicationSeries: Series<'application'> = {
  samples: 'application_samples',
  rollups: 'application_rollups',
  owners: 'applications',
  of: ['application_id'],
  figures: {
    requests: 'share',
    status_2xx: 'share',
    status_3xx: 'share',
    status_4xx: 'share',
    status_5xx: 'share',
    bytes_in: 'share',
    bytes_out: 'share',
    latency_ms: 'of a request',
    slower_0: 'share',
    slower_5: 'share',
    slower_10: 'share',
    slower_20: 'share',
    slower_50: 'share',
    slower_100: 'share',
    slower_200: 'share',
    slower_500: 'share',
    slower_1000: 'share',
    slower_2000: 'share',
    slower_5000: 'share',
    slower_10000: 'share',
    sessions: 'share',
    cpu: 'share',
    memory_used: 'amount',
  },
}

const figureEntries = <K extends MetricKind>({ figures }: Series<K>) => Object.entries<Figure>(figures)

export const seriesColumns = <K extends MetricKind>(series: Series<K>): { name: string; type: string }[] => [
  ...['workspace_id', ...series.of].map((name) => ({ name, type: 'text' })),
  { name: 'at', type: 'timestamptz' },
  ...figureEntries(series).map(([name, figure]) => ({
    name,
    type: wholeFigures.has(figure) ? 'bigint' : 'real',
  })),
]

const wholeFigures: ReadonlySet<Figure> = new Set<Figure>(['amount', 'most'])

/** Skips rows of deleted owners and locks the others until they are written. */
export const joinOwners = <K extends MetricKind>({ owners, of: [id] }: Series<K>, rows: string) => sql`
  join ${sql.table(owners)} on ${sql.ref(`${owners}.workspace_id`)} = ${sql.ref(`${rows}.workspace_id`)}
    and ${sql.ref(`${owners}.id`)} = ${sql.ref(`${rows}.${id ?? ''}`)}
  for key share of ${sql.table(owners)}`

export const columnList = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))

export const timeBucket = (seconds: number) =>
  sql<Date>`date_bin(make_interval(secs => ${sql.lit(seconds)}), at, timestamptz 'epoch')`

const folds: Record<Figure, (name: string) => RawBuilder<unknown>> = {
  share: (name) => sql`avg(${sql.ref(name)})::real`,
  amount: (name) => sql`avg(${sql.ref(name)})::bigint`,
  most: (name) => sql`max(${sql.ref(name)})`,
  'of a request': (name) =>
    sql`coalesce(sum(${sql.ref(name)} * requests) / nullif(sum(requests), 0), 0)::real`,
}

export const averages = <K extends MetricKind>(series: Series<K>) =>
  sql.join(figureEntries(series).map(([name, figure]) => sql`${folds[figure](name)} as ${sql.ref(name)}`))

export type InterfaceCounters = Map<string, { in: number; out: number }>

/** A new interface adds nothing, and a reset one starts at zero. */
export function counterIncrease(
  before: InterfaceCounters,
  now: InterfaceCounters,
  direction: 'in' | 'out',
): number {
  let bytes = 0
  for (const [name, counters] of now) {
    const known = before.get(name)
    if (known) bytes += Math.max(0, counters[direction] - known[direction])
  }
  return bytes
}

export const ratePerSecond = (bytes: number, seconds: number) =>
  Math.min(Number.MAX_SAFE_INTEGER, Math.round(bytes / seconds))
