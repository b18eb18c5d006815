import type { Model, Service } from '../../compose/model.ts'

interface BuildFile {
  text: string
  env: Record<string, string>
}

/** Creates a compose file with only the build sections; `tagOf` names the images. */
export function composeBuildFile(
  model: Model,
  names: readonly string[],
  tagOf: (name: string) => string,
): BuildFile {
  const env: Record<string, string> = {}
  const secrets = Object.fromEntries(
    secretsOf(model, names).map((key, nth) => {
      const { content, file } = model.secrets[key] ?? {}
      if (content === undefined) return [key, { file }]
      env[`SLIPWAY_SECRET_${nth}`] = content
      return [key, { environment: `SLIPWAY_SECRET_${nth}` }]
    }),
  )
  const services = Object.fromEntries(
    names.map((name) => {
      const { build = {}, platform } = model.services[name] ?? {}
      // Extra tags could overwrite images of others.
      const { tags: _, ...own } = build
      return [name, { image: tagOf(name), build: own, ...(platform !== undefined && { platform }) }]
    }),
  )
  return { text: JSON.stringify(escapeDollars({ services, secrets })), env }
}

const secretsOf = ({ services }: Model, names: readonly string[]) => [
  ...new Set(names.flatMap((name) => sourcesIn(services[name] ?? {}))),
]

function sourcesIn({ build }: Service): string[] {
  const given: unknown = build?.['secrets']
  if (!Array.isArray(given)) return []
  return given.flatMap((one: unknown) => {
    if (typeof one === 'string') return [one]
    const source = one instanceof Object && 'source' in one ? one.source : undefined
    return typeof source === 'string' ? [source] : []
  })
}

/** Compose would interpolate a single dollar sign. */
function escapeDollars(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('$', '$$$$')
  if (Array.isArray(value)) return value.map(escapeDollars)
  if (!(value instanceof Object)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, escapeDollars(one)]))
}
