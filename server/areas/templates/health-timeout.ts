import { toComposeFile } from '../compose/read/compose-file.ts'
import { parseDuration } from '../compose/read/read-service.ts'
import { toMap, toText } from '../compose/read/untyped.ts'
import { readUninterpolated } from '../compose/read/to-value.ts'

/** Most of what is big does its first set-up while it starts. */
const least = 600
/** Maximum of the health check timeout. */
const most = 3_600

/** How many seconds an application is given to become healthy: what its slowest service asks for, at least. */
export function healthTimeoutFor(compose: string): number {
  const { services } = toComposeFile(readUninterpolated(compose), [])
  const asked = Object.values(services).map(({ healthcheck }) => {
    const { start_period, interval, timeout, retries } = toMap(healthcheck)
    const tries = Number(toText(retries) ?? 0) || 0
    return secondsIn(start_period) + tries * (secondsIn(interval) + secondsIn(timeout))
  })
  return Math.min(Math.ceil(Math.max(least, ...asked)), most)
}

const secondsIn = (given: unknown) => parseDuration(toText(given) ?? '') ?? 0
