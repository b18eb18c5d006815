import type { serviceActions } from '../../../contract/compose.ts'
import type { Model, Service } from './model.ts'
import { whyAlong, whyRecreated } from './recreate.ts'
import { replicasOf } from './read/read-service.ts'
import { canonical } from './hash.ts'
import { fateOf } from './read/service-keys.ts'

export interface RunningService {
  hash: string
  /** Of its containers, how many are there and well. */
  well: number
  /** As the release has it that they are of, where that is known. */
  service: Service | null
}

export interface PlannedService {
  name: string
  action: (typeof serviceActions)[number]
  /** Sentences; they tell no value of the environment. */
  why: string[]
  image: string | null
}

interface Given {
  target: { model: Model; hashes: Readonly<Record<string, string>> }
  running: Readonly<Record<string, RunningService>>
  /** Whether every service is replaced, as by a restart. */
  all?: boolean
}

/** What a deployment does with each service, by name. */
export function planOf({ target: { model, hashes }, running, all = false }: Given): PlannedService[] {
  const changed = new Map(
    Object.entries(model.services).flatMap(([name, service]): [string, string[]][] => {
      const now = own(running, name)
      if (!now || replicasOf(service) === 0) return []
      const why = all ? ['All services are restarted.'] : whyReplaced(service, own(hashes, name), now)
      return why.length > 0 ? [[name, why]] : []
    }),
  )
  const replaced = withCompanions(model, running, new Set(changed.keys()))
  const names = new Set([...Object.keys(model.services), ...Object.keys(running)])
  return [...names].toSorted().map((name) => {
    const service = own(model.services, name)
    const image = service?.image ?? null
    if (!service) return { name, action: 'removed', why: ['The file does not have it any more.'], image }
    if (replicasOf(service) === 0) return { name, ...none(own(running, name)), image }
    if (!own(running, name)) return { name, action: 'added', why: ['It does not run yet.'], image }
    if (!replaced.has(name)) return { name, action: 'unchanged', why: [], image }
    const gap = whyRecreated(name, model, replaced)
    const why = [...new Set([...(changed.get(name) ?? []), ...gap])]
    return { name, action: gap.length > 0 ? 'recreated' : 'rolled', why, image }
  })
}

const own = <Value>(all: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(all, name) ? all[name] : undefined

const none = (now: RunningService | undefined): Pick<PlannedService, 'action' | 'why'> => ({
  action: now ? 'removed' : 'unchanged',
  why: ['It is to have no containers.'],
})

function whyReplaced(service: Service, hash: string | undefined, now: RunningService): string[] {
  const [wanted, before] = [replicasOf(service), now.service && replicasOf(now.service)]
  const scaled =
    before !== null && before !== wanted ? [`It is to have ${counted(wanted)} instead of ${before}.`] : []
  if (hash !== now.hash) {
    const changes = now.service ? changesOf(now.service, service) : []
    return [...(changes.length > 0 ? changes : [unseen(service, now)]), ...scaled]
  }
  if (scaled.length > 0) return scaled
  return now.well === wanted
    ? []
    : [`${now.well} of its ${counted(wanted)} ${now.well === 1 ? 'is' : 'are'} well.`]
}

/** What is not written in the service itself. */
const unseen = ({ image, build }: Service, { service }: RunningService) =>
  service === null
    ? 'It is another than the one that runs.'
    : `What ${build ? 'its image is built of' : `its image ${image ?? ''} holds`}, or one of its networks, volumes, secrets or configs, changed.`

const counted = (count: number) => (count === 1 ? '1 container' : `${count} containers`)

/** With those that cannot go on without the containers of one that is replaced. */
function withCompanions(model: Model, running: Given['running'], replaced: Set<string>): Set<string> {
  const along = Object.entries(model.services).flatMap(([name, service]) =>
    !replaced.has(name) &&
    own(running, name) &&
    replicasOf(service) > 0 &&
    whyAlong(service, replaced).length > 0
      ? [name]
      : [],
  )
  return along.length === 0 ? replaced : withCompanions(model, running, new Set([...replaced, ...along]))
}

/** What does not make containers, or is told apart from the rest. */
const untold = new Set(
  'build depends_on deploy env_file extends image label_file ports profiles pull_policy scale'.split(' '),
)

/** Whose names may be told, and never their values. */
const byName = ['environment', 'labels', 'sysctls', 'storage_opt'] as const

/** What makes the containers of a service others than they were, as sentences without any value but that of the image. */
function changesOf(before: Service, after: Service): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
  const changed = keys.filter(
    (key) => !untold.has(key) && fateOf(key) === 'carried' && isOther(before[key], after[key]),
  )
  return [
    ...imageOf(before, after),
    ...changed.map((key) => sentenceOf(key, before, after)),
    ...(isOther(before.deploy?.resources, after.deploy?.resources) ? ['Its deploy.resources changed.'] : []),
    ...(isOther(before.deploy?.restart_policy, after.deploy?.restart_policy)
      ? ['Its deploy.restart_policy changed.']
      : []),
    ...(isOther(byDocker(before), byDocker(after)) ? ['Its ports that Docker publishes changed.'] : []),
  ]
}

const isOther = (one: unknown, other: unknown) => canonical(one) !== canonical(other)

function imageOf({ image }: Service, after: Service): string[] {
  if (after.image === image) return []
  if (after.image === undefined) return ['Its image is built instead of pulled.']
  return [`Its image is ${after.image} instead of ${image ?? 'one that is built'}.`]
}

function sentenceOf(key: string, before: Service, after: Service): string {
  const named = byName.find((one) => one === key)
  if (!named) return `Its ${key} changed.`
  const [old = {}, now = {}] = [before[named], after[named]]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].toSorted()
  return `Its ${key} changed: ${names.filter((name) => isOther(old[name], now[name])).join(', ')}.`
}

const byDocker = ({ ports = [] }: Service) => ports.filter(({ protocol = 'tcp' }) => protocol !== 'tcp')
