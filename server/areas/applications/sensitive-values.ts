import { listOf, mapOf } from '../compose/loose.ts'
import { readRaw } from '../compose/read-raw.ts'
import type { Configured } from './config.ts'

/** What a value is replaced with. */
const hidden = '•••'
/** Shorter values would be found in every other word. */
const shortest = 6
const most = 2_000

type Of = Pick<Configured, 'env'> &
  Partial<Pick<Configured, 'compose'>> & { config: Configured['config'] | null }

/**
 * Replaces what somebody configured as a value and may be a secret: of the environment, commands, labels, build arguments and
 * of the same keys of a compose file. For whoever may not manage the application.
 */
export function redactorOf(...configured: Of[]): (text: string) => string {
  const values = new Set(configured.flatMap(valuesIn).filter((value) => value.length >= shortest))
  const sorted = [...values].toSorted((one, other) => other.length - one.length).slice(0, most)
  return (text) => sorted.reduce((left, value) => left.replaceAll(value, hidden), text)
}

const valuesIn = ({ config, env, compose }: Of): string[] => [
  ...env.flatMap(({ value }) => formsOf(value)),
  ...(config?.labels ?? []).flatMap(({ value }) => formsOf(value)),
  ...(config?.build?.build_args ?? []).flatMap(({ value }) => formsOf(value)),
  ...(config?.command ?? []).flatMap(wordsOf),
  ...(config?.build?.generated ?? '')
    .split(/\s+/)
    .filter((word) => word.includes('='))
    .flatMap(wordsOf),
  ...(compose ? valuesInFile(compose.text) : []),
]

/** As it is, as it stands in quotes, and line by line. */
const formsOf = (value: string) => [
  value,
  JSON.stringify(value).slice(1, -1),
  ...value.split(/\r?\n/).map((line) => line.trim()),
]

/** Of a command line: whole, by its words, and what is behind an equals sign. Plain words such as `server` say nothing. */
const wordsOf = (text: string): string[] =>
  [text, ...text.split(/[\s'"]+/)]
    .flatMap((word) => [word, word.slice(word.indexOf('=') + 1)])
    .filter((word) => !/^-*[a-z]{1,12}$/.test(word))
    .flatMap(formsOf)

const sensitiveKeys = ['command', 'entrypoint', 'environment', 'labels', 'healthcheck']

function valuesInFile(text: string): string[] {
  const top = mapOf(readRaw(text))
  const services = Object.values(mapOf(top['services'])).map(mapOf)
  const given = [
    ...services.flatMap((service) => sensitiveKeys.map((key) => service[key])),
    ...services.map(({ build }) => mapOf(build)['args']),
    ...['secrets', 'configs'].flatMap((section) =>
      Object.values(mapOf(top[section])).map((one) => mapOf(one)['content']),
    ),
  ]
  return given.flatMap(scalarsIn).flatMap(wordsOf)
}

function scalarsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (Array.isArray(value)) return listOf(value).flatMap(scalarsIn)
  return Object.values(mapOf(value)).flatMap(scalarsIn)
}
