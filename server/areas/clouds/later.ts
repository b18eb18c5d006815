import { isNo, noteRefused } from '../cloud-tokens/noted.ts'
import type { CloudTokenRow } from '../cloud-tokens/cloud-token.ts'
import { CloudAway, CloudBusy, TokenRefused } from '../providers/cloud-errors.ts'
import { enqueueProvision } from '../servers/creation.ts'
import { type Creation, CreationFailed, note } from './creation.ts'
import { inTheEnd } from './sentences.ts'
import { paceOf } from './settle.ts'

/** Milliseconds between two tries, at most; whoever says for how long it takes no calls is given a little more. */
const longest = 30_000
const longestBusy = 60_000

/** It is of no use to ask the cloud now, and is tried again later. */
export class Later extends Error {
  readonly pause: number
  /** What is said of it meanwhile, if anything. */
  readonly why: string | undefined
  /** How often it was tried then, where this was no try. */
  readonly tries: number | undefined

  constructor(pause: number, { why, tries }: { why?: string; tries?: number } = {}) {
    super(why ?? 'A cloud request is retried later.')
    this.pause = pause
    this.why = why
    this.tries = tries
  }
}

/** When to ask again, where that is of any use; else why not. */
export async function afterFailure(creation: Creation, token: CloudTokenRow, error: unknown): Promise<Error> {
  const { ctx, run, cloud, tries } = creation
  run.signal.throwIfAborted()
  if (isNo(error)) await noteRefused(ctx, token, error.message)
  if (canWait(error)) return new Later(pauseAfter(tries, error.retryAfter), { why: error.message })
  if (isNo(error)) return new CreationFailed(inTheEnd(cloud, error.message))
  throw error
}

/** A token that is refused may be replaced by another. */
const canWait = (error: unknown): error is CloudAway | CloudBusy | TokenRefused =>
  error instanceof CloudAway || error instanceof CloudBusy || error instanceof TokenRefused

export function pauseAfter(tries: number, retryAfter = 0): number {
  const usual = Math.min(1_000 * 2 ** Math.min(tries, 10), longest)
  return Math.max(usual, Math.min(retryAfter * 1_000, longestBusy))
}

/** Others need the place meanwhile: it is a job of its own that goes on. Until then it says why, and since when. */
export async function leave(creation: Creation, later: Later): Promise<void> {
  const { ctx, server } = creation
  const { pause, why, tries = creation.tries + 1 } = later
  const since = sinceOf(server.reason) ?? ctx.now().toISOString().slice(11, 16)
  const reason = why === undefined ? server.reason : `${why} Slipway keeps trying, since ${since} UTC.`
  await note(creation, { server: reason === server.reason ? {} : { reason } }, (trx) =>
    enqueueProvision(ctx, trx, server, { tries, delay: pause * paceOf(ctx.config) }),
  )
}

/** Since when the cloud is away, if it is said to be; also in the words of a worker that is dead by now. */
export const sinceOf = (reason: string | null) => /since (\d\d:\d\d) UTC\.$/.exec(reason ?? '')?.[1]
