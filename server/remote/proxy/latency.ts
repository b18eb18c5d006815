/** Lower bounds of the histogram in milliseconds. Steps of 2 to 2.5 bound the error of an estimated percentile. */
export const latencyBounds = [0, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000] as const

export const latencyTableName = 'latency'

/** One row per backend with a counter per bound: 20,000 rows are at most 6 MB. */
export const latencyTable = `backend ${latencyTableName}
  stick-table type string len 128 size 20k store gpc(${latencyBounds.length})
`

/** Slipway's own probes are not traffic. Redirects and the maintenance page were answered before. */
export const startLatency = `  http-request set-var(txn.began) date(0,ms)
  http-request track-sc0 var(txn.route) table ${latencyTableName} if { var(txn.route) -m beg app_ } !{ req.hdr(user-agent) -m beg Slipway/ }
`

/**
 * Counts until the headers of the response: the rest of a download or an event stream is up to the client. Each counter
 * covers everything above its bound, so each rule has one condition.
 */
export const countLatency = [
  '  http-response set-var(txn.took) date(0,ms),sub(txn.began)',
  ...latencyBounds.map(
    (bound, index) =>
      `  http-response sc-inc-gpc(${index},0)${bound === 0 ? '' : ` if { var(txn.took) -m int ge ${bound} }`}`,
  ),
  '',
].join('\n')

/** Responses of each backend that took at least as long as the bound of the same position. */
export function parseLatency(table: string): Map<string, number[]> {
  const rows = table.split('\n').flatMap((line) => {
    const [, key] = /\bkey=(\S+) /.exec(line) ?? []
    if (key === undefined) return []
    const counts = latencyBounds.map((_, index) =>
      Number(new RegExp(`\\bgpc${index}=(\\d+)`).exec(line)?.[1] ?? 0),
    )
    return [[key, counts] as const]
  })
  return new Map(rows)
}
