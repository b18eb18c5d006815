import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { groupBy } from '../../platform/group-by.ts'
import { type JobRun, JobStopped } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Observation, Subject } from './observation.ts'
import { isInScope } from './covers.ts'
import { createHttpChecks } from './http-checks.ts'
import { createDueChecks } from './due-checks.ts'
import { createObserver, isWatchedBy, type Observations } from './observer.ts'
import {
  subjectKey,
  listMutes,
  type EngineState,
  type Moment,
  loadEngineState,
  type SubjectState,
  notifiedKey,
} from './engine-state.ts'
import { createRules, type RefreshedWorkspaces } from './rules.ts'
import { resolveStep, isReplaced, notificationDue, type IncidentStep, nextStep } from './incident-step.ts'
import { savePendingDurations, writeIncidentStep } from './write-incident-step.ts'
import { findCauses } from './causes/find-cause.ts'

/** In one transaction. */
const AT_ONCE = 100

/** So often it is noted for how long something that is pending has been bad, for whoever goes on from there. */
const NOTE_EVERY = 10_000

type Held = Pick<JobRun, 'signal' | 'assertLease'>

/**
 * Judges what alerts look at. What it knows is in the rows as well, so that another process can go on from there; in
 * memory it is so that a pass asks only for what is new.
 */
export function createEngine(ctx: Context, run: Held) {
  const rules = createRules(ctx)
  const view = createObserver(ctx, rules)
  const checks = createHttpChecks(ctx, run.signal)
  const dueOf = createDueChecks()
  let memory: EngineState | undefined
  let notedAt = -Infinity
  /** What was to be written, and may have been or not. */
  const unsure = new Map<Id<'workspace'>, Set<string>>()

  /** One look at everything, at a time of a clock that only goes forward. Returns how much it wrote. */
  async function pass(at: number): Promise<number> {
    const moment: Moment = { now: ctx.now(), at }
    memory ??= await loadEngineState(ctx.db, moment)
    await makeSure(memory, moment)
    const refreshed = await rules.refresh(at)
    await hearMutes(memory, refreshed)
    if (rules.isEmpty() && memory.known.size === 0) return 0
    const looked = await view.look(memory, moment, refreshed)
    checks.start(dueOf(rules.ofKinds(['http_check']), view.applications(), at))
    const steps = plan(memory, looked, moment)
    await findCauses(ctx, steps, run.signal)
    await write(memory, steps, at)
    if (steps.some(isReplaced)) view.lookAgain()
    await notePending(memory, at)
    return steps.length
  }

  async function makeSure({ known, told }: EngineState, moment: Moment) {
    for (const [workspaceId, keys] of unsure) {
      const rows = await loadEngineState(ctx.db, moment, [workspaceId])
      for (const [key, last] of rows.told) told.set(key, last)
      for (const key of keys) {
        const row = rows.known.get(key)
        if (row) known.set(key, row)
        else known.delete(key)
      }
      unsure.delete(workspaceId)
    }
  }

  async function notePending({ known }: EngineState, at: number) {
    if (at - notedAt < NOTE_EVERY) return
    notedAt = at
    const pending = [...known.values()].flatMap(({ incident, standing }) => {
      const lasted = standing?.state === 'pending' ? Math.round(standing.lasted ?? 0) : 0
      return incident && lasted > incident.lasted_ms ? [{ incident, lasted }] : []
    })
    if (pending.length === 0) return
    await transaction(ctx.db, async (trx) => {
      await run.assertLease(trx)
      await savePendingDurations(trx, pending)
    })
    for (const { incident, lasted } of pending) incident.lasted_ms = lasted
  }

  async function hearMutes({ known }: EngineState, refreshed: RefreshedWorkspaces) {
    if (known.size === 0 || (refreshed !== 'all' && refreshed.length === 0)) return
    for (const { alert_id, subject_id, muted_until } of await listMutes(ctx.db, refreshed)) {
      const incident = known.get(subjectKey(alert_id, subject_id))?.incident
      if (incident) incident.muted_until = muted_until
    }
  }

  /** Each thing that an alert looks at takes one step at most. */
  function plan({ known, told }: EngineState, { seen, there }: Observations, moment: Moment): IncidentStep[] {
    const steps = new Map<string, IncidentStep>()
    const looked = new Set<string>()
    for (const about of seen) {
      const key = subjectKey(about.alert.id, about.subject.id)
      // A certificate comes once for each application that uses it.
      if (looked.has(key)) continue
      looked.add(key)
      const before = known.get(key) ?? unknown(about, told)
      const step = nextStep(key, before, about, moment)
      if (step) steps.set(key, step)
    }
    for (const [key, before] of known) {
      const step = steps.get(key) ?? endUnlooked(key, before, there) ?? tell(key, before, moment)
      if (step) steps.set(key, step)
    }
    forgetTold(told, moment)
    return [...steps.values()]
  }

  /** The end of what nobody looks at any more. */
  function endUnlooked(
    key: string,
    before: SubjectState,
    there: Observations['there'],
  ): IncidentStep | undefined {
    const { incident } = before
    if (!incident) return undefined
    const alert = incident.alert_id === null ? undefined : rules.find(incident.alert_id)
    if (!alert) return resolveStep(key, before, 'The alert was deleted.')
    if (!alert.enabled) return resolveStep(key, before, 'The alert was turned off.')
    const found = there[incident.subject_kind].get(incident.subject_id) ?? []
    if (found.length === 0)
      return resolveStep(key, before, gone[incident.subject_kind](incident.subject_name))
    if (found.some((sighting) => isWatchedBy(alert, sighting))) return undefined
    const why = found.find(({ subject }) => isInScope(alert, subject))?.whyNot?.(alert)
    return resolveStep(key, before, why ?? `${incident.subject_name} is no longer in the scope of the alert.`)
  }

  function tell(key: string, before: SubjectState, moment: Moment): IncidentStep | undefined {
    const { incident, standing, about } = before
    const alert = incident?.alert_id ? rules.find(incident.alert_id) : undefined
    if (standing?.state !== 'firing' || !alert) return undefined
    const change = notificationDue(before, { alert }, moment)
    return change && { key, before, standing, change, about: about && { ...about, alert } }
  }

  /** Of what is over it matters only for a while that somebody was told. What is open has it at hand. */
  function forgetTold(told: EngineState['told'], { at }: Moment) {
    for (const [key, last] of told) {
      const cooldown = (last.alertId && rules.find(last.alertId)?.cooldown_seconds) ?? 0
      if (last.at === undefined || at - last.at >= cooldown * 1_000) told.delete(key)
    }
  }

  /** A workspace at a time, and not too much of it: what cannot be written of one holds up no other. */
  async function write(memory: EngineState, steps: readonly IncidentStep[], at: number) {
    for (const [workspaceId, all] of groupBy(steps, workspaceOf))
      for (let from = 0; from < all.length; from += AT_ONCE) {
        const some = all.slice(from, from + AT_ONCE)
        try {
          await writeSome(memory, some, at)
        } catch (error) {
          if (error instanceof JobStopped) throw error
          ctx.log.warn({ workspace: workspaceId, why: String(error) }, 'Could not save incidents.')
          // Whether it was committed is not known when the connection broke: the rows tell.
          const keys = unsure.get(workspaceId) ?? new Set()
          unsure.set(workspaceId, keys)
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
      view.stop()
      await checks.idle()
    },
  }
}

function unknown(
  { alert, subject: { kind, id, name, server_id } }: Observation,
  told: EngineState['told'],
): SubjectState {
  const key = notifiedKey({
    alert_id: alert.id,
    subject_kind: kind,
    subject_id: id,
    subject_name: name,
    server_id,
  })
  const last = told.get(key) ?? { alertId: alert.id, at: undefined }
  return { standing: undefined, incident: undefined, told: last, about: undefined }
}

function workspaceOf(step: IncidentStep) {
  if ('about' in step && step.about) return step.about.alert.workspace_id
  const { incident } = step.before
  if (!incident) throw new Error('A step is about an incident, or makes one.')
  return incident.workspace_id
}

function remember(
  { known, told }: EngineState,
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
  const isTold = step.change === 'firing' ? step.told : tells.has(step.change)
  if (!isTold) return
  before.told.at = at
  told.set(notifiedKey(incident), before.told)
}

const tells: ReadonlySet<IncidentStep['change']> = new Set(['started', 'reminded'])

const gone: Record<Subject['kind'], (name: string) => string> = {
  server: (name) => `The server ${name} was deleted.`,
  container: (name) => `The container ${name} was removed.`,
  application: (name) => `The application ${name} was deleted.`,
  certificate: (name) => `The certificate of ${name} is no longer used.`,
}
