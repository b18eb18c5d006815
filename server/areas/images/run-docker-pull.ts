import type { Context } from '../../context.ts'
import { readJsonLines } from '../../remote/docker.ts'
import { DockerError } from '../../remote/errors.ts'
import { findCredentials, pullHeaders, imagePath, readImageName } from '../registries/image-registry.ts'
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
      if (isNews && !noting) tell()
    },
    Math.min(saveEvery, stallTimeoutMs),
  )

  function tell() {
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
      if (isNews && !controller.signal.aborted) tell()
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
