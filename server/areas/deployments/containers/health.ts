import type { Instance } from '../../applications/instance.ts'
import type { Inspected } from '../../containers/inspect.ts'
import { type Attempt, Failed, hostFor, releaseOf } from '../run/attempt.ts'
import { adviceOn, readListening } from './listening.ts'
import { probe } from './probe.ts'
import type { Target } from './routed.ts'

interface Found {
  isWell: boolean
  /** It will not become well. */
  isFinal?: boolean
  /** Where nothing answered. */
  port?: number
  /** What was found, as it stands after "it". */
  says: string
}

/** How it is told whether a container can take traffic. */
export interface Look {
  /** What is waited for, as a sentence. */
  says: string
  /** The one that is asked. */
  port?: number | undefined
  now(container: Inspected, signal: AbortSignal): Promise<Found>
  /** Why it never was well, as a sentence. */
  why(container: Inspected, found: Found, signal: AbortSignal): Promise<string>
}

/** Milliseconds for which one that is asked for nothing has to keep running. */
const keepsRunning = 2_000

/** As it was configured. By itself: the image's own check where it has one, else its port, else that it keeps running. */
export function healthCheckOf(
  attempt: Attempt,
  instance: Instance,
  container: Inspected,
  targets: Target[],
): Look {
  const { type, path } = healthOf(attempt, instance)
  const port = instance.port ?? (instance.service === '' ? null : (targets[0]?.port ?? null))
  const hasOwn = container.State.Health !== undefined
  if (type === 'docker' && !hasOwn)
    throw new Failed('The image has no HEALTHCHECK. Choose another health check type in the settings.')
  if (type === 'docker' || (type === 'auto' && hasOwn)) return ownCheck
  if ((type === 'http' || type === 'tcp') && port === null)
    throw new Failed('No port to check: the image exposes none or several. Set the port in the settings.')
  if (type === 'none' || port === null || instance.address === null) return runningCheck()
  return portCheck(attempt, instance, port, type === 'http' ? path : undefined)
}

/** The file of a service says itself how it is asked; how an image is asked is a setting. */
const healthOf = (attempt: Attempt, { service }: Instance) =>
  service === '' ? releaseOf(attempt).config.health : { type: 'auto' as const, path: '/' }

const ownCheck: Look = {
  says: 'Health check: HEALTHCHECK of the image',
  now: async ({ State: { Health: health } }) => ({
    isWell: health?.Status === 'healthy',
    isFinal: health?.Status === 'unhealthy',
    says: `HEALTHCHECK output: ${health?.Log?.at(-1)?.Output.trim().slice(0, 500) || 'none yet'}`,
  }),
  why: async (_, { says }) => says.replace(/\.?$/, '.'),
}

/** By our own clock: that of the server may be another. */
function runningCheck(): Look {
  let [seen, startedAt] = [0, '']
  return {
    says: `Health check: running for ${keepsRunning / 1_000} s`,
    async now({ State: state }) {
      if (state.Status !== 'running') startedAt = ''
      else if (state.StartedAt !== startedAt) [seen, startedAt] = [Date.now(), state.StartedAt]
      return {
        isWell: startedAt !== '' && Date.now() - seen > keepsRunning,
        says: `container is ${state.Status}`,
      }
    },
    why: async (_, { says }) => `${says}.`,
  }
}

const portCheck = (
  attempt: Attempt,
  { address }: Pick<Instance, 'address'>,
  port: number,
  path: string | undefined,
): Look => ({
  port,
  says:
    path === undefined
      ? `Health check: TCP connection to port ${port}`
      : `Health check: GET ${path} on port ${port}`,
  async now(_, signal) {
    const found = await probe(hostFor(attempt), { address: address ?? '', port, path }, signal)
    return { isWell: found === undefined, says: found ?? '' }
  },
  why: (container, { says }, signal) => whyNotAt(attempt, container, { says, port }, signal),
})

/** What was found at a port, and where it listens instead. */
export async function whyNotAt(
  attempt: Attempt,
  { State: { Pid: pid } }: Inspected,
  { says, port }: { says: string; port: number },
  signal: AbortSignal,
): Promise<string> {
  const listening = await readListening(hostFor(attempt), pid, signal)
  return [`${says}.`, adviceOn(listening, port)].filter(Boolean).join(' ')
}
