import { sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db } from '../../../tables.ts'
import type { Moment } from '../engine-state.ts'
import { createChangeFilter } from './change-filter.ts'

/** Milliseconds between complete reads, because a process whose clock is behind may write samples late. */
const ALL_EVERY = 30_000

/** Seconds around now in which samples count as new, and the delay of their writes. */
const AROUND = 30
const LATE = 3

export interface ContainerSampleRow {
  workspace_id: Id<'workspace'>
  server_id: Id<'server'>
  container_id: string
  at: Date
  /** CPU use as a share of one core. */
  cpu: number
  memory_used: number
  memory_limit: number
}

export function createContainerSamplesReader(db: Db) {
  const fresh = createChangeFilter()
  let last: Moment | undefined
  let allAt = -Infinity

  return async (moment: Moment, workspaceIds: readonly Id<'workspace'>[]): Promise<ContainerSampleRow[]> => {
    if (workspaceIds.length === 0) return []
    const { now, at } = moment
    const all = at - allAt >= ALL_EVERY || last === undefined || isSet(last, moment)
    const since = all || !last ? AROUND : (at - last.at) / 1_000 + LATE
    const { rows } = await sql<ContainerSampleRow>`
      select distinct on (server_id, container_id) workspace_id, server_id, container_id, at, cpu, memory_used,
        memory_limit
      from container_samples
      where at between ${now}::timestamptz - make_interval(secs => ${since})
          and ${now}::timestamptz + make_interval(secs => ${AROUND})
        and workspace_id = any (${[...workspaceIds]})
      order by server_id, container_id, at desc`.execute(db)
    last = moment
    if (all) {
      allAt = at
      fresh.begin()
    }
    const found = rows.filter((row) => fresh.isNew(`${row.server_id} ${row.container_id}`, row.at))
    if (all) fresh.end()
    return found
  }
}

/** The wall clock was changed: it moved differently from the monotonic clock. */
const isSet = (last: Moment, { now, at }: Moment) =>
  Math.abs(now.getTime() - last.now.getTime() - (at - last.at)) > 1_000
