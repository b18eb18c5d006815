import type { Context } from '../../context.ts'
import { readJsonLines } from '../../remote/docker.ts'
import { DockerError } from '../../remote/errors.ts'
import { imagePath, readImageName, readImageLocation, registryTitle } from '../registries/image-reference.ts'
import { findCredentials, pullHeaders } from '../registries/registry-credentials.ts'
import { getServerHost } from '../servers/server-host.ts'
import type { ServerRow } from '../servers/server.ts'
import type { z } from 'zod'
import type { pull } from '../../../contract/images.ts'

export const pullStallTimeoutMs = 60_000

const saveEvery = 300
/** Factor for the stall timeout while other pulls on the server block this one. */
const behindOthers = 10

export class PullStalled extends Error {}

export class PullRefused extends DockerError {
  readonly registry: string | undefined

  constructor({ status, message }: DockerError, registry: string | undefined) {
    super(status, message)
    this.registry = registry
  }
}

interface Following {
  ctx: Context
  signal: AbortSignal
  server: ServerRow
  image: string
  platform?: string | undefined
}

/** Closing the connection makes Docker stop. */
export async function runDockerPull(
  { ctx, signal: jobSignal, server, image, platform }: Following,
  stallTimeoutMs: number,
  note: (layers: PullLayer[]) => Promise<void>,
): Promise<void> {
  const { docker } = getServerHost(ctx, server)
  const credentials = await findCredentials(ctx, server.workspace_id, image)
  const { repository, reference } = readImageName(image)
  const progress = createPullProgress()
  const pulse = startPulse(
    stallTimeoutMs,
    () => progress.isBehindOthers(),
    () => note(progress.layers()),
  )
  const signal = AbortSignal.any([jobSignal, pulse.signal])
  try {
    const query = { fromImage: repository, tag: reference, ...(platform && { platform }) }
    const path = `/images/create?${new URLSearchParams(query).toString()}`
    // Docker responds with the first progress line, so the stall timer covers the wait.
    const stream = await docker.stream({
      method: 'POST',
      path,
      headers: pullHeaders(credentials),
      signal,
      timeout: 2 ** 31 - 1,
    })
    for await (const message of readJsonLines<PullMessage>(stream)) {
      if (message.error !== undefined) throw new DockerError(500, message.error)
      pulse.heard(progress.addMessage(message))
    }
    await pulse.stop()
    await docker.json({ path: `${imagePath(image) ?? ''}/json`, signal: jobSignal })
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof DockerError ? new PullRefused(error, credentials?.registry.name) : error
  } finally {
    await pulse.stop()
  }
}

function startPulse(stallTimeoutMs: number, isBehindOthers: () => boolean, note: () => Promise<void>) {
  const controller = new AbortController()
  let lastMessageAt = Date.now()
  let isNews = false
  let noting: Promise<void> | undefined
  const timer = setInterval(
    () => {
      if (Date.now() - lastMessageAt > stallTimeoutMs * (isBehindOthers() ? behindOthers : 1))
        controller.abort(new PullStalled())
      if (isNews && !noting) notify()
    },
    Math.min(saveEvery, stallTimeoutMs),
  )

  function notify() {
    isNews = false
    noting = note()
      .catch((error: unknown) => controller.abort(error))
      .finally(() => (noting = undefined))
  }

  return {
    signal: controller.signal,
    heard(news: boolean) {
      lastMessageAt = Date.now()
      isNews ||= news
    },
    async stop() {
      clearInterval(timer)
      await noting
      if (isNews && !controller.signal.aborted) notify()
      await noting
    },
  }
}

type PullLayer = z.infer<typeof pull>['layers'][number]

interface PullMessage {
  id?: string | undefined
  status?: string | undefined
  progressDetail?: { current?: number | undefined; total?: number | undefined } | undefined
  error?: string | undefined
}

const statuses: Record<string, PullLayer['status']> = {
  'Pulling fs layer': 'waiting',
  Waiting: 'waiting',
  Downloading: 'downloading',
  'Verifying Checksum': 'downloading',
  'Download complete': 'downloading',
  Extracting: 'extracting',
  'Pull complete': 'done',
  'Already exists': 'done',
}

const toLayerStatus = (message = '') => (message.startsWith('Retrying in ') ? 'waiting' : statuses[message])

export function createPullProgress() {
  const layers = new Map<string, PullLayer>()
  const waitingForOthers = new Set<string>()
  return {
    addMessage({ id, status: message, progressDetail: detail }: PullMessage): boolean {
      const status = toLayerStatus(message)
      if (id === undefined || status === undefined) return false
      if (message === 'Waiting') waitingForOthers.add(id)
      else waitingForOthers.delete(id)
      const before = layers.get(id)
      const total = detail?.total && detail.total > 0 ? detail.total : (before?.total ?? null)
      const current = detail?.current ?? (status === 'waiting' ? 0 : (total ?? 0))
      layers.set(id, { id, status, current, total })
      return true
    },
    layers: () => [...layers.values()],
    isBehindOthers() {
      const left = [...layers.values()].filter(({ status }) => status !== 'done')
      return left.length > 0 && left.every(({ id }) => waitingForOthers.has(id))
    },
  }
}

const reasons: [RegExp, (name: string, registry: string, credentials: string | undefined) => string][] = [
  [
    /no space left on device/i,
    (name) => `The disk of the server is full. Free up space, then pull ${name} again.`,
  ],
  [
    /toomanyrequests|rate limit/i,
    (_, registry) =>
      `This server has reached the pull rate limit of ${inSentence(registry)}. Try again later.`,
  ],
  [
    /incorrect username or password|no basic auth credentials|unauthorized|authentication required|access forbidden|status 401|status 403/i,
    (name, registry, credentials) =>
      credentials === undefined
        ? `${registry} requires credentials for ${name}, and the workspace has none. Make the image public, or add credentials under Integrations → Image registries.`
        : `${registry} rejected the credentials “${credentials}” for ${name}. They may be wrong, expired or limited to other images. Test and edit them under Integrations → Image registries.`,
  ],
  [
    /repository does not exist or may require|pull access denied|(?<!permission )denied:/i,
    (name, registry, credentials) =>
      credentials === undefined
        ? `${registry} has no image ${name}, or the image is private. Check the name, or add credentials under Integrations → Image registries.`
        : `${registry} has no image ${name}, or the credentials “${credentials}” cannot read it. Check the name and the access of the credentials.`,
  ],
  [
    /no matching manifest for (\S+)/i,
    (name) => `${name} is not built for the architecture of this server. Choose another image or tag.`,
  ],
  [
    /manifest unknown|manifest for .* not found|name unknown|not found/i,
    (name, registry) => `${registry} has no image ${name}. Check the name and the tag.`,
  ],
  [
    /server gave HTTP response to HTTPS client|x509:|tls:/i,
    (_, registry) =>
      `${registry} has no certificate that the server trusts. Install a trusted certificate, or add the registry to insecure-registries in the Docker configuration of the server.`,
  ],
  [
    /no such host|server misbehaving/i,
    (_, registry) =>
      `The server cannot resolve ${inSentence(registry)}. Check the name and the DNS settings of the server.`,
  ],
  [
    /connection refused|no route to host|network is unreachable|i\/o timeout|Client\.Timeout|deadline exceeded|connection reset|EOF$/i,
    (_, registry) =>
      `The server cannot reach ${inSentence(registry)}. Check that the registry is running and that no firewall blocks it.`,
  ],
]

export function explainPullFailure(name: string, dockerMessage: string, credentials?: string): string {
  const registry = registryTitle(readImageLocation(name).host)
  const match = reasons.find(([pattern]) => pattern.test(dockerMessage))
  const dockerError = withoutQueries(dockerMessage).trim().replace(/\.?$/, '.')
  return match
    ? `${match[1](name, registry, credentials)} Docker error: ${dockerError}`
    : `Docker could not pull ${name}: ${dockerError}`
}

export const pullStalledMessage = (name: string) =>
  `The pull of ${name} made no progress for a minute and was stopped. The registry or the network may be overloaded. Try again; downloaded layers are kept.`

const inSentence = (registry: string) => registry.replace(/^The/, 'the')

/** Signed URLs carry secrets in the query, so queries are removed. */
const withoutQueries = (message: string) => message.replace(/(https?:\/\/[^\s"?]+)\?[^\s"]*/g, '$1')
