import { setTimeout as sleep } from 'node:timers/promises'
import type { Host } from '../../../remote/host.ts'
import { claimMachine } from '../claim-machine.ts'
import { changeServer, findServer, updateIfSameVersion } from '../server.ts'
import type { Watcher } from '../watcher.ts'
import { type WatchedServer, markDocker } from './status.ts'
import { readComposeVersion } from '../../../remote/compose.ts'
import { command } from '../../../remote/command.ts'
import { readScript } from '../../../platform/read-script.ts'
import { exponentialBackoff } from '../../../../contract/shared/backoff.ts'
import { pause } from '../../../platform/async.ts'

const STOP_TIMEOUT_MS = 1_000
const LONGEST_PAUSE = 60_000

export async function runWatchers(
  watched: WatchedServer,
  host: Host,
  watchers: Watcher[],
  signal: AbortSignal,
): Promise<void> {
  const works = [
    noteFacts(watched, host, signal),
    identifyMachine(watched, host, signal),
    watchDocker(watched, host, signal),
    ...watchers.map((watcher) => keepWatching(watched, host, watcher, signal)),
  ]
  if (!signal.aborted)
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  await Promise.race([Promise.allSettled(works), sleep(STOP_TIMEOUT_MS)])
}

async function noteFacts({ ctx, server }: WatchedServer, host: Host, signal: AbortSignal): Promise<void> {
  try {
    const facts = await readFacts(host, signal)
    await changeServer(ctx.db, server.workspace_id, server.id, { ...facts, last_seen_at: ctx.now() })
  } catch (error) {
    if (!signal.aborted)
      ctx.log.warn(
        { server: server.id, reason: String(error) },
        'Failed to read the system information of a server',
      )
  }
}

/** Identifies the machine after its host key changed, because it may be reinstalled. Setup identifies new servers. */
async function identifyMachine({ ctx, server }: WatchedServer, host: Host, signal: AbortSignal) {
  try {
    const now = await findServer(ctx, server.workspace_id, server.id)
    if (now?.version !== server.version || now.machine !== null) return
    if (now.status !== 'ready' && now.status !== 'unreachable') return
    const problem = await claimMachine(ctx, now, host, signal)
    if (problem === undefined) return
    ctx.log.warn({ server: server.id, reason: problem }, 'Rejected the machine of a server')
    await updateIfSameVersion(ctx.db, now.workspace_id, now, { status: 'failed', reason: problem })
  } catch (error) {
    if (!signal.aborted)
      ctx.log.warn({ server: server.id, reason: String(error) }, 'Failed to read the machine ID of a server')
  }
}

async function keepWatching(
  { ctx, server }: WatchedServer,
  host: Host,
  watcher: Watcher,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; !signal.aborted; failures++) {
    const began = performance.now()
    try {
      await watcher.watch(ctx, server, host, signal)
    } catch (error) {
      if (signal.aborted) return
      ctx.log.warn(
        { server: server.id, watcher: watcher.name, reason: String(error) },
        'Failed to run a watcher',
      )
    }
    if (performance.now() - began > LONGEST_PAUSE) failures = 0
    await pause(exponentialBackoff(failures, 1_000, LONGEST_PAUSE), signal)
  }
}

const LOOK_EVERY = 10_000
/** Docker is briefly unavailable while it restarts, so only a second failure counts. */
const LOOK_AGAIN_AFTER = 2_000
const LOOK_WHILE_SILENT_EVERY = 4_000
const LIMIT = 5_000

async function watchDocker(watched: WatchedServer, host: Host, signal: AbortSignal): Promise<void> {
  const { ctx, server } = watched
  let noted: string | undefined
  for (let reported: boolean | undefined; !signal.aborted;) {
    const failure = await checkDocker(host, signal, reported === false)
    if (signal.aborted) return
    const answers = failure === undefined
    try {
      if (reported !== answers && (await markDocker(watched, failure))) {
        reported = answers
        noted = undefined
      }
      if (answers) await noteVersion()
    } catch (error) {
      ctx.log.warn({ server: server.id, reason: String(error) }, 'Failed to save whether Docker is reachable')
    }
    await pause(answers ? LOOK_EVERY : LOOK_WHILE_SILENT_EVERY, signal)
  }

  async function noteVersion() {
    const engine = await host.docker.engine({ signal, timeout: LIMIT }).catch(() => undefined)
    if (!engine) return
    const { version: docker_version, apiVersion: docker_api_version } = engine
    const now = `${docker_version} ${docker_api_version}`
    if (noted === now) return
    // Read the version of Compose again, because Compose may have been installed or removed meanwhile.
    const compose_version = await readComposeVersion(host, signal).catch(() => undefined)
    const versions = { docker_version, docker_api_version, compose_version }
    await changeServer(ctx.db, server.workspace_id, server.id, versions)
    noted = now
  }
}

async function checkDocker(host: Host, signal: AbortSignal, once: boolean): Promise<unknown> {
  const failure = await ping(host, signal)
  if (failure === undefined || once || signal.aborted) return failure
  await pause(LOOK_AGAIN_AFTER, signal)
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

const readSystemScript = readScript('read-system.sh')

async function readFacts(host: Host, signal: AbortSignal) {
  const { stdout } = await host.run(command('sh', '-c', readSystemScript), { signal, maxBytes: 10_000 })
  const values = new Map(
    stdout.split('\n').map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]),
  )
  const text = (name: string) => clean(values.get(name) ?? '') || null
  const count = (name: string) =>
    /^\d{1,15}$/.test(values.get(name) ?? '') ? Number(values.get(name)) : null
  const bytes = (name: string) => {
    const kibibytes = count(name)
    return kibibytes === null ? null : kibibytes * 1024
  }
  return {
    os: text('os'),
    architecture: text('architecture'),
    cpus: count('cpus'),
    memory_bytes: bytes('memory'),
    disk_bytes: bytes('disk'),
  }
}

/** Sanitizes output of an untrusted machine to one short printable line. */
const clean = (text: string) => text.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '').slice(0, 100)
