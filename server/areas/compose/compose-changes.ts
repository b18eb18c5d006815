import { isDeepStrictEqual } from 'node:util'
import { isMap, toMap } from './read/untyped.ts'
import { readUninterpolated } from './read/to-value.ts'

/** Values are null where they may be secret. */
export interface FileChange {
  field: string
  kind: 'added' | 'removed' | 'changed'
  from: string | null
  to: string | null
}

/** Values of any other key may be secret, so only the change itself is shown. */
const shownKeys = new Set(
  (
    'container_name cpus depends_on deploy.replicas expose hostname image init mem_limit network_mode networks ' +
    'platform ports privileged profiles pull_policy read_only restart scale stop_grace_period stop_signal user ' +
    'volumes working_dir'
  ).split(' '),
)
const entryKeys = new Set(['environment', 'labels', 'build', 'deploy', 'healthcheck'])
const sections = ['networks', 'volumes', 'secrets', 'configs']

/** Compares parsed values, so that formatting and comments make no difference. */
export function composeChanges(from: string, to: string): FileChange[] {
  if (from === to) return []
  const [before, after] = [toMap(readUninterpolated(from)), toMap(readUninterpolated(to))]
  const [old, now] = [toMap(before['services']), toMap(after['services'])]
  return [
    ...listKeys(old, now).flatMap((name) => serviceChanges(`services.${name}`, old[name], now[name])),
    ...sections.flatMap((section) => {
      const [was, is] = [toMap(before[section]), toMap(after[section])]
      return listKeys(was, is).flatMap((name) => compareKey(`${section}.${name}`, was, is, name))
    }),
  ]
}

function serviceChanges(field: string, from: unknown, to: unknown): FileChange[] {
  if (!isMap(from) || !isMap(to))
    return isDeepStrictEqual(from, to) ? [] : [{ field, kind: toKind(from, to), ...compareImages(from, to) }]
  return listKeys(from, to).flatMap((key) => {
    if (!entryKeys.has(key)) return compareKey(`${field}.${key}`, from, to, key)
    const [was, is] = [toEntries(from[key]), toEntries(to[key])]
    return listKeys(was, is).flatMap((entry) =>
      compareKey(`${field}.${key}.${entry}`, was, is, entry, `${key}.${entry}`),
    )
  })
}

const toEntries = (value: unknown): Record<string, unknown> =>
  Array.isArray(value)
    ? Object.fromEntries(
        value.map((line) => {
          const [key = '', ...rest] = (isPlain(line) ? String(line) : JSON.stringify(line)).split('=')
          return [key, rest.length === 0 ? null : rest.join('=')]
        }),
      )
    : isMap(value)
      ? value
      : value === undefined
        ? {}
        : { context: value }

function compareKey(
  field: string,
  from: Record<string, unknown>,
  to: Record<string, unknown>,
  key: string,
  called = key,
): FileChange[] {
  const [was, is] = [from[key], to[key]]
  if (isSame(was, is)) return []
  const isShown = shownKeys.has(called) && field.startsWith('services.')
  return [
    {
      field,
      kind: toKind(was, is),
      from: isShown ? formatValue(was) : null,
      to: isShown ? formatValue(is) : null,
    },
  ]
}

/** Containers receive 1 and "1" alike. */
const isSame = (a: unknown, b: unknown) =>
  isDeepStrictEqual(a, b) || (isPlain(a) && isPlain(b) && String(a) === String(b))

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

const toKind = (from: unknown, to: unknown) =>
  from === undefined ? 'added' : to === undefined ? 'removed' : 'changed'

const compareImages = (from: unknown, to: unknown) => ({
  from: formatValue(toMap(from)['image']),
  to: formatValue(toMap(to)['image']),
})

const listKeys = (a: Record<string, unknown>, b: Record<string, unknown>): string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].toSorted()

const longest = 300

function formatValue(value: unknown): string | null {
  if (value === undefined || value === null) return null
  const words = isPlain(value)
    ? String(value)
    : Array.isArray(value)
      ? value.map((item) => (isPlain(item) ? String(item) : JSON.stringify(item))).join(', ')
      : Object.keys(toMap(value)).join(', ')
  return words.length > longest ? `${words.slice(0, longest)}…` : words
}
