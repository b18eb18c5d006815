import { canonicalJson } from '../service-hash.ts'
import { toList, toMap, toText } from '../read/untyped.ts'
import type { Model, Service } from '../model.ts'
import type { ServerRoute } from './network-access.ts'
import { hasNetworks } from '../proxy-network.ts'
import { sharedServiceName } from '../start-order.ts'
import { listHostAccess } from './host-access.ts'

interface GrantedAccess {
  /** The live release, whose access was granted. */
  before: Model | undefined
  folder: string
  own: ReadonlySet<string>
  routes?: readonly ServerRoute[]
  /** The release was live before, so an admin has approved these programs with their access. */
  wasLive?: boolean
}

/** A change of what a service runs, or of a service that shares its resources, needs a new grant. */
export function findNewHostAccess(model: Model, against: GrantedAccess): string[] {
  const { before, folder, own, routes, wasLive = false } = against
  const names = Object.keys(model.services)
  const beyond = names.flatMap((name) => {
    const old = before && Object.hasOwn(before.services, name) ? before.services[name] : undefined
    const isGranted =
      old && (wasLive || (before && serializeProgram(before, name) === serializeProgram(model, name)))
    const had = new Set(
      before && isGranted ? listHostAccess(subModel(before, name), folder, own, routes) : [],
    )
    return listHostAccess(subModel(model, name), folder, own, routes).filter((access) => !had.has(access))
  })
  return [...new Set(beyond)]
}

/** Serializes everything that determines what a service runs, including other services that use its volumes. */
const serializeProgram = (model: Model, name: string): string => {
  const service = model.services[name] ?? {}
  const sources = new Set(listSources(service))
  const shared = new Set(sharedBy(service))
  const others = Object.keys(model.services).filter(
    (other) =>
      other !== name &&
      (shared.has(other) || listSources(model.services[other] ?? {}).some((source) => sources.has(source))),
  )
  return canonicalJson({
    service: toRunFields(service),
    files: [model.secrets, model.configs].map((all) => only(all, listFiles(service))),
    others: Object.fromEntries(others.map((other) => [other, toRunFields(model.services[other] ?? {})])),
  })
}

const listSources = ({ volumes = [] }: Service) => volumes.flatMap(({ source }) => source ?? [])

const listFiles = ({ secrets = [], configs = [], build }: Service) => [
  ...[...secrets, ...configs].map(({ source }) => source),
  ...builtWith(build),
]

const harmless = new Set(
  (
    'container_name cpu_count cpu_percent cpu_period cpu_quota cpu_shares cpus depends_on deploy expose labels mem_limit ' +
    'mem_reservation networks ports pull_policy restart scale stop_grace_period'
  ).split(' '),
)

const toRunFields = (service: Service) =>
  Object.fromEntries(Object.entries(service).filter(([key]) => !harmless.has(key)))

function subModel(model: Model, name: string): Model {
  const all = new Set([name])
  // The set grows during the iteration, which makes it transitive.
  for (const one of all) for (const other of sharedBy(only(model.services, [one])[one] ?? {})) all.add(other)
  const services = only(model.services, all)
  const used = Object.values(services)
  const networks = used.filter(hasNetworks).flatMap((service) => Object.keys(service.networks ?? {}))
  const secrets = used.flatMap((service) => [
    ...(service.secrets ?? []).map(({ source }) => source),
    ...builtWith(service.build),
  ])
  return {
    services,
    networks: only(model.networks, networks),
    volumes: only(model.volumes, used.flatMap(listSources)),
    secrets: only(model.secrets, secrets),
    configs: only(
      model.configs,
      used.flatMap(({ configs = [] }) => configs.map(({ source }) => source)),
    ),
  }
}

const sharedBy = ({ network_mode, pid, ipc, volumes_from = [] }: Service) => [
  ...[network_mode, pid, ipc].flatMap((mode) => sharedServiceName(mode) ?? []),
  ...volumes_from.flatMap((line) => line.split(':')[0] ?? []),
]

const builtWith = (build: Service['build']) =>
  toList(build?.['secrets']).flatMap((secret) => toText(secret) ?? toText(toMap(secret)['source']) ?? [])

const only = <One>(all: Record<string, One>, keys: Iterable<string>): Record<string, One> => {
  const kept = new Set(keys)
  return Object.fromEntries(Object.entries(all).filter(([key]) => kept.has(key)))
}
