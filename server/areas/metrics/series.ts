import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../tables.ts'

export type Kind = 'server' | 'container'
type Names = 'workspace_id' | 'server_id' | 'container_id' | 'at'

/** What is kept of a moment. Rates and shares are over the time since the reading before. */
export type Sample<K extends Kind> = Omit<Tables[`${K}_samples`], Names>

/** A share and an amount become the mean of many; what there is at all becomes the most of it. */
type Figure = 'share' | 'amount' | 'most'

/** The figures of one kind of thing: where they are kept, and which columns tell whose they are. */
export interface Series<K extends Kind> {
  samples: `${K}_samples`
  rollups: `${K}_rollups`
  of: readonly Exclude<keyof Tables[`${K}_samples`] & Names, 'workspace_id' | 'at'>[]
  figures: Readonly<Record<keyof Sample<K> & string, Figure>>
}

export const ofServers: Series<'server'> = {
  samples: 'server_samples',
  rollups: 'server_rollups',
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

export const ofContainers: Series<'container'> = {
  samples: 'container_samples',
  rollups: 'container_rollups',
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

const figuresOf = <K extends Kind>({ figures }: Series<K>) => Object.entries<Figure>(figures)

/** Every column with its type, in one order. */
export const columnsOf = <K extends Kind>(series: Series<K>): { name: string; type: string }[] => [
  ...['workspace_id', ...series.of].map((name) => ({ name, type: 'text' })),
  { name: 'at', type: 'timestamptz' },
  ...figuresOf(series).map(([name, figure]) => ({ name, type: figure === 'share' ? 'real' : 'bigint' })),
]

export const listed = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))

/** Where the time of a row lies, in steps of so many seconds. */
export const bucket = (seconds: number) =>
  sql<Date>`date_bin(make_interval(secs => ${sql.lit(seconds)}), at, timestamptz 'epoch')`

const folds: Record<Figure, (name: string) => RawBuilder<unknown>> = {
  share: (name) => sql`avg(${sql.ref(name)})::real`,
  amount: (name) => sql`avg(${sql.ref(name)})::bigint`,
  most: (name) => sql`max(${sql.ref(name)})`,
}

export const means = <K extends Kind>(series: Series<K>) =>
  sql.join(figuresOf(series).map(([name, figure]) => sql`${folds[figure](name)} as ${sql.ref(name)}`))
