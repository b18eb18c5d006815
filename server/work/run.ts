import { type Claimed, assertHeld, type Ending } from '../platform/leases.ts'
import { errorOf, GiveUp, type Job, payloadOf, Stopped } from '../platform/jobs.ts'
import type { Log } from '../platform/log.ts'
import type { Secrets } from '../platform/secrets.ts'

const LONGEST_BACK_OFF = 600

/** Seconds until the next try after so many failures; by chance (0 to 1) up to a half less, so that many do not come at once. */
export const backOff = (failures: number, chance: number) =>
  Math.min(2 ** failures, LONGEST_BACK_OFF) * (0.5 + chance / 2)

/** Runs a job once and tells how its lease ends. Whatever the handler throws ends here. */
export async function runOnce<Ctx>(
  { ctx, secrets, log }: { ctx: Ctx; secrets: Secrets; log: Log },
  job: Job<Ctx>,
  claimed: Claimed,
  signal: AbortSignal,
): Promise<Ending> {
  const { id, kind, fence, failures, attempts } = claimed
  const attempt = failures + 1
  const started = performance.now()
  try {
    const payload: unknown = JSON.parse(secrets.open(payloadOf(id), claimed.payload_sealed))
    await job.handle(ctx, payload, {
      id,
      attempt,
      fence,
      signal,
      stillMine: (trx) => assertHeld(trx, claimed),
    })
    const took = Math.round(performance.now() - started)
    log.debug({ job: id, kind, attempt, took }, 'A job is done.')
    return { state: 'done' }
  } catch (error) {
    if (signal.reason instanceof Stopped) {
      log.info({ job: id, kind, attempt, why: signal.reason.why }, 'A job was stopped.')
      return { state: signal.reason.why === 'cancelled' ? 'cancelled' : 'queued' }
    }
    const errorSealed = secrets.seal(errorOf(id), wordsOf(error).slice(0, 4_000))
    const facts = { job: id, kind, attempt, ...factsOf(error) }
    if (attempt >= attempts || error instanceof GiveUp) {
      log.error(facts, 'A job failed and was given up.')
      return { state: 'failed', errorSealed }
    }
    const delay = backOff(failures, Math.random())
    log.warn({ ...facts, delay: Math.round(delay) }, 'A job failed and will be tried again.')
    return { state: 'queued', errorSealed, delay }
  }
}

const wordsOf = (error: unknown) => String(error instanceof Error ? error.message : error)

/** What may be logged of an error: its words can hold secrets, its name and place cannot. */
function factsOf(error: unknown) {
  if (!(error instanceof Error)) return { error: typeof error }
  const frames =
    error.stack
      ?.split(error.message)
      .at(-1)
      ?.match(/^ {4}at .*$/gm) ?? []
  return { error: error.name, at: frames.slice(0, 4).map((frame) => frame.trim()) }
}
