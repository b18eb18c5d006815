import { setTimeout as sleep } from 'node:timers/promises'
import { type Instance } from '../../applications/instance.ts'
import { inspect, type Inspected, nameOf } from '../../containers/inspect.ts'
import { type Attempt, Failed, hostFor, ownInstances, releaseOf } from '../attempt.ts'
import { startContainer, updateContainer } from '../containers.ts'
import { followWords } from '../follow-words.ts'
import { healthCheckOf, type Look } from '../health.ts'
import { withTargets } from '../health-of-targets.ts'
import { lastWords } from '../last-words.ts'
import { listTargets, type Target } from '../routed.ts'
import { restartPolicyOf } from '../specification.ts'
import { endingInWords, readEnding } from '../why-ended.ts'

/** Milliseconds between two looks: soon at first, as most are well at once. */
const [shortestPause, longestPause] = [25, 250]
/** Milliseconds for which the last words of a container that has ended are waited for. */
const wordsWithin = 2_000
const countOfWords = 10

/** Until each of them can take traffic. */
export async function wait(attempt: Attempt): Promise<void> {
  if (attempt.wasInterrupted) await startAgain(attempt)
  await untilAllAreWell(attempt)
}

/** Before they take traffic Docker does not do so by itself when it, or the server, was restarted. */
async function startAgain(attempt: Attempt): Promise<void> {
  const { docker } = hostFor(attempt)
  for (const { container_id: id } of await ownInstances(attempt)) if (id) await startContainer(docker, id)
}

/** What they say meanwhile is part of the log. One that has ended fails it. */
export async function untilAllAreWell(attempt: Attempt): Promise<void> {
  // Of an earlier try: how far was read is known from what was written.
  await attempt.log.flush()
  const instances = await ownInstances(attempt)
  const targets = await listTargets(attempt.ctx.db, attempt.application)
  const { config } = releaseOf(attempt)
  const began = Date.now()
  const failing = new AbortController()
  const signal = AbortSignal.any([attempt.signal, failing.signal])
  const waiting = instances.map((one) => untilWell(attempt, one, targets, signal))
  // One that fails is enough: the others need not be waited for.
  for (const one of waiting) one.catch((error: unknown) => failing.abort(error))
  const ended = await Promise.allSettled(waiting)
  attempt.signal.throwIfAborted()
  if (failing.signal.aborted) throw failing.signal.reason
  if (ended.length < config.replicas) throw new Error('A replica has no row.')
  const { docker } = hostFor(attempt)
  await Promise.all(
    instances.map(({ container_id: id }) => updateContainer(docker, id ?? '', restartPolicyOf(config))),
  )
  attempt.wasInterrupted = false
  attempt.log.say(`It is well after ${((Date.now() - began) / 1_000).toFixed(1)} seconds.`)
}

async function untilWell(
  attempt: Attempt,
  instance: Instance,
  targets: Target[],
  signal: AbortSignal,
): Promise<void> {
  const { silence, log, readers } = attempt
  const { config } = releaseOf(attempt)
  const prefix = config.replicas > 1 ? `${instance.replica}: ` : ''
  const isHeard = readers.some((one) => one.instance.id === instance.id && !one.hasEnded)
  const words = isHeard
    ? Promise.resolve()
    : followWords(attempt, instance, prefix, AbortSignal.any([signal, silence.signal]))
  const until = Date.now() + config.health.within_seconds * 1_000
  let look: Look | undefined
  for (let pause = shortestPause; ; pause = Math.min(pause * 1.5, longestPause)) {
    const container = await inspectRunning(attempt, instance, words, signal)
    if (!look) {
      look = withTargets(attempt, instance, healthCheckOf(attempt, instance, container), targets)
      if (instance.replica === 1) log.say(look.says)
    }
    const found = await look.now(container, signal)
    if (found.isWell) return
    if (found.isFinal || Date.now() > until)
      throw await neverWell(attempt, container, await look.why(container, found, signal))
    await sleep(pause, undefined, { signal })
  }
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
  if (!found) throw new Failed('Somebody removed the new container while it was waited for. Deploy again.')
  if (found.State.Status !== 'exited' && found.State.Status !== 'dead') return found
  await Promise.race([words, sleep(wordsWithin, undefined, { signal })])
  const { config } = releaseOf(attempt)
  throw await withWords(
    attempt,
    found,
    endingInWords(nameOf(found), await readEnding(docker, found), config.memory_limit),
  )
}

const neverWell = (attempt: Attempt, container: Inspected, why: string) =>
  withWords(
    attempt,
    container,
    `The container ${nameOf(container)} was not well within ${releaseOf(attempt).config.health.within_seconds} seconds: ${why}`,
  )

async function withWords(attempt: Attempt, container: Inspected, sentence: string): Promise<Failed> {
  const { docker } = hostFor(attempt)
  const said = await lastWords(docker, { id: container.Id, tty: false }, countOfWords, attempt.signal)
  return new Failed(sentence, said)
}
