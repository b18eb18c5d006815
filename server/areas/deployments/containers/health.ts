import type { Instance } from '../../applications/instance.ts'
import type { ContainerInspection } from '../../containers/inspect.ts'
import { type DeploymentRun, DeploymentFailed, hostOfRun, requireRelease } from '../run/deployment-run.ts'
import { listeningAdvice, readListening } from './listening.ts'
import { probePort } from './probe.ts'
import type { RouteTarget } from './routed.ts'

interface HealthResult {
  isHealthy: boolean
  /** Waiting longer is pointless. */
  isFinal?: boolean
  /** The port that failed. */
  port?: number
  message: string
}

export interface HealthCheck {
  description: string
  port?: number | undefined
  check(container: ContainerInspection, signal: AbortSignal): Promise<HealthResult>
  failureReason(container: ContainerInspection, found: HealthResult, signal: AbortSignal): Promise<string>
}

/** Milliseconds that a container without another check must keep running. */
const stableRunMs = 2_000

/** Automatic checks use the HEALTHCHECK of the image, else its port, else that it keeps running. */
export function healthCheckFor(
  attempt: DeploymentRun,
  instance: Instance,
  container: ContainerInspection,
  targets: RouteTarget[],
): HealthCheck {
  const { type, path } = healthConfig(attempt, instance)
  const port = instance.port ?? (instance.service === '' ? null : (targets[0]?.port ?? null))
  const hasOwn = container.State.Health !== undefined
  if (type === 'docker' && !hasOwn)
    throw new DeploymentFailed(
      'The image has no HEALTHCHECK. Choose another health check type in the settings.',
    )
  if (type === 'docker' || (type === 'auto' && hasOwn)) return imageCheck
  if ((type === 'http' || type === 'tcp') && port === null)
    throw new DeploymentFailed(
      'No port to check: the image exposes none or several. Set the port in the settings.',
    )
  if (type === 'none' || port === null || instance.address === null) return runningCheck()
  return portCheck(attempt, instance, port, type === 'http' ? path : undefined)
}

/** Compose services configure their check in the file. */
const healthConfig = (attempt: DeploymentRun, { service }: Instance) =>
  service === '' ? requireRelease(attempt).config.health : { type: 'auto' as const, path: '/' }

const imageCheck: HealthCheck = {
  description: 'Health check: HEALTHCHECK of the image',
  check: async ({ State: { Health: health } }) => ({
    isHealthy: health?.Status === 'healthy',
    isFinal: health?.Status === 'unhealthy',
    message: `HEALTHCHECK output: ${health?.Log?.at(-1)?.Output.trim().slice(0, 500) || 'none yet'}`,
  }),
  failureReason: async (_, { message }) => message.replace(/\.?$/, '.'),
}

/** Uses our own clock, because the one of the server may differ. */
function runningCheck(): HealthCheck {
  let [seen, startedAt] = [0, '']
  return {
    description: `Health check: running for ${stableRunMs / 1_000} s`,
    async check({ State: state }) {
      if (state.Status !== 'running') startedAt = ''
      else if (state.StartedAt !== startedAt) [seen, startedAt] = [Date.now(), state.StartedAt]
      return {
        isHealthy: startedAt !== '' && Date.now() - seen > stableRunMs,
        message: `container is ${state.Status}`,
      }
    },
    failureReason: async (_, { message }) => `${message}.`,
  }
}

const portCheck = (
  attempt: DeploymentRun,
  { address }: Pick<Instance, 'address'>,
  port: number,
  path: string | undefined,
): HealthCheck => ({
  port,
  description:
    path === undefined
      ? `Health check: TCP connection to port ${port}`
      : `Health check: GET ${path} on port ${port}`,
  async check(_, signal) {
    const found = await probePort(hostOfRun(attempt), { address: address ?? '', port, path }, signal)
    return { isHealthy: found === undefined, message: found ?? '' }
  },
  failureReason: (container, { message }, signal) =>
    portFailureReason(attempt, container, { message, port }, signal),
})

export async function portFailureReason(
  attempt: DeploymentRun,
  { State: { Pid: pid } }: ContainerInspection,
  { message, port }: { message: string; port: number },
  signal: AbortSignal,
): Promise<string> {
  const listening = await readListening(hostOfRun(attempt), pid, signal)
  return [`${message}.`, listeningAdvice(listening, port)].filter(Boolean).join(' ')
}
