/*
 * The proxy counts the requests of each application in a table, because the statistics of a backend include requests of
 * Slipway. Requests of Slipway carry a secret header, so that nobody else can hide requests.
 */

export const probeHeader = 'slipway-probe'

const table = 'traffic'
/**
 * Lower bounds of the histogram in milliseconds. Each is 2 to 2.5 times the previous one, which limits the error of an
 * estimated percentile.
 */
export const latencyBounds = [0, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000] as const
const classes = [2, 3, 4, 5] as const
const firstClass = latencyBounds.length
/** HAProxy before 2.8 can only increment, so each binary digit of the response time has a counter. */
const timeDigits = Array.from({ length: 16 }, (_, digit) => ({
  counter: firstClass + classes.length + digit,
  milliseconds: 2 ** digit,
}))
const longestTime = 2 ** timeDigits.length - 1

/** The entries do not expire, so those of deleted applications stay until a reload. */
export const trafficTable = `backend ${table}
  stick-table type string len 64 size 100k store conn_cur,bytes_in_cnt,bytes_out_cnt,gpc(${firstClass + classes.length + timeDigits.length})
`

const increment = (counter: number, condition: string) =>
  `  http-after-response set-var(txn.count) sc_inc_gpc(${counter},0) if { ${condition} }`

const rules = [
  ...latencyBounds.map((bound, index) => increment(index, `var(txn.took) -m int ge ${bound}`)),
  ...classes.map((kind, index) => increment(firstClass + index, `status ${kind}00:${kind}99`)),
  ...timeDigits.map(({ counter, milliseconds }) =>
    increment(counter, `var(txn.took),and(${milliseconds}) -m int gt 0`),
  ),
]

/**
 * Rules of the frontend, after those that respond by themselves. The response time ends at the headers, also of a
 * response that the proxy generates, because the duration of a download or an event stream depends on the client.
 */
export const countTraffic = (probes: string) => `  http-request set-var(txn.began) date(0,ms)
  http-request track-sc0 var(txn.route),word(1,.-) table ${table} if { var(txn.route) -m beg app_ } !{ req.hdr(${probeHeader}),map_str(${probes}) -m found }
  http-request del-header ${probeHeader}
  http-after-response set-var(txn.took) date(0,ms),sub(txn.began) if { status 101 200:599 }
  http-after-response set-var(txn.took) int(0) if { var(txn.took) -m int lt 0 }
  http-after-response set-var(txn.took) int(${longestTime}) if { var(txn.took) -m int gt ${longestTime} }
${rules.join('\n')}
`

export const showTraffic = `show table ${table}`

export interface HttpTraffic {
  responses: number
  status2xx: number
  status3xx: number
  status4xx: number
  status5xx: number
  /** Number of responses that took at least as long as each of `latencyBounds`; null if none was counted. */
  slower: readonly number[] | null
  /** Sum of the response times in milliseconds, until the headers. */
  responseTime: number
  bytesIn: number
  bytesOut: number
  sessions: number
}

/** Maps application IDs to their traffic. */
export function parseTraffic(text: string): Map<string, HttpTraffic> {
  const entries = [...text.matchAll(/^0x[0-9a-f]+: key=(\S+) (.*)$/gm)]
  return new Map(entries.map(([, key = '', counters = '']) => [key, parseCounters(counters)]))
}

function parseCounters(text: string): HttpTraffic {
  const values = new Map([...text.matchAll(/(\w+)=(\d+)/g)].map(([, name, value]) => [name, Number(value)]))
  const of = (name: string) => values.get(name) ?? 0
  const gpc = (index: number) => of(`gpc${index}`)
  const [status2xx = 0, status3xx = 0, status4xx = 0, status5xx = 0] = classes.map((_, index) =>
    gpc(firstClass + index),
  )
  return {
    responses: gpc(0),
    slower: latencyBounds.map((_, index) => gpc(index)),
    status2xx,
    status3xx,
    status4xx,
    status5xx,
    responseTime: timeDigits.reduce(
      (total, { counter, milliseconds }) => total + gpc(counter) * milliseconds,
      0,
    ),
    bytesIn: of('bytes_in_cnt'),
    bytesOut: of('bytes_out_cnt'),
    sessions: of('conn_cur'),
  }
}
