import { stringify } from 'yaml'
import type { Pair } from '../../../contract/shared/entries.ts'
import type { ApplicationConfig } from '../applications/config.ts'
import { isBind } from '../applications/instance.ts'
import { isComposeSetting } from '../compose/read/interpolate.ts'
import { escapeDollars, withSecrets } from './draft-inputs.ts'
import { containsPassword } from './looks-secret.ts'

export const imageServiceName = 'app'

interface DraftedImage {
  text: string
  /** Inputs from variables and from other places that held a password. */
  values: Pair[]
}

/** A compose file that runs the same image in the same way, with its variables taken from inputs. */
export function composeFromImage(
  { config, env }: Pick<ApplicationConfig, 'config' | 'env'>,
  port: number | null,
): DraftedImage {
  const { command, memory_limit: memory, cpu_limit: cpus, replicas, restart, volumes, labels } = config
  const inputs = inputsOfImage(env)
  const drafted = (text: string) => {
    const now = withSecrets(escapeDollars(text), inputs)
    if (!containsPassword(now)) return now
    const key = numberedFrom('ADDRESS', new Set(inputs.map((one) => one.key)))
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
            environment: Object.fromEntries(env.map(({ key }, at) => [key, `\${${inputs[at]?.key ?? key}}`])),
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
