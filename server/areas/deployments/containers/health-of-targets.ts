import type { Instance } from '../../applications/instance.ts'
import { type Attempt, hostFor, releaseOf } from '../run/attempt.ts'
import { type Look, whyNotAt } from './health.ts'
import { probe } from './probe.ts'
import type { Target } from './routed.ts'

/** Well is only what takes connections wherever the proxy would lead them, too; unless that it runs is to be enough. */
export function withTargets(attempt: Attempt, instance: Instance, look: Look, targets: Target[]): Look {
  const { address } = instance
  if (address === null || releaseOf(attempt).config.health.type === 'none') return look
  const left = targets.flatMap(({ port: given, from }) => {
    const port = given ?? instance.port
    return port === null || port === look.port ? [] : [{ port, from }]
  })
  return {
    ...look,
    async now(container, signal) {
      const found = await look.now(container, signal)
      if (!found.isWell) return found
      for (let next = left[0]; next; next = left[0]) {
        const { port, from } = next
        const says = await probe(hostFor(attempt), { address, port }, signal)
        if (says !== undefined) return { isWell: false, says: `${says} (used by ${from})`, port }
        left.shift()
      }
      return found
    },
    why: (container, found, signal) =>
      found.port === undefined
        ? look.why(container, found, signal)
        : whyNotAt(attempt, container, { says: found.says, port: found.port }, signal),
  }
}
