import type { serviceActions } from '../../../contract/compose.ts'
import type { Model, Service } from './model.ts'
import { companionReasons, rollingUpdateBlockers } from './rolling-update-blockers.ts'
import { readReplicas } from './read/read-service.ts'
import { canonicalJson } from './service-hash.ts'
import { keySupport } from './read/service-keys.ts'
import { formatCount } from '../../../contract/shared/format-list.ts'

export interface RunningService {
  hash: string
  healthy: number
  service: Service | null
}

export interface ServicePlan {
  name: string
  action: (typeof serviceActions)[number]
  reasons: string[]
  image: string | null
}

interface PlanInput {
  target: { model: Model; hashes: Readonly<Record<string, string>> }
  running: Readonly<Record<string, RunningService>>
  all?: boolean
}

/** The compose plan: which services a deployment adds, replaces, recreates, removes or leaves, and why. */
export function planComposeServices({
  target: { model, hashes },
  running,
  all = false,
}: PlanInput): ServicePlan[] {
  const changed = new Map(
    Object.entries(model.services).flatMap(([name, service]): [string, string[]][] => {
      const now = own(running, name)
      if (!now || readReplicas(service) === 0) return []
      const reasons = all ? ['All services restart.'] : replaceReasons(service, own(hashes, name), now)
      return reasons.length > 0 ? [[name, reasons]] : []
    }),
  )
  const replaced = withCompanions(model, running, new Set(changed.keys()))
  const names = new Set([...Object.keys(model.services), ...Object.keys(running)])
  return [...names].toSorted().map((name) => {
    const service = own(model.services, name)
    const image = service?.image ?? null
    if (!service) return { name, action: 'removed', reasons: ['No longer in the file.'], image }
    if (readReplicas(service) === 0) return { name, ...none(own(running, name)), image }
    if (!own(running, name)) return { name, action: 'added', reasons: ['Not running yet.'], image }
    if (!replaced.has(name)) return { name, action: 'unchanged', reasons: [], image }
    // A service without blockers gets a rolling update; the others are recreated.
    const gap = rollingUpdateBlockers(name, model, replaced)
    const reasons = [...new Set([...(changed.get(name) ?? []), ...gap])]
    return { name, action: gap.length > 0 ? 'recreated' : 'rolled', reasons, image }
  })
}

const own = <Value>(all: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(all, name) ? all[name] : undefined

const none = (now: RunningService | undefined): Pick<ServicePlan, 'action' | 'reasons'> => ({
  action: now ? 'removed' : 'unchanged',
  reasons: ['Scaled to 0.'],
})

function replaceReasons(service: Service, hash: string | undefined, now: RunningService): string[] {
  const [expected, before] = [readReplicas(service), now.service && readReplicas(now.service)]
  const scaled =
    before !== null && before !== expected
      ? [`Scaled from ${before} to ${formatCount(expected, 'container')}.`]
      : []
  if (hash !== now.hash) {
    const changes = now.service ? describeChanges(now.service, service) : []
    return [...(changes.length > 0 ? changes : [indirectChanges(service, now)]), ...scaled]
  }
  if (scaled.length > 0) return scaled
  return now.healthy === expected
    ? []
    : [`${now.healthy} of ${formatCount(expected, 'container')} ${now.healthy === 1 ? 'is' : 'are'} healthy.`]
}

const indirectChanges = ({ image, build }: Service, { service }: RunningService) =>
  service === null
    ? 'Differs from the running service.'
    : `The ${build ? 'build' : `content of image ${image ?? ''}`}, or a network, volume, secret or config, changed.`

function withCompanions(model: Model, running: PlanInput['running'], replaced: Set<string>): Set<string> {
  const along = Object.entries(model.services).flatMap(([name, service]) =>
    !replaced.has(name) &&
    own(running, name) &&
    readReplicas(service) > 0 &&
    companionReasons(service, replaced).length > 0
      ? [name]
      : [],
  )
  return along.length === 0 ? replaced : withCompanions(model, running, new Set([...replaced, ...along]))
}

/** Keys that do not affect containers or are reported separately. */
const unreportedKeys = new Set(
  'build depends_on deploy env_file extends image label_file ports profiles pull_policy scale'.split(' '),
)

/** Report the names of changed entries, never their values. */
const byName = ['environment', 'labels', 'sysctls', 'storage_opt'] as const

function describeChanges(before: Service, after: Service): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
  const changed = keys.filter(
    (key) =>
      !unreportedKeys.has(key) && keySupport(key) === 'carried' && isDifferent(before[key], after[key]),
  )
  return [
    ...describeImageChange(before, after),
    ...changed.map((key) => describeChange(key, before, after)),
    ...(isDifferent(before.deploy?.resources, after.deploy?.resources) ? ['deploy.resources changed.'] : []),
    ...(isDifferent(before.deploy?.restart_policy, after.deploy?.restart_policy)
      ? ['deploy.restart_policy changed.']
      : []),
    ...(isDifferent(byDocker(before), byDocker(after)) ? ['Ports published by Docker changed.'] : []),
  ]
}

const isDifferent = (a: unknown, b: unknown) => canonicalJson(a) !== canonicalJson(b)

function describeImageChange({ image }: Service, after: Service): string[] {
  if (after.image === image) return []
  if (after.image === undefined) return ['The image is now built instead of pulled.']
  return [`Image changed from ${image ?? 'a build'} to ${after.image}.`]
}

function describeChange(key: string, before: Service, after: Service): string {
  const named = byName.find((field) => field === key)
  if (!named) return `${key} changed.`
  const [old = {}, now = {}] = [before[named], after[named]]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].toSorted()
  return `${key} changed: ${names.filter((name) => isDifferent(old[name], now[name])).join(', ')}.`
}

const byDocker = ({ ports = [] }: Service) => ports.filter(({ protocol = 'tcp' }) => protocol !== 'tcp')
