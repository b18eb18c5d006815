import { setTimeout as sleep } from 'node:timers/promises'
import { readJsonLines } from '../docker.ts'
import { DockerError, RemoteError } from '../errors.ts'
import type { Host } from '../host.ts'
import { proxyPath, proxyFolder } from './config.ts'
import { configName } from './plan.ts'
import { ProxyUnreachable, sendToWorker } from './runtime-api.ts'
import { command } from '../command.ts'

export const proxyContainer = 'slipway-proxy'
/** Increment this when the run options change, so that setup replaces the container. */
export const proxyRevision = '2'
const proxyLabel = 'slipway.proxy'

/** The container runs as root to bind privileged ports on the host network; HAProxy then drops its privileges. */
export const runArguments = (image: string): string[] => {
  const how = [
    '--detach',
    '--name',
    proxyContainer,
    '--restart',
    'always',
    '--network',
    'host',
    '--user',
    '0:0',
  ]
  const log = ['--log-driver', 'json-file', '--log-opt', 'max-size=10m', '--log-opt', 'max-file=3']
  const files = ['--volume', `${proxyFolder}:${proxyFolder}:z`]
  const program = ['-W', '-db', '-S', `${proxyPath('master.sock')},mode,660`, '-f', proxyPath(configName)]
  return [...how, ...log, ...files, '--entrypoint', 'haproxy', image, ...program]
}

export async function ensureProxy(host: Host, image: string, signal?: AbortSignal): Promise<void> {
  if (!(await isThere(host))) await run(host, image, signal)
  await start(host)
  for (const end = Date.now() + 15_000; ; await sleep(50, undefined, { signal })) {
    try {
      await sendToWorker(host, ['show info'])
      return
    } catch (error) {
      if (!(error instanceof ProxyUnreachable) || Date.now() > end) throw error
    }
  }
}

async function isThere(host: Host): Promise<boolean> {
  try {
    await host.docker.json({ path: `/containers/${proxyContainer}/json` })
    return true
  } catch (error) {
    if (error instanceof DockerError && error.status === 404) return false
    throw error
  }
}

export async function proxyEvents(
  host: Host,
  signal: AbortSignal,
): Promise<AsyncIterable<{ Action: string }>> {
  const filters = { type: ['container'], container: [proxyContainer], event: ['start', 'die'] }
  const query = new URLSearchParams({ filters: JSON.stringify(filters) })
  return readJsonLines(await host.docker.stream({ path: `/events?${query.toString()}`, signal }))
}

const start = (host: Host) =>
  host.docker.json({ method: 'POST', path: `/containers/${proxyContainer}/start` })

async function run(host: Host, image: string, signal: AbortSignal | undefined): Promise<void> {
  const { Id } = await host.docker.json<{ Id: string }>({
    path: `/images/${encodeURIComponent(image)}/json`,
    signal,
  })
  const label = ['--label', `${proxyLabel}=${Id} ${proxyRevision}`]
  const env = host.target.kind === 'local' ? { DOCKER_HOST: `unix://${host.target.dockerSocket}` } : undefined
  const { code, stderr } = await host.run(
    { ...command('docker', 'run', ...label, ...runArguments(image)), env },
    { signal },
  )
  if (code !== 0)
    throw new RemoteError(
      `The proxy could not be started: ${stderr.trim().split('\n')[0] ?? ''}. Run setup again.`,
    )
}
