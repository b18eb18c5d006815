import type { Instance } from '../../applications/instance.ts'
import { type DeploymentRun, hostOfRun, requireRelease } from '../run/deployment-run.ts'
import { type HealthCheck, portFailureReason } from './health.ts'
import { probePort } from './probe.ts'
import type { RouteTarget } from './routed.ts'

/** Also requires all routed ports to accept connections, unless health checks are off. */
export function withRoutedPorts(
  attempt: DeploymentRun,
  instance: Instance,
  healthCheck: HealthCheck,
  targets: RouteTarget[],
): HealthCheck {
  const { address } = instance
  if (address === null || requireRelease(attempt).config.health.type === 'none') return healthCheck
  const left = targets.flatMap(({ port: given, from }) => {
    const port = given ?? instance.port
    return port === null || port === healthCheck.port ? [] : [{ port, from }]
  })
  return {
    ...healthCheck,
    async check(container, signal) {
      const found = await healthCheck.check(container, signal)
      if (!found.isHealthy) return found
      for (let next = left[0]; next; next = left[0]) {
        const { port, from } = next
        const problem = await probePort(hostOfRun(attempt), { address, port }, signal)
        if (problem !== undefined) return { isHealthy: false, message: `${problem} (used by ${from})`, port }
        left.shift()
      }
      return found
    },
    failureReason: (container, found, signal) =>
      found.port === undefined
        ? healthCheck.failureReason(container, found, signal)
        : portFailureReason(attempt, container, { message: found.message, port: found.port }, signal),
  }
}
