import { request } from 'node:http'
import type { Duplex } from 'node:stream'
import { abortable } from '../../../platform/async.ts'
import { ConnectionLost, HostUnreachable } from '../../../remote/errors.ts'
import type { Host } from '../../../remote/host.ts'
import type { Instance } from '../../applications/instance.ts'
import { DeploymentFailed, getRunHost, type ReleaseRun } from '../run/deployment-run.ts'
import { listeningAdvice, readListening } from './container-failure.ts'
import type { RouteTarget } from './route-targets.ts'
import type { ContainerInspection } from '../../containers/docker-container.ts'

interface HealthResult {
  isHealthy: boolean
  /** The result cannot change anymore, so stop waiting. */
  isFinal?: boolean
  port?: number
  message: string
}

export interface HealthCheck {
  description: string
  port?: number | undefined
  check(container: ContainerInspection, signal: AbortSignal): Promise<HealthResult>
  failureReason(container: ContainerInspection, found: HealthResult, signal: AbortSignal): Promise<string>
}

const stableRunMs = 2_000

/** Automatic checks use the HEALTHCHECK of the image, else its port, else that it keeps running. */
export function healthCheckFor(
  run: ReleaseRun,
  instance: Instance,
  container: ContainerInspection,
  targets: RouteTarget[],
): HealthCheck {
  const { type, path } = healthConfig(run, instance)
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
  return portCheck(run, instance, port, type === 'http' ? path : undefined)
}

const healthConfig = (run: ReleaseRun, { service }: Instance) =>
  service === '' ? run.release.config.health : { type: 'auto' as const, path: '/' }

const imageCheck: HealthCheck = {
  description: 'Health check: HEALTHCHECK of the image',
  check: async ({ State: { Health: health } }) => ({
    isHealthy: health?.Status === 'healthy',
    isFinal: health?.Status === 'unhealthy',
    message: `HEALTHCHECK output: ${health?.Log?.at(-1)?.Output.trim().slice(0, 500) || 'none yet'}`,
  }),
  failureReason: async (_, { message }) => message.replace(/\.?$/, '.'),
}

/** Measures with the clock of Slipway, because the clock of the server may differ. */
function runningCheck(): HealthCheck {
  let [seen, startedAt] = [0, '']
  return {
    description: `Health check: running for ${stableRunMs / 1_000} s`,
    async check({ State: state }) {
      if (state.Status !== 'running') startedAt = ''
      else if (state.StartedAt !== startedAt) [seen, startedAt] = [Date.now(), state.StartedAt]
      return {
        isHealthy: startedAt !== '' && Date.now() - seen > stableRunMs,
        message: `the container is ${state.Status}`,
      }
    },
    failureReason: async (_, { message }) => `${message}.`,
  }
}

const portCheck = (
  run: ReleaseRun,
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
    const problem = await probePort(getRunHost(run), { address: address ?? '', port, path }, signal)
    return { isHealthy: problem === undefined, message: problem ?? '' }
  },
  failureReason: (container, { message }, signal) =>
    portFailureReason(run, container, { message, port }, signal),
})

async function portFailureReason(
  run: ReleaseRun,
  { State: { Pid: pid } }: ContainerInspection,
  { message, port }: { message: string; port: number },
  signal: AbortSignal,
): Promise<string> {
  const listening = await readListening(getRunHost(run), pid, signal)
  return [`${message}.`, listeningAdvice(listening, port)].filter(Boolean).join(' ')
}

/** Also requires all routed ports to accept connections, unless health checks are off. */
export function withRoutedPorts(
  run: ReleaseRun,
  instance: Instance,
  healthCheck: HealthCheck,
  targets: RouteTarget[],
): HealthCheck {
  const { address } = instance
  if (address === null || run.release.config.health.type === 'none') return healthCheck
  const left = targets.flatMap(({ port: ownPort, from }) => {
    const port = ownPort ?? instance.port
    return port === null || port === healthCheck.port ? [] : [{ port, from }]
  })
  return {
    ...healthCheck,
    async check(container, signal) {
      const result = await healthCheck.check(container, signal)
      if (!result.isHealthy) return result
      for (let next = left[0]; next; next = left[0]) {
        const { port, from } = next
        const problem = await probePort(getRunHost(run), { address, port }, signal)
        if (problem !== undefined) return { isHealthy: false, message: `${problem} (used by ${from})`, port }
        left.shift()
      }
      return result
    },
    failureReason: (container, result, signal) =>
      result.port === undefined
        ? healthCheck.failureReason(container, result, signal)
        : portFailureReason(run, container, { message: result.message, port: result.port }, signal),
  }
}

interface ProbeTarget {
  address: string
  port: number
  path?: string | undefined
}

const probeTimeout = 5_000

async function probePort(
  host: Host,
  { address, port, path }: ProbeTarget,
  signal: AbortSignal,
): Promise<string | undefined> {
  const limit = AbortSignal.timeout(probeTimeout)
  try {
    const socket = await dialOrAbort(host, { address, port }, AbortSignal.any([signal, limit]))
    if (path === undefined) {
      socket.destroy()
      return undefined
    }
    const status = await requestStatus(socket, path, AbortSignal.any([signal, limit]))
    return status >= 200 && status < 400 ? undefined : `GET ${path} on port ${port} returned ${status}`
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ConnectionLost || error instanceof HostUnreachable) throw error
    if (limit.aborted) return `no response on port ${port} within ${probeTimeout / 1_000} s`
    return connectionProblem(error, port)
  }
}

function connectionProblem(error: unknown, port: number): string {
  const message = error instanceof Error ? error.message : String(error)
  if (/administratively prohibited/i.test(message))
    return `sshd on the server does not allow TCP forwarding (AllowTcpForwarding)`
  if (/refused/i.test(message)) return `connection refused on port ${port}`
  return /hang up|reset/i.test(message)
    ? `connection closed without a response on port ${port}`
    : `could not connect to port ${port}: ${message}`
}

function requestStatus(socket: Duplex, path: string, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      createConnection: () => socket,
      path,
      headers: { host: 'localhost', 'user-agent': 'Slipway', connection: 'close' },
      signal,
    })
    outgoing.once('response', (reply) => {
      resolve(reply.statusCode ?? 0)
      socket.destroy()
    })
    outgoing.once('error', reject)
    outgoing.end()
  })
}

/** Destroys a socket that opens after the abort, which would otherwise stay open. */
async function dialOrAbort(host: Host, { address, port }: ProbeTarget, signal: AbortSignal): Promise<Duplex> {
  signal.throwIfAborted()
  const dialed = host.dial(address, port)
  try {
    return (await abortable(dialed, signal)).on('error', () => {})
  } catch (error) {
    dialed.then((socket) => socket.destroy()).catch(() => {})
    throw error
  }
}
