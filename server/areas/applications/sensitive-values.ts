import type { Pair } from '../../../contract/shared/entries.ts'
import type { ReleaseConfig } from '../../tables.ts'
import { listOf, mapOf } from '../compose/read/loose.ts'
import { readRaw } from '../compose/read/read-raw.ts'

/** What a value is replaced with. */
const hidden = '•••'
/** Replaces a whole text that cannot be masked. */
export const withheld =
  'Hidden: this text may contain secret values. Ask someone who can manage applications to read it.'
/** Shorter values would be found in every other word. */
const shortest = 6
const longestText = 200_000

/** The parts of a configuration that may hold secrets. */
export interface SensitiveConfig {
  config: Pick<ReleaseConfig, 'labels' | 'command' | 'build'> | null
  env: readonly Pair[]
  compose: string | null
}

export interface ValueIndex {
  values: Set<string>
  /** The lengths of the values that begin with these six characters, the longest first. */
  lengthsByStart: Map<string, number[]>
  characters: number
}

/**
 * Indexes the configured values that may be secrets: of the environment, commands, labels, build arguments and the same keys
 * of a compose file. Reading a large file takes long, so call it off the event loop.
 */
export function indexValues(configuration: SensitiveConfig | null): ValueIndex {
  const all = new Set(configuration ? valuesIn(configuration) : [])
  const values = [...all].filter(({ length }) => length >= shortest)
  const index: ValueIndex = { values: new Set(values), lengthsByStart: new Map(), characters: 0 }
  for (const value of values.toSorted((one, other) => other.length - one.length)) {
    const start = value.slice(0, shortest)
    const lengths = index.lengthsByStart.get(start)
    if (!lengths) index.lengthsByStart.set(start, [value.length])
    else if (lengths.at(-1) !== value.length) lengths.push(value.length)
    index.characters += value.length
  }
  return index
}

/** Masks every value of the indexes. A text that would take long to search is withheld instead. */
export function maskValues(text: string, indexes: readonly ValueIndex[]): string {
  if (text.length > longestText) return withheld
  let [masked, end] = ['', 0]
  /** Characters that may be compared with values. */
  let comparable = 50_000 + 100 * text.length
  for (let at = 0; at <= text.length - shortest; at++) {
    const start = text.slice(at, at + shortest)
    for (const { values, lengthsByStart } of indexes) {
      const found = lengthsByStart.get(start)?.find((length) => {
        comparable -= length
        return comparable < 0 || values.has(text.slice(at, at + length))
      })
      if (comparable < 0) return withheld
      if (found === undefined) continue
      // Values that overlap are masked as one, so that no rest of either stays.
      if (at >= end) masked += text.slice(end, at) + hidden
      end = Math.max(end, at + found)
    }
  }
  return masked + text.slice(end)
}

const valuesIn = ({ config, env, compose }: SensitiveConfig): string[] => [
  ...env.flatMap(({ value }) => formsOf(value)),
  ...(config?.labels ?? []).flatMap(({ value }) => formsOf(value)),
  ...(config?.build?.build_args ?? []).flatMap(({ value }) => formsOf(value)),
  ...(config?.command ?? []).flatMap(wordsOf),
  ...(config?.build?.generated ?? '')
    .split(/\s+/)
    .filter((word) => word.includes('='))
    .flatMap(wordsOf),
  ...(compose === null ? [] : valuesInFile(compose)),
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
