import type { Pair } from '../../../contract/shared/entries.ts'
import type { ApplicationConfig } from '../applications/config.ts'
import { validateComposeFile } from '../compose/check/validate-compose-file.ts'
import { draftCompose } from './draft-compose.ts'
import { type DraftedDomain, escapeDollars, withSecrets } from './draft-inputs.ts'
import { containsPassword } from './looks-secret.ts'
import { stringify } from 'yaml'
import { isBind } from '../applications/instance.ts'
import { isComposeSetting } from '../compose/read/interpolate.ts'

export function draftFiles(
  { compose, config, env }: ApplicationConfig,
  port: number | null,
  domain: DraftedDomain | undefined,
): { text: string; values: Pair[] } {
  if (!compose) return composeFromImage({ config, env }, port)
  const { text, taken } = draftCompose({ ...compose, env }, domain)
  return { text, values: [...neededBy(text, { env, taken, domain }), ...taken] }
}

interface NeededVariablesInput {
  env: readonly Pair[]
  taken: readonly Pair[]
  domain: DraftedDomain | undefined
}

/** A variable that the application does not set becomes an empty input, because Docker Compose reads it as empty. */
function neededBy(text: string, { env, taken, domain }: NeededVariablesInput): Pair[] {
  const missing = new Set<string>()
  const whyUnknown = (name: string) => {
    missing.add(name)
    return name
  }
  const all = [...env, ...taken, ...domainVariables(domain)]
  const { variables } = validateComposeFile(text, { env: all, profiles: [], describeUnknown: whyUnknown })
  // A service with env_file receives all variables.
  const isTaken = (name: string) => variables.includes(name) || /\benv_file\b/.test(text)
  const own = env.filter(({ key }) => /^[A-Za-z_]\w*$/.test(key) && isTaken(key))
  return [...own, ...[...missing].map((key) => ({ key, value: '' }))]
}

const domainVariables = (domain: DraftedDomain | undefined): Pair[] =>
  domain ? [domain.name, `${domain.name}_URL`].map((key) => ({ key, value: domain.host })) : []

export const imageServiceName = 'app'

function composeFromImage(
  { config, env }: Pick<ApplicationConfig, 'config' | 'env'>,
  port: number | null,
): { text: string; values: Pair[] } {
  const { command, memory_limit: memory, cpu_limit: cpus, replicas, restart, volumes, labels } = config
  const inputs = inputsOfImage(env)
  const drafted = (text: string) => {
    const now = withSecrets(escapeDollars(text), inputs)
    if (!containsPassword(now)) return now
    const key = numberedFrom('ADDRESS', new Set(inputs.map((input) => input.key)))
    inputs.push({ key, value: text })
    return `\${${key}}`
  }
  const names = volumes.map(({ source }) => source).filter((source) => !isBind(source))
  const text = stringify(
    {
      services: {
        [imageServiceName]: {
          image: config.image,
          ...(command && { command: command.map(drafted) }),
          ...(port !== null && { expose: [String(port)] }),
          ...(env.length > 0 && {
            environment: Object.fromEntries(
              env.map(({ key }, index) => [key, `\${${inputs[index]?.key ?? key}}`]),
            ),
          }),
          ...(volumes.length > 0 && { volumes: volumes.map(({ source, target }) => `${source}:${target}`) }),
          ...(labels.length > 0 && {
            labels: Object.fromEntries(labels.map(({ key, value }) => [key, drafted(value)])),
          }),
          ...(memory !== null && { mem_limit: memory }),
          ...(cpus !== null && { cpus }),
          ...(replicas > 1 && { deploy: { replicas } }),
          ...(restart !== 'always' && { restart }),
        },
      },
      ...(names.length > 0 && { volumes: Object.fromEntries(names.map((name) => [name, {}])) }),
    },
    { lineWidth: 0 },
  )
  return { text, values: inputs }
}

/** Maps variables to input names that are unique and valid in compose files. */
export function inputsOfImage(env: readonly Pair[]): Pair[] {
  const taken = new Set(env.map(({ key }) => key))
  return env.map(({ key, value }) => {
    const plain = key.replaceAll(/\W/g, '_')
    const name = isComposeSetting(plain) ? `APP_${plain}` : plain
    if (name === key) return { key, value }
    const free = numberedFrom(name, taken)
    taken.add(free)
    return { key: free, value }
  })
}

function numberedFrom(name: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const numbered = n === 1 ? name : `${name}_${n}`
    if (!taken.has(numbered)) return numbered
  }
}
