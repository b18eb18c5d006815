import { listItemSegment, namesInSection, cursorPositionAt } from './cursor-position.ts'
import { keysAt, type SchemaKey, valuesAt } from './schema-options.ts'

export interface CompletionOption {
  label: string
  kind: 'key' | 'value' | 'name'
  about?: string | undefined
  /** Inserted text. */
  insert: string
}

/** Section of the file that declares the names used by a service key. */
const sections = new Map([
  ['depends_on', 'services'],
  ['links', 'services'],
  ['networks', 'networks'],
  ['volumes', 'volumes'],
  ['secrets', 'secrets'],
  ['configs', 'configs'],
])

/** `before` ends at the cursor; `all` is the whole file. */
export function completionsAt(before: readonly string[], all: readonly string[]) {
  const place = cursorPositionAt(before)
  if (!place) return undefined
  const { path, key, word } = place
  const names = namesAt(path, key, all)
  if (key !== undefined) return { word, offers: [...names.map(nameOption), ...valuesOf([...path, key])] }
  const inList = path.at(-1) === listItemSegment
  const named = names.map((name) =>
    inList ? nameOption(name) : keyOption({ name, about: undefined, inline: false }),
  )
  return { word, offers: [...named, ...keysAt(path).map(keyOption), ...(inList ? valuesOf(path) : [])] }
}

function namesAt(path: readonly string[], key: string | undefined, all: readonly string[]): string[] {
  const [top, own = '', within = '', entry] = path
  if (top !== 'services') return []
  const others = (section: string) =>
    namesInSection(all, section).filter((name) => section !== 'services' || name !== own)
  if (within === 'extends' && key === 'service') return others('services')
  const section = sections.get(within)
  if (section === undefined || path.length > 4) return []
  const inPlace = key === undefined && (path.length === 3 || entry === listItemSegment)
  return inPlace || (entry === listItemSegment && key === 'source') ? others(section) : []
}

const valuesOf = (path: readonly string[]): CompletionOption[] =>
  valuesAt(path).map((value) => ({ label: value, kind: 'value', insert: value }))

const nameOption = (name: string): CompletionOption => ({ label: name, kind: 'name', insert: name })

const keyOption = ({ name, about, inline }: SchemaKey): CompletionOption => ({
  label: name,
  kind: 'key',
  about,
  insert: inline ? `${name}: ` : `${name}:`,
})
