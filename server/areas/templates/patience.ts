import { composeFileOf } from '../compose/read/compose-file.ts'
import { secondsOf } from '../compose/duration.ts'
import { mapOf, textOf } from '../compose/read/loose.ts'
import { readRaw } from '../compose/read/read-raw.ts'

/** Most of what is big does its first set-up while it starts. */
const least = 600
/** As long as the health of an application may take. */
const most = 3_600

/** How many seconds an application is given to become healthy: what its slowest service asks for, at least. */
export function patienceFor(compose: string): number {
  const { services } = composeFileOf(readRaw(compose), [])
  const asked = Object.values(services).map(({ healthcheck }) => {
    const { start_period, interval, timeout, retries } = mapOf(healthcheck)
    const tries = Number(textOf(retries) ?? 0) || 0
    return secondsIn(start_period) + tries * (secondsIn(interval) + secondsIn(timeout))
  })
  return Math.min(Math.ceil(Math.max(least, ...asked)), most)
}

const secondsIn = (given: unknown) => secondsOf(textOf(given) ?? '') ?? 0
