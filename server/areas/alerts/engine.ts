import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { groupBy } from '../../platform/group-by.ts'
import { type JobRun, JobStopped } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import { createDueChecks, createHttpChecks } from './http-checks.ts'
import { createObserver, type Observation, type Observations, type Subject } from './observer.ts'
import {
  subjectKey,
  listMutes,
  type EngineState,
  type Moment,
  loadEngineState,
  type SubjectState,
  notifiedKey,
  createRules,
  isInScope,
  isWatchedBy,
  type RefreshedWorkspaces,
} from './engine-state.ts'
import { type IncidentStep, nextStep, notificationDue, resolveStep, wasReplaced } from './evaluate.ts'
import { writeIncidentStep } from './write-incident-step.ts'
import { findCauses } from './causes/find-cause.ts'

const BATCH_SIZE = 100

type EngineRun = Pick<JobRun, 'signal' | 'assertLease'>

/** All state is also in rows, so that another process can take over; the copy in memory lets a pass read only changes. */
export function createEngine(ctx: Context, run: EngineRun) {
  const rules = createRules(ctx)
  const observer = createObserver(ctx, rules)
  const checks = createHttpChecks(ctx, run.signal)
  const listDueChecks = createDueChecks()
  let memory: EngineState | undefined
  /** Keys of steps whose transaction may or may not have been committed. */
  const uncertain = new Map<Id<'workspace'>, Set<string>>()

  async function pass(at: number): Promise<number> {
    const moment: Moment = { now: ctx.now(), at }
    memory ??= await loadEngineState(ctx.db, moment)
    await reloadUncertain(memory, moment)
    const refreshed = await rules.refresh(at)
    await updateMutes(memory, refreshed)
    if (rules.isEmpty() && memory.subjects.size === 0) return 0
    const observed = await observer.observe(memory, moment, refreshed)
    checks.start(listDueChecks(rules.ofKinds(['http_check']), observer.applications(), at))
    const steps = plan(memory, observed, moment)
    await findCauses(ctx, steps, run.signal)
    await write(memory, steps, at)
    if (steps.some(wasReplaced)) observer.readApplicationsAgain()
    return steps.length
  }

  async function reloadUncertain({ subjects: known, lastNotified }: EngineState, moment: Moment) {
    for (const [workspaceId, keys] of uncertain) {
      const rows = await loadEngineState(ctx.db, moment, [workspaceId])
      for (const [key, last] of rows.lastNotified) lastNotified.set(key, last)
      for (const key of keys) {
        const row = rows.subjects.get(key)
        if (row) known.set(key, row)
        else known.delete(key)
      }
      uncertain.delete(workspaceId)
    }
  }

  async function updateMutes({ subjects: known }: EngineState, refreshed: RefreshedWorkspaces) {
    if (known.size === 0 || (refreshed !== 'all' && refreshed.length === 0)) return
    for (const { alert_id, subject_id, muted_until } of await listMutes(ctx.db, refreshed)) {
      const incident = known.get(subjectKey(alert_id, subject_id))?.incident
      if (incident) incident.muted_until = muted_until
    }
  }

  function plan(
    { subjects: known, lastNotified }: EngineState,
    { observations, subjects: existing }: Observations,
    moment: Moment,
  ): IncidentStep[] {
    const steps = new Map<string, IncidentStep>()
    const observed = new Set<string>()
    for (const observation of observations) {
      const key = subjectKey(observation.alert.id, observation.subject.id)
      if (observed.has(key)) continue
      observed.add(key)
      const before = known.get(key) ?? newSubjectState(observation, lastNotified)
      const step = nextStep(key, before, observation, moment)
      if (step) steps.set(key, step)
    }
    for (const [key, before] of known) {
      const step = steps.get(key) ?? resolveUnobserved(key, before, existing) ?? remind(key, before, moment)
      if (step) steps.set(key, step)
    }
    dropOldNotifications(lastNotified, moment)
    return [...steps.values()]
  }

  function resolveUnobserved(
    key: string,
    before: SubjectState,
    existing: Observations['subjects'],
  ): IncidentStep | undefined {
    const { incident } = before
    if (!incident) return undefined
    const alert = incident.alert_id === null ? undefined : rules.find(incident.alert_id)
    if (!alert) return resolveStep(key, before, 'The alert was deleted.')
    if (!alert.enabled) return resolveStep(key, before, 'The alert was turned off.')
    const candidates = existing[incident.subject_kind].get(incident.subject_id) ?? []
    if (candidates.length === 0)
      return resolveStep(key, before, deletedSummaries[incident.subject_kind](incident.subject_name))
    if (candidates.some((observed) => isWatchedBy(alert, observed))) return undefined
    const reason = candidates.find(({ subject }) => isInScope(alert, subject))?.skipReason?.(alert)
    return resolveStep(
      key,
      before,
      reason ?? `${incident.subject_name} is no longer in the scope of the alert.`,
    )
  }

  function remind(key: string, before: SubjectState, moment: Moment): IncidentStep | undefined {
    const { incident, standing, observation } = before
    const alert = incident?.alert_id ? rules.find(incident.alert_id) : undefined
    if (standing?.state !== 'firing' || !alert) return undefined
    const change = notificationDue(before, alert, moment)
    return change && { key, before, standing, change, observation: observation && { ...observation, alert } }
  }

  /** Drops entries whose cooldown has passed. Open incidents hold their own entry. */
  function dropOldNotifications(lastNotified: EngineState['lastNotified'], { at }: Moment) {
    for (const [key, last] of lastNotified) {
      const cooldown = (last.alertId && rules.find(last.alertId)?.cooldown_seconds) ?? 0
      if (last.at === undefined || at - last.at >= cooldown * 1_000) lastNotified.delete(key)
    }
  }

  /** Writes in batches per workspace, so that a failure in one workspace does not delay the others. */
  async function write(memory: EngineState, steps: readonly IncidentStep[], at: number) {
    for (const [workspaceId, all] of groupBy(steps, stepWorkspace))
      for (let from = 0; from < all.length; from += BATCH_SIZE) {
        const some = all.slice(from, from + BATCH_SIZE)
        try {
          await writeSome(memory, some, at)
        } catch (error) {
          if (error instanceof JobStopped) throw error
          ctx.log.warn({ workspace: workspaceId, reason: String(error) }, 'Failed to save incidents')
          // After a lost connection it is unknown whether the transaction was committed, so read the rows again.
          const keys = uncertain.get(workspaceId) ?? new Set()
          uncertain.set(workspaceId, keys)
          for (const { key } of some) keys.add(key)
        }
      }
  }

  async function writeSome(memory: EngineState, steps: readonly IncidentStep[], at: number) {
    const written = await transaction(ctx.db, async (trx) => {
      await run.assertLease(trx)
      const incidents: [IncidentStep, SubjectState['incident']][] = []
      for (const step of steps) incidents.push([step, await writeIncidentStep(ctx, trx, step)])
      return incidents
    })
    for (const [step, incident] of written) remember(memory, step, incident, at)
  }

  return {
    pass,
    async stop() {
      rules.stop()
      observer.stop()
      await checks.idle()
    },
  }
}

function newSubjectState(
  { alert, subject: { kind, id, name, server_id } }: Observation,
  lastNotified: EngineState['lastNotified'],
): SubjectState {
  const key = notifiedKey({
    alert_id: alert.id,
    subject_kind: kind,
    subject_id: id,
    subject_name: name,
    server_id,
  })
  const last = lastNotified.get(key) ?? { alertId: alert.id, at: undefined }
  return { standing: undefined, incident: undefined, lastNotified: last, observation: undefined }
}

function stepWorkspace(step: IncidentStep) {
  if ('observation' in step && step.observation) return step.observation.alert.workspace_id
  const { incident } = step.before
  if (!incident) throw new Error('A step has neither an incident nor an observation.')
  return incident.workspace_id
}

function remember(
  { subjects: known, lastNotified }: EngineState,
  step: IncidentStep,
  incident: SubjectState['incident'],
  at: number,
) {
  const { key, before } = step
  if (!incident) {
    known.delete(key)
    return
  }
  known.set(key, { ...before, standing: step.standing, incident })
  const isNotification = step.change === 'firing' ? step.notify : notifyingChanges.has(step.change)
  if (!isNotification) return
  before.lastNotified.at = at
  lastNotified.set(notifiedKey(incident), before.lastNotified)
}

const notifyingChanges: ReadonlySet<IncidentStep['change']> = new Set(['started', 'reminded'])

const deletedSummaries: Record<Subject['kind'], (name: string) => string> = {
  server: (name) => `The server ${name} was deleted.`,
  container: (name) => `The container ${name} was removed.`,
  application: (name) => `The application ${name} was deleted.`,
  certificate: (name) => `The certificate of ${name} is no longer used.`,
}
