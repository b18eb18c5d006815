import type { Pair } from '../../../contract/shared/entries.ts'
import type { ReleaseConfig } from '../../tables.ts'
import { toList, toMap } from '../compose/read/untyped.ts'
import { readUninterpolated } from '../compose/read/to-value.ts'

const hidden = '•••'
export const withheldText =
  'Hidden: this text may contain secret values. Ask a member who can manage applications to read it.'
/** Shorter values would match ordinary words. */
const minLength = 6
const longestText = 200_000

export interface SensitiveConfig {
  config: Pick<ReleaseConfig, 'labels' | 'command' | 'build'> | null
  env: readonly Pair[]
  compose: string | null
}

export interface ValueIndex {
  values: Set<string>
  lengthsByStart: Map<string, number[]>
  characters: number
}

/** Slow for large files, so call it off the event loop. */
export function indexValues(configuration: SensitiveConfig | null): ValueIndex {
  const all = new Set(configuration ? valuesIn(configuration) : [])
  const values = [...all].filter(({ length }) => length >= minLength)
  const index: ValueIndex = { values: new Set(values), lengthsByStart: new Map(), characters: 0 }
  for (const value of values.toSorted((a, b) => b.length - a.length)) {
    const start = value.slice(0, minLength)
    const lengths = index.lengthsByStart.get(start)
    if (!lengths) index.lengthsByStart.set(start, [value.length])
    else if (lengths.at(-1) !== value.length) lengths.push(value.length)
    index.characters += value.length
  }
  return index
}

/** Masks every indexed value. Texts that would take too long to search are withheld. */
export function maskValues(text: string, indexes: readonly ValueIndex[]): string {
  if (text.length > longestText) return withheldText
  let [masked, end] = ['', 0]
  let comparable = 50_000 + 100 * text.length
  for (let index = 0; index <= text.length - minLength; index++) {
    const start = text.slice(index, index + minLength)
    for (const { values, lengthsByStart } of indexes) {
      const match = lengthsByStart.get(start)?.find((length) => {
        comparable -= length
        return comparable < 0 || values.has(text.slice(index, index + length))
      })
      if (comparable < 0) return withheldText
      if (match === undefined) continue
      // Merges overlapping values, so that no part of either remains.
      if (index >= end) masked += text.slice(end, index) + hidden
      end = Math.max(end, index + match)
    }
  }
  return masked + text.slice(end)
}

const valuesIn = ({ config, env, compose }: SensitiveConfig): string[] => [
  ...env.flatMap(({ value }) => listForms(value)),
  ...(config?.labels ?? []).flatMap(({ value }) => listForms(value)),
  ...(config?.build?.build_args ?? []).flatMap(({ value }) => listForms(value)),
  ...(config?.command ?? []).flatMap(splitWords),
  ...(config?.build?.generated ?? '')
    .split(/\s+/)
    .filter((word) => word.includes('='))
    .flatMap(splitWords),
  ...(compose === null ? [] : valuesInFile(compose)),
]

const listForms = (value: string) => [
  value,
  JSON.stringify(value).slice(1, -1),
  ...value.split(/\r?\n/).map((line) => line.trim()),
]

/** Splits a value into the whole, its words, and the parts after equals signs. Plain words such as `server` are no secret. */
const splitWords = (text: string): string[] =>
  [text, ...text.split(/[\s'"]+/)]
    .flatMap((word) => [word, word.slice(word.indexOf('=') + 1)])
    .filter((word) => !/^-*[a-z]{1,12}$/.test(word))
    .flatMap(listForms)

const sensitiveKeys = ['command', 'entrypoint', 'environment', 'labels', 'healthcheck']

function valuesInFile(text: string): string[] {
  const top = toMap(readUninterpolated(text))
  const services = Object.values(toMap(top['services'])).map(toMap)
  const texts = [
    ...services.flatMap((service) => sensitiveKeys.map((key) => service[key])),
    ...services.map(({ build }) => toMap(build)['args']),
    ...['secrets', 'configs'].flatMap((section) =>
      Object.values(toMap(top[section])).map((content) => toMap(content)['content']),
    ),
  ]
  return texts.flatMap(scalarsIn).flatMap(splitWords)
}

function scalarsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (Array.isArray(value)) return toList(value).flatMap(scalarsIn)
  return Object.values(toMap(value)).flatMap(scalarsIn)
}
