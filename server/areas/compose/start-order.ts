import { type Dependency, type Model, type Service, UnsupportedCompose } from './model.ts'

export const listDependencies = (service: Service): Record<string, Dependency> => ({
  ...Object.fromEntries(impliedBy(service).map((name) => [name, started])),
  ...service.depends_on,
})

const started: Dependency = { condition: 'service_started', required: true }

const impliedBy = (service: Service): string[] => [
  ...sharedServices(service),
  ...(service.links ?? []).map(nameIn),
]

export const sharedServices = ({ network_mode, pid, ipc, volumes_from = [] }: Service): string[] => [
  ...[network_mode, pid, ipc].flatMap((mode) => sharedServiceName(mode) ?? []),
  ...volumes_from.filter((source) => !source.startsWith('container:')).map(nameIn),
]

const nameIn = (line: string) => line.split(':')[0] ?? ''

export const sharedServiceName = (mode: string | undefined): string | undefined =>
  /^service:(.+)$/.exec(mode ?? '')?.[1]

/** The start order by `depends_on`: services of one wave start together, after those of earlier waves. */
export function startWaves(model: Model, names: Iterable<string>): string[][] {
  const waiting = new Map([...new Set(names)].map((name) => [name, awaitedBy(model, name)]))
  const waves: string[][] = []
  while (waiting.size > 0) {
    const ready = [...waiting].flatMap(([name, awaited]) =>
      awaited.some((dependency) => waiting.has(dependency)) ? [] : [name],
    )
    if (ready.length === 0) throw new UnsupportedCompose([cycleIn(waiting)])
    for (const name of ready) waiting.delete(name)
    waves.push(ready.toSorted())
  }
  return waves
}

const awaitedBy = ({ services }: Model, name: string) =>
  Object.hasOwn(services, name) ? Object.keys(listDependencies(services[name] ?? {})) : []

/** Every remaining service waits for another one, so following dependencies returns to a visited one. */
function cycleIn(waiting: ReadonlyMap<string, string[]>): string {
  const path: string[] = []
  let [name] = waiting.keys()
  while (name !== undefined && !path.includes(name)) {
    path.push(name)
    name = waiting.get(name)?.find((dependency) => waiting.has(dependency))
  }
  const circle = [...path.slice(path.indexOf(name ?? '')), name]
  return `Circular dependency: ${circle.join(' → ')}. Remove one of them from depends_on.`
}
