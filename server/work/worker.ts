import { randomBytes } from 'node:crypto'
import type { QueryExecutorProvider } from 'kysely'
import { hostname } from 'node:os'
import { type Job, type Lane, lanes as usualLanes } from '../platform/jobs.ts'
import {
  renewLeases,
  claimJobs,
  listDueLanes,
  endLease,
  releaseExpiredLeases,
  POLL_SECONDS,
  removeWorker,
  millisecondsUntilExpiry,
} from '../platform/leases.ts'
import type { Bus } from '../platform/bus.ts'
import type { Log } from '../platform/log.ts'
import { type Schedule, deleteFinishedJobs } from '../platform/schedules.ts'
import type { Secrets } from '../platform/secrets.ts'
import { createRunningJobs, runJob } from './running-jobs.ts'
import { startSchedules } from './schedules.ts'

export interface WorkerOptions<Ctx> {
  ctx: Ctx
  /**
   * The worker has a small pool of its own, so that handlers that exhaust the connections do not prevent heartbeats.
   */
  db: QueryExecutorProvider
  bus: Bus
  secrets: Secrets
  jobs: Job<Ctx>[]
  schedules: Schedule[]
  log: Log
  lanes?: Record<Lane, number>
  /** Milliseconds that running jobs have on shutdown. */
  shutdownTimeout?: number
  /** Polling finds jobs whose notification was lost. */
  pollSeconds?: number
}

export interface Worker {
  stop(): Promise<void>
}

const BEAT_EVERY = 2_000

export function startWorker<Ctx>(options: WorkerOptions<Ctx>): Worker {
  const { db, bus, log, lanes = usualLanes, shutdownTimeout = 5_000, pollSeconds = POLL_SECONDS } = options
  const own = housekeeping(db)
  const jobs = byKind([...options.jobs, own.job])
  const kinds = [...jobs.keys()]
  const worker = `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`
  const runs = createRunningJobs(db, log)
  const runSerially = createSerialQueue(log)
  const awake = new Set<Lane>()
  const alarms = new Set<NodeJS.Timeout>()
  let stopping = false
  /** Whether the response to a claim was lost, so that the claim may have been granted. */
  let claimUncertain = false

  function wake(lane: string, delay = 0) {
    // A newer version of Slipway may use lanes that this version does not know.
    if (stopping || !isLane(lane)) return
    if (delay > 0) return setAlarm(() => wake(lane), delay)
    if (awake.size === 0) void runSerially(fillLanes)
    awake.add(lane)
  }

  function setAlarm(act: () => void, delay: number) {
    // A poll finds jobs that are due later.
    if (delay > pollSeconds * 1_000) return
    const alarm = setTimeout(() => alarms.delete(alarm) && act(), delay)
    alarms.add(alarm)
  }

  async function fillLanes() {
    const pending = [...awake]
    awake.clear()
    for (const lane of pending) {
      const most = lanes[lane] - runs.countIn(lane)
      if (most <= 0 || stopping) continue
      const sentAt = performance.now()
      claimUncertain = true
      const claimed = await claimJobs(db, worker, { lane, kinds, most })
      claimUncertain = false
      if (claimed.length > 0) runs.confirm(sentAt)
      for (const lease of claimed) {
        const job = jobs.get(lease.kind)
        if (job)
          runs.start(
            lease,
            (signal) => runJob(options, job, lease, signal),
            () => wake(lane),
          )
      }
    }
  }

  async function poll() {
    if (claimUncertain) await renew()
    for (const { id, kind, state } of await releaseExpiredLeases(db))
      log.warn({ job: id, kind, state }, 'Released a job: its lease expired')
    for (const { lane, delay } of await listDueLanes(db, kinds)) wake(lane, delay)
    // An alarm at the next expiry releases the jobs of a dead worker before the next poll.
    const lapse = await millisecondsUntilExpiry(db)
    if (lapse !== null && !stopping) setAlarm(pollNow, lapse)
  }

  async function renew() {
    const sentAt = performance.now()
    const strays = runs.compare(await renewLeases(db, worker), sentAt)
    // These leases were granted, but the response was lost, so the jobs are released.
    for (const lease of strays) await endLease(db, lease, { state: 'queued' })
    claimUncertain = false
  }

  const pollNow = () => void (stopping || runSerially(poll))
  const pollTimer = setInterval(pollNow, pollSeconds * 1_000)
  const beatTimer = setInterval(() => {
    runs.stopLapsed()
    if (runs.count() > 0) void runSerially(renew)
  }, BEAT_EVERY)
  const listeners = [
    bus.on('jobs', (payload) => {
      const [lane = '', delay] = payload.split(' ')
      wake(lane, Number(delay))
    }),
    bus.on('jobs_cancel', (id) => runs.cancel(id)),
    bus.onReconnect(pollNow),
  ]
  pollNow()
  void bus.ready().then(pollNow)
  const schedules = startSchedules({ ...options, schedules: [...options.schedules, own.schedule] })

  return {
    async stop() {
      stopping = true
      for (const off of listeners) off()
      clearInterval(pollTimer)
      for (const alarm of alarms) clearTimeout(alarm)
      await schedules.stop()
      await runSerially(async () => {})
      runs.stopAll('shutting_down')
      await runs.drain(shutdownTimeout)
      clearInterval(beatTimer)
      await runSerially(() => removeWorker(db, worker))
    },
  }
}

function byKind<Ctx>(jobs: Job<Ctx>[]): Map<string, Job<Ctx>> {
  const map = new Map(jobs.map((job) => [job.kind, job]))
  if (map.size < jobs.length) throw new Error('Two jobs have the same kind.')
  return map
}

const isLane = (name: string): name is Lane => name in usualLanes

function housekeeping(db: QueryExecutorProvider): { job: Job<unknown>; schedule: Schedule } {
  const kind = 'forget-finished-jobs'
  return {
    job: { kind, handle: () => deleteFinishedJobs(db) },
    schedule: { name: kind, everySeconds: 3_600, job: { kind, payload: null, lane: 'poll' } },
  }
}

/**
 * Runs claims, polls and heartbeats one after another: a heartbeat must not see a lease before its claim has returned.
 * The next poll retries a failed task.
 */
function createSerialQueue(log: Log) {
  let last = Promise.resolve()
  let isFailing = false
  const logFailure = (error: unknown) => {
    if (!isFailing) log.warn({ reason: String(error) }, 'Failed to use the database; retrying')
    isFailing = true
  }
  return (task: () => Promise<void>) => {
    last = last
      .then(task)
      .then(() => void (isFailing = false))
      .catch(logFailure)
    return last
  }
}
