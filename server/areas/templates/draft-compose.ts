import { type Document, isAlias, isMap, isScalar, isSeq, parseDocument, type Scalar, visit } from 'yaml'
import type { Pair } from '../../../contract/shared/entries.ts'
import { isProfileSelected } from '../compose/profiles.ts'
import { interpolate } from '../compose/read/interpolate.ts'
import { toList, toText } from '../compose/read/untyped.ts'
import { type DraftedDomain, withDomain, withSecrets } from './draft-inputs.ts'
import { containsPassword, looksSecret } from './looks-secret.ts'

/** Replaces secrets and what belongs to this installation by inputs. */
export function draftCompose(
  { text, profiles, env }: { text: string; profiles: readonly string[]; env: readonly Pair[] },
  domain: DraftedDomain | undefined,
): { text: string; taken: Pair[] } {
  const document = parseDocument(text, { uniqueKeys: false })
  keepChosen(document, profiles)
  dropComments(document)
  const names = new Map(env.map(({ key, value }) => [key, value]))
  const taken = [...defaultsIn(document, names), ...secretsIn(document, names)]
  const instead = (value: string) => withDomain(withSecrets(value, [...taken, ...env]), domain)
  eachText(document, instead)
  const addresses = addressesIn(document, names)
  return { text: document.toString({ lineWidth: 0 }), taken: [...taken, ...addresses] }
}

function eachText(document: Document, change: (value: string) => string): void {
  visit(document, {
    Scalar: (at, node) => {
      if (at !== 'key' && typeof node.value === 'string') write(node, change(node.value))
    },
  })
}

/** Removes comments, because they may contain old passwords. */
function dropComments(document: Document): void {
  const drop = (node: { comment?: string | null; commentBefore?: string | null }) => {
    node.comment = null
    node.commentBefore = null
  }
  drop(document)
  visit(document, { Node: (_at, node) => drop(node) })
}

/** Templates have no profiles, so services of unselected profiles are removed. */
function keepChosen(document: Document, profiles: readonly string[]): void {
  const services = document.get('services')
  if (!isMap(services)) return
  const names = services.items.map(({ key }) => readScalar(key))
  for (const name of names) {
    const own = document.getIn(['services', name, 'profiles'])
    if (!isSeq(own)) continue
    if (isProfileSelected(toList(own.toJSON()).map(String), profiles))
      document.deleteIn(['services', name, 'profiles'])
    else document.deleteIn(['services', name])
  }
}

type Names = Map<string, string>

/** Removes the default of a secret variable, which may be a secret itself. */
function defaultsIn(document: Document, names: Names): Pair[] {
  const taken: Pair[] = []
  eachText(document, (text) =>
    text.replaceAll(/(?<!\$)\$\{(\w+):?-([^{}]+)\}/g, (all, name: string, value: string) => {
      if (!looksSecret(name)) return all
      if (!names.has(name)) taken.push({ key: name, value: resolveText(value, names) })
      names.set(name, names.get(name) ?? resolveText(value, names))
      return `\${${name}}`
    }),
  )
  return taken
}

const secretsIn = (document: Document, names: Names): Pair[] =>
  takeOut(document, names, ({ key, value }) => looksSecret(key) && value !== '' && !isTaken(value))

function addressesIn(document: Document, names: Names): Pair[] {
  const taken = takeOut(document, names, ({ value }) => containsPassword(value))
  eachText(document, (text) => {
    if (!containsPassword(text)) return text
    const value = resolveText(text, names)
    const name = nameFor('ADDRESS', value, 'OTHER', names)
    if (!names.has(name)) taken.push({ key: name, value })
    names.set(name, value)
    return `\${${name}}`
  })
  return taken
}

function takeOut(document: Document, names: Names, isWanted: (entry: Entry) => boolean): Pair[] {
  const taken: Pair[] = []
  for (const entry of environmentIn(document).filter(isWanted)) {
    const { service, key, replace } = entry
    const value = resolveText(entry.value, names)
    const name = nameFor(key, value, service, names)
    if (!names.has(name)) taken.push({ key: name, value })
    names.set(name, value)
    replace(`\${${name}}`)
  }
  return taken
}

const resolveText = (text: string, names: Names) => interpolate(text, names, { left: 100_000 }).text

/** Tells whether the text consists of variable references, with too little text between them for a secret. */
function isTaken(text: string): boolean {
  const literal = text.replaceAll('$$', '_')
  const rest = literal.replaceAll(/\$(?:\{\w+(?::?\?[^{}]*)?\}|[A-Za-z_]\w*)/g, ' ')
  return rest !== literal && !/\w{8}/.test(rest)
}

function nameFor(key: string, value: string, service: string, names: ReadonlyMap<string, string>): string {
  const prefix = service.toUpperCase().replaceAll(/\W/g, '_')
  const plain = key.replaceAll(/\W/g, '_')
  const isFree = (name: string) => !names.has(name) || names.get(name) === value
  for (let n = 1; ; n++) {
    const free = [plain, `${prefix}_${plain}`, `${prefix}_${plain}_${n}`].find(isFree)
    if (free !== undefined) return free
  }
}

interface Entry {
  service: string
  key: string
  value: string
  replace: (value: string) => void
}

function environmentIn(document: Document): Entry[] {
  const behind = (node: unknown): unknown => (isAlias(node) ? node.resolve(document) : node)
  const services = behind(document.get('services', true))
  if (!isMap(services)) return []
  return services.items.flatMap(({ key, value }) => {
    const service = readScalar(key)
    const own = behind(value)
    return isMap(own) ? entriesIn(own.get('environment', true), service) : []
  })

  function entriesIn(environment: unknown, service: string): Entry[] {
    const node = behind(environment)
    if (isSeq(node))
      return node.items.flatMap((item) => {
        const [, key = '', value = ''] = /^([^=]+)=([^]*)$/.exec(readScalar(item)) ?? []
        if (!isScalar(item) || key === '') return []
        return [{ service, key, value, replace: (now: string) => write(item, `${key}=${now}`) }]
      })
    if (!isMap(node)) return []
    return node.items.flatMap(({ key, value }) => {
      const name = readScalar(key)
      if (name === '<<') return entriesIn(value, service)
      const scalar = behind(value)
      if (!isScalar(scalar)) return []
      return [{ service, key: name, value: readScalar(scalar), replace: (now: string) => write(scalar, now) }]
    })
  }
}

const readScalar = (node: unknown): string => (isScalar(node) ? (toText(node.value) ?? '') : '')

function write(scalar: Scalar, value: string): void {
  if (scalar.value === value) return
  scalar.value = value
  // Quote the value, because braces have a meaning in YAML.
  scalar.type = 'QUOTE_DOUBLE'
}
