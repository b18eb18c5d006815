import type { Id } from '../../../contract/shared/ids.ts'
import type { stepNames } from '../../../contract/deployments.ts'
import type { Context } from '../../context.ts'
import type { Run } from '../../platform/jobs.ts'
import { updateRelease } from '../applications/release.ts'
import { allEnded } from './run/all-ended.ts'
import { type Attempt, Cancelled, Failed, Over, tellChange, writeAs, writeBoth } from './run/attempt.ts'
import { begin } from './run/begin.ts'
import { makesRelease, whyNone } from './run/choose-release.ts'
import { enqueueDrain } from './run/deploy-job.ts'
import type { Deployment } from './run/deployment.ts'
import { catchUp } from './run/follow-words.ts'
import { leave } from './run/following.ts'
import { complete, watchUntil } from './run/finish.ts'
import { giveUp, isLast, ownFailure, whyOf } from './cleanup/give-up.ts'
import { holdOut } from './run/hold-out.ts'
import { build } from './steps/build.ts'
import { clearSource, isRepository } from './source/source-work.ts'
import { check } from './steps/check.ts'
import { drain } from './steps/drain.ts'
import { fetch } from './steps/fetch.ts'
import { prune } from './steps/prune.ts'
import { start } from './steps/start.ts'
import { switchOver } from './steps/switch.ts'
import { wait } from './steps/wait.ts'
import { errorsOf, sealStepError } from './run/sealed-errors.ts'
import { enterStep, listSteps, updateDeployment, updateSteps } from './run/store.ts'

type Step = (typeof stepNames)[number]

const steps: Record<Step, (attempt: Attempt) => Promise<void>> = {
  check,
  fetch,
  build,
  start,
  wait,
  switch: switchOver,
  drain,
  async prune(attempt) {
    await prune({ ...attempt, write: (work) => writeBoth(attempt, work) })
    if (isRepository(attempt)) await clearOrLeave(attempt)
  },
}

/** It serves: what does not go now is tidied up later. */
async function clearOrLeave(attempt: Attempt): Promise<void> {
  try {
    await clearSource(attempt, attempt.deployment.id)
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    attempt.log.say(`${error.message} Slipway retries this later.`)
  }
}

/** Milliseconds for which a server that goes away in the middle is waited for; before anything is begun, less. */
const patienceInMiddle = 120_000
const patienceAtFirst = 15_000

/**
 * The story of a deployment: its steps in their order, each written down before and after, and each safe to do again. A
 * worker that takes over goes on with the first that is not through. What fails before the new release takes the traffic
 * is undone.
 */
export async function deploy(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  id: Id<'deployment'>,
  run: Run,
  patience = patienceInMiddle,
): Promise<void> {
  const attempt = await begin(ctx, workspaceId, id, run, patience)
  if (!attempt) return
  try {
    await goOn(attempt)
  } catch (error) {
    if (error instanceof Over) return
    await giveUp(attempt, error)
  } finally {
    attempt.silence.abort()
    if (attempt.source) await leave(attempt.source)
    await attempt.log.flush().catch(() => {})
  }
}

/** Turns the message of a deployment into the first line of its log: "Deploying acme/store:1.4 to web-1". */
function startMessage({ message, type }: Deployment, server: string): string {
  const [verb = '', ...rest] = (message ?? '').split(' ')
  const preposition = type === 'deploy_application' ? 'to' : 'on'
  return [gerunds[verb] ?? verb, ...rest, preposition, server].join(' ')
}

const gerunds: Record<string, string> = {
  Deploy: 'Deploying',
  Build: 'Building',
  Roll: 'Rolling',
  Restart: 'Restarting',
  Start: 'Starting',
  Stop: 'Stopping',
}

async function goOn(attempt: Attempt): Promise<void> {
  const { ctx, application, deployment, server, log, signal, patience } = attempt
  const all = await listSteps(ctx.db, deployment.workspace_id, deployment.id)
  if (all[0]?.status === 'waiting') log.say(startMessage(deployment, server.name))
  if (!deployment.switched_at && deployment.cancel_requested_at) throw new Cancelled()
  // Whoever worked on it before was cut off while it was undone.
  const hasFailed = all.some(({ name, status }) => status === 'failed' && !isAfterwards(name))
  const [before] = errorsOf(ctx, deployment)
  if (hasFailed || (!deployment.switched_at && before)) throw new Failed(before ?? '')
  if (!attempt.release && !makesRelease(deployment.type))
    throw new Failed(whyNone(application, deployment.type))
  for (const { name, status } of all) {
    if (status !== 'waiting' && status !== 'running') continue
    signal.throwIfAborted()
    attempt.entered = enter(attempt, name)
    const doIt = () => steps[name](attempt)
    if (isAfterwards(name)) await doAfterwards(attempt, name, doIt)
    else {
      const most = name === 'check' ? Math.min(patienceAtFirst, patience) : patience
      // It looks about while it is still being written down that it has begun.
      await allEnded([attempt.entered, holdOut(attempt, doIt, most)])
    }
    // Waiting for what is still open may take long, and holds up nobody in a lane of its own.
    if (name === 'switch') return handOn(attempt)
  }
  await complete(attempt)
}

/** Done once the new release takes the traffic. */
const isAfterwards = (name: Step) => name === 'drain' || name === 'prune'

/** The one before it is through. */
const enter = (attempt: Attempt, name: Step) =>
  writeAs(attempt, async (trx) => {
    const { workspace_id, id } = attempt.deployment
    await enterStep(trx, workspace_id, id, name)
    await tellChange(trx, attempt)
  })

/** The new release takes the traffic whatever becomes of the old one; what cannot be done now is tidied up later. */
async function doAfterwards(attempt: Attempt, name: Step, work: () => Promise<void>): Promise<void> {
  const { workspace_id, id } = attempt.deployment
  await attempt.entered
  try {
    await holdOut(attempt, work)
  } catch (error) {
    attempt.signal.throwIfAborted()
    const why = whyOf(attempt, error) ?? (isLast(attempt) ? ownFailure : undefined)
    if (!why) throw error
    attempt.log.say(`${why} Slipway retries this later.`)
    const error_sealed = sealStepError(attempt.ctx, id, why)
    await writeAs(attempt, (trx) =>
      updateSteps(trx, workspace_id, id, { name }, { status: 'failed', error_sealed }),
    )
  }
}

function sayTurned({ type }: Attempt['deployment'], release: Attempt['release']): string {
  if (type === 'stop_application') return 'Traffic stopped'
  if (type !== 'restart_application') return `Traffic switched to release ${release?.number}`
  return `Traffic switched to the new containers of release ${release?.number}`
}

async function handOn(attempt: Attempt): Promise<void> {
  const { ctx, deployment, release, log, silence } = attempt
  log.say(sayTurned(deployment, release))
  await catchUp(attempt)
  silence.abort()
  await log.flush()
  await writeAs(attempt, async (trx) => {
    const { workspace_id, id } = deployment
    await updateSteps(trx, workspace_id, id, { name: 'switch' }, { status: 'completed' })
    if (release && deployment.type !== 'stop_application')
      await updateRelease(trx, workspace_id, release.id, { live_at: ctx.now() })
    await updateDeployment(trx, workspace_id, id, {
      job_id: await enqueueDrain(ctx, trx, deployment),
      watched_until: watchUntil(ctx, deployment),
    })
    await tellChange(trx, attempt)
  })
}
