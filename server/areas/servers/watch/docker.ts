import { setTimeout as sleep } from 'node:timers/promises'
import { readComposeVersion } from '../../../remote/compose.ts'
import type { Host } from '../../../remote/host.ts'
import { updateServerRow } from '../store.ts'
import { readDockerVersion } from './facts.ts'
import { markDocker, type WatchedServer } from './status.ts'

const LOOK_EVERY = 10_000
/** Docker is briefly unavailable while it restarts, so only a second failure counts. */
const LOOK_AGAIN_AFTER = 2_000
const LOOK_WHILE_SILENT_EVERY = 4_000
const LIMIT = 5_000

/** Checks periodically whether Docker responds, until the signal aborts, and records changes. */
export async function watchDocker(watched: WatchedServer, host: Host, signal: AbortSignal): Promise<void> {
  const { ctx, server } = watched
  for (let told: boolean | undefined; !signal.aborted;) {
    const failure = await look(host, signal, told === false)
    if (signal.aborted) return
    const answers = failure === undefined
    try {
      if (told !== answers && (await markDocker(watched, failure))) {
        if (answers) await noteVersion()
        told = answers
      }
    } catch (error) {
      ctx.log.warn({ server: server.id, why: String(error) }, 'Failed to save whether Docker is reachable.')
    }
    await sleep(answers ? LOOK_EVERY : LOOK_WHILE_SILENT_EVERY, undefined, { signal }).catch(() => {})
  }

  async function noteVersion() {
    const docker_version = await readDockerVersion(host, signal)
    if (docker_version === null) return
    // Compose may have been installed or removed meanwhile.
    const compose_version = await readComposeVersion(host, signal).catch(() => undefined)
    await updateServerRow(ctx.db, server.workspace_id, server.id, { docker_version, compose_version })
  }
}

async function look(host: Host, signal: AbortSignal, once: boolean): Promise<unknown> {
  const failure = await ping(host, signal)
  if (failure === undefined || once || signal.aborted) return failure
  await sleep(LOOK_AGAIN_AFTER, undefined, { signal }).catch(() => {})
  return signal.aborted ? undefined : ping(host, signal)
}

async function ping(host: Host, signal: AbortSignal): Promise<unknown> {
  try {
    await host.docker.json({ method: 'HEAD', path: '/_ping', signal, timeout: LIMIT })
    return undefined
  } catch (error) {
    return error
  }
}
