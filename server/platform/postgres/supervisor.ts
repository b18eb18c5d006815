import { setTimeout as sleep } from 'node:timers/promises'
import { exponentialBackoff } from '../../../contract/shared/backoff.ts'
import type { Log } from '../log.ts'
import { diskFullMessage, diskIsFull, NO_SPACE, undefinedIfMissing } from './files.ts'
import { type ProblemLog, rateLimitLog } from './postgres-log.ts'
import { type Cluster, launchPostmaster, type Postmaster } from './postmaster.ts'
import { socketPath } from './database.ts'
import { pause } from '../async.ts'
import { execFile } from 'node:child_process'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readFromSocket } from '../data-dir.ts'

export type PostgresStatus = { ok: true } | { ok: false; reason: string }

/** Milliseconds after which the first start fails. A recovery that makes progress may take longer. */
const START_TIMEOUT = 10_000
const MAX_PAUSE = 5_000
const STABLE_AFTER = 60_000

export class Supervisor {
  readonly #cluster: Cluster
  readonly #log: Log
  readonly #complaints: ProblemLog
  readonly #stopping = new AbortController()
  #status: PostgresStatus = { ok: false, reason: 'PostgreSQL is starting.' }
  #trouble: string | undefined
  #sawFullDisk = false
  #postmaster: Postmaster | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(cluster: Cluster, log: Log) {
    this.#cluster = cluster
    this.#log = log
    this.#complaints = rateLimitLog(log, 40, 10 * 60_000)
  }

  async start(): Promise<void> {
    this.#running = this.#keepRunning()
    for (const end = Date.now() + START_TIMEOUT; !this.#status.ok; await sleep(5)) {
      if (this.#trouble && Date.now() > end) throw new Error(this.#trouble)
    }
  }

  status(): PostgresStatus {
    if (this.#status.ok && this.#sawFullDisk) {
      this.#sawFullDisk = diskIsFull(this.#cluster.pgdata)
      if (this.#sawFullDisk) return { ok: false, reason: diskFullMessage(this.#cluster.pgdata) }
    }
    return this.#status
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#status = { ok: false, reason: 'PostgreSQL is stopped.' }
    await this.#postmaster?.stop()
    await this.#running
  }

  async #keepRunning(): Promise<void> {
    const { signal } = this.#stopping
    for (let failures = 0; !signal.aborted; failures += 1) {
      const begin = Date.now()
      const why = await this.#runOnce().catch((error: unknown) =>
        error instanceof Error ? error.message : String(error),
      )
      if (signal.aborted) return
      if (Date.now() - begin > STABLE_AFTER) failures = 0
      this.#report(why)
      await pause(exponentialBackoff(failures, 100, MAX_PAUSE), signal)
    }
  }

  async #runOnce(): Promise<string> {
    const { pgdata, connection } = this.#cluster
    await stopOrphanedPostgres(pgdata, socketPath(connection.host), this.#log)
    if (this.#stopping.signal.aborted) return ''
    let lastWords: string | undefined
    let reached = false
    const postmaster = launchPostmaster(this.#cluster, this.#complaints, {
      onFatal: (text) => (lastWords = text),
      onNoSpace: () => (this.#sawFullDisk = true),
      onCrashed: () => this.#report('PostgreSQL crashed and is recovering.'),
      onReady: () => reached && this.#becomeReady(),
      onTrouble: (text) => this.#report(text),
    })
    this.#postmaster = postmaster
    reached = await postmaster.ready
    if (reached) this.#becomeReady()
    const end = await postmaster.exited
    return `PostgreSQL stopped (${lastWords ?? end}).`
  }

  #becomeReady(): void {
    if (this.#stopping.signal.aborted) return
    if (this.#trouble) this.#log.info({}, 'Restarted PostgreSQL')
    this.#trouble = undefined
    this.#status = { ok: true }
  }

  #report(reason: string): void {
    const full = NO_SPACE.test(reason) || (this.#sawFullDisk && diskIsFull(this.#cluster.pgdata))
    const why = full ? diskFullMessage(this.#cluster.pgdata) : reason
    this.#status = { ok: false, reason: why }
    if (this.#trouble !== why) this.#log.error({ reason: why }, 'Failed to run PostgreSQL; retrying')
    this.#trouble = why
  }
}

/**
 * Stops a PostgreSQL that outlived its Slipway. Also removes a postmaster.pid whose process ID now belongs to another
 * program, because PostgreSQL would refuse to start.
 */
async function stopOrphanedPostgres(pgdata: string, socket: string, log: Log): Promise<void> {
  const note = join(pgdata, 'postmaster.pid')
  const pid = Number.parseInt((await undefinedIfMissing(readFile(note, 'utf8'))) ?? '', 10)
  if (!(pid > 0)) return
  if (await isPostmaster(pid, pgdata)) {
    log.warn({ pid }, 'Stopping the PostgreSQL of an earlier run')
    await stopOrphan(pid, pgdata)
  } else if ((await readFromSocket(socket, 500)) !== undefined) {
    throw new Error(`Another PostgreSQL, possibly in another container, is using ${pgdata}. Stop it first.`)
  } else if (isTaken(pid)) {
    await rm(note, { force: true })
  }
}

async function stopOrphan(pid: number, pgdata: string): Promise<void> {
  for (const [signal, timeoutMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    process.kill(pid, signal)
    for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(20)) {
      if (!(await isPostmaster(pid, pgdata))) return
    }
  }
  throw new Error(
    `PostgreSQL (process ${pid}) is still using ${pgdata} and does not stop. Stop this process, then start Slipway again.`,
  )
}

/** Returns whether the process is a PostgreSQL that uses this folder. The process ID alone proves nothing. */
async function isPostmaster(pid: number, pgdata: string): Promise<boolean> {
  try {
    if (process.platform === 'linux') {
      const [name, running, own] = await Promise.all([
        readFile(`/proc/${pid}/comm`, 'utf8'),
        stat(`/proc/${pid}/cwd`),
        stat(pgdata),
      ])
      return name.trim() === 'postgres' && running.dev === own.dev && running.ino === own.ino
    }
    const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)])
    return stdout.includes('/postgres ') && stdout.includes(`-D ${pgdata} `)
  } catch {
    return false
  }
}

function isTaken(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
