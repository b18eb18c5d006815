import { setTimeout as sleep } from 'node:timers/promises'
import { type Instance } from '../../applications/instance.ts'
import { inspect, type Inspected, nameOf } from '../../containers/inspect.ts'
import { allEnded } from '../run/all-ended.ts'
import { type Attempt, Failed, hostFor, ownInstances, releaseOf } from '../run/attempt.ts'
import { startContainer } from '../containers/containers.ts'
import { followWords } from '../run/follow-words.ts'
import { hasCompleted } from '../containers/has-completed.ts'
import { healthCheckOf, type Look } from '../containers/health.ts'
import { withTargets } from '../containers/health-of-targets.ts'
import { lastWords } from '../containers/last-words.ts'
import { isMade, type Part, partOf, partsOf } from '../containers/part.ts'
import { targetsOf } from '../networks/targets-of.ts'
import { endingInWords, readEnding } from '../containers/why-ended.ts'
import { forMany } from '../../../platform/for-many.ts'

/** Milliseconds between two looks: soon at first, as most are well at once. */
const [shortestPause, longestPause] = [5, 250]
/** Milliseconds after which it is said again what is still waited for. */
const sayEvery = 10_000
/** Milliseconds for which the last words of a container that has ended are waited for. */
const wordsWithin = 2_000
const countOfWords = 10

/** Until each of them can take traffic. */
export async function wait(attempt: Attempt): Promise<void> {
  if (attempt.wasInterrupted) {
    await attempt.entered
    await startAgain(attempt)
  }
  await untilAllAreWell(attempt)
}

/** Before they take traffic Docker does not do so by itself when it, or the server, was restarted. */
async function startAgain(attempt: Attempt): Promise<void> {
  const { docker } = hostFor(attempt)
  for (const { container_id: id, service } of await ownInstances(attempt)) {
    const part = partOf(releaseOf(attempt), service)
    if (id && !(await hasCompleted(docker, part, id))) await startContainer(docker, id)
  }
}

export async function untilAllAreWell(attempt: Attempt): Promise<void> {
  // Of an earlier try: how far was read is known from what was written.
  if (attempt.readers.length > 0) await attempt.log.flush()
  const instances = await ownInstances(attempt)
  const made = partsOf(releaseOf(attempt)).filter(({ service }) => isMade(attempt.deployment, service))
  if (instances.length < made.reduce((sum, { replicas }) => sum + replicas, 0))
    throw new Error('A replica has no row.')
  const began = Date.now()
  const isOptional = ({ service }: Instance) => partOf(releaseOf(attempt), service).optional
  await allEnded([
    untilTheyAreWell(
      attempt,
      instances.filter((one) => !isOptional(one)),
    ),
    untilWellOrNot(attempt, instances.filter(isOptional)),
  ])
  attempt.wasInterrupted = false
  if (instances.length > 0) attempt.log.say(`Healthy after ${((Date.now() - began) / 1_000).toFixed(1)} s`)
}

/** What others can do without is waited for once, and no more. */
export async function untilWellOrNot(attempt: Attempt, instances: Instance[]): Promise<void> {
  const { log, unwell } = attempt
  for (const one of instances.filter(({ id }) => !unwell.has(id)))
    try {
      await untilTheyAreWell(attempt, [one])
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      unwell.add(one.id)
      log.say(`Warning: ${error.message} ${one.service} is optional, so the deployment continues.`)
    }
}

/** What they say meanwhile is part of the log. One that has ended fails it, but for what is to end. */
export async function untilTheyAreWell(attempt: Attempt, instances: Instance[]): Promise<void> {
  const failing = new AbortController()
  const signal = forMany(AbortSignal.any([attempt.signal, failing.signal]))
  const waiting = instances.map((one) => untilWell(attempt, one, signal))
  // One that fails is enough: the others need not be waited for.
  for (const one of waiting) one.catch((error: unknown) => failing.abort(error))
  await Promise.allSettled(waiting)
  attempt.signal.throwIfAborted()
  if (failing.signal.aborted) throw failing.signal.reason
}

async function untilWell(attempt: Attempt, instance: Instance, signal: AbortSignal): Promise<void> {
  const { silence, log, readers } = attempt
  const { config } = releaseOf(attempt)
  const targets = await targetsOf(attempt, instance.service)
  const part = partOf(releaseOf(attempt), instance.service)
  const prefix = prefixOf(part, instance)
  const isHeard = readers.some((one) => one.instance.id === instance.id && !one.hasEnded)
  const words = isHeard
    ? Promise.resolve()
    : followWords(attempt, instance, prefix, AbortSignal.any([signal, silence.signal]))
  const began = Date.now()
  const until = began + config.health.within_seconds * 1_000
  let sayAt = began + sayEvery
  let look: Look | undefined
  for (let pause = shortestPause; ; pause = Math.min(pause * 1.2, longestPause)) {
    const container = await inspectRunning(attempt, instance, words, signal)
    if (part.completes && hasEnded(container)) return
    if (!look) {
      look = withTargets(attempt, instance, healthCheckOf(attempt, instance, container, targets), targets)
      if (instance.replica === 1) log.say(`${part.service === '' ? '' : `${part.service}: `}${look.says}`)
    }
    const found = await look.now(container, signal)
    if (found.isWell) return
    if (found.isFinal || Date.now() > until)
      throw await neverWell(attempt, container, await look.why(container, found, signal))
    if (Date.now() >= sayAt) {
      log.say(`${prefix}${sayNotYet(found.says, Date.now() - began, config.health.within_seconds)}`)
      sayAt += sayEvery
    }
    await sleep(pause, undefined, { signal })
  }
}

/** By which its lines are told from those of the others. */
const prefixOf = ({ service, replicas }: Part, { replica }: Instance) =>
  [service, ...(replicas > 1 ? [String(replica)] : [])].filter(Boolean).join(' ').replace(/.$/, '$&: ')

const sayNotYet = (says: string, since: number, within: number) =>
  `Waiting for health check… ${says.replace(/\.$/, '')} (${Math.round(since / 1_000)}/${within} s)`

/** One may have ended in the moment since it was well. */
export async function mustStillRun(attempt: Attempt): Promise<void> {
  const instances = (await ownInstances(attempt)).filter(({ id }) => !attempt.unwell.has(id))
  await Promise.all(instances.map((one) => inspectRunning(attempt, one, Promise.resolve(), attempt.signal)))
}

/** As it is now; one that has ended is not waited for. */
async function inspectRunning(
  attempt: Attempt,
  instance: Instance,
  words: Promise<void>,
  signal: AbortSignal,
): Promise<Inspected> {
  const { docker } = hostFor(attempt)
  const found = await inspect(docker, instance.container_id ?? '', signal)
  if (!found) throw new Failed('The new container was removed during the health check. Deploy again.')
  const part = partOf(releaseOf(attempt), instance.service)
  if (!hasEnded(found) || (part.completes && found.State.ExitCode === 0)) return found
  await Promise.race([words, sleep(wordsWithin, undefined, { signal })])
  throw await withWords(
    attempt,
    found,
    endingInWords(nameOf(found), await readEnding(docker, found), part.memory_limit),
  )
}

const hasEnded = ({ State: { Status: status } }: Inspected) => status === 'exited' || status === 'dead'

const neverWell = (attempt: Attempt, container: Inspected, why: string) =>
  withWords(
    attempt,
    container,
    `Health check of container ${nameOf(container)} failed after ${releaseOf(attempt).config.health.within_seconds} s: ${why}`,
  )

async function withWords(attempt: Attempt, container: Inspected, sentence: string): Promise<Failed> {
  const { docker } = hostFor(attempt)
  const said = await lastWords(docker, { id: container.Id, tty: false }, countOfWords, attempt.signal)
  return new Failed(sentence, said)
}
