import { sql } from 'kysely'

/** Where the time of a row lies, in steps of so many seconds. */
export const bucket = (seconds: number) =>
  sql<Date>`date_bin(make_interval(secs => ${sql.lit(seconds)}), at, timestamptz 'epoch')`

/** Of all figures; what there is at all is the most of it. */
export const means = sql`
  avg(cpu)::real as cpu,
  avg(memory_used)::bigint as memory_used, max(memory_total) as memory_total,
  avg(disk_used)::bigint as disk_used, max(disk_total) as disk_total,
  avg(network_in)::bigint as network_in, avg(network_out)::bigint as network_out,
  avg(load_1)::real as load_1, avg(load_5)::real as load_5, avg(load_15)::real as load_15`
