/** An entry of a list, in a path. */
export const item = '[]'

/** Where somebody types in a file: `path` leads to what they are in, and with `key` they type its value. */
export interface CursorPosition {
  path: readonly string[]
  key: string | undefined
  /** What stands before the cursor of the word that is being typed. */
  word: string
}

const typing = /^(\s*)((?:- +)*)(?:(["']?)([\w.$/-]+)\3:[ \t]+)?([^\s:#"'[\]{},]*)$/
const written = /^(\s*)((?:- +)*)(?:(["']?)([\w.$/-]+)\3:(?:\s|$))?/

/**
 * By indentation alone, as a file is broken for most of the time that somebody types it. `lines` end where the cursor
 * stands. Undefined where nothing can be offered, such as within a text.
 */
export function cursorPositionAt(lines: readonly string[]): CursorPosition | undefined {
  const match = typing.exec(lines.at(-1) ?? '')
  if (!match) return undefined
  const [, indent = '', dashes = '', , key, word = ''] = match
  // A list may stand as far left as the key that it belongs to.
  const limit = dashes === '' ? indent.length : indent.length + 0.5
  const parents = parentsOf(lines.slice(0, -1), limit)
  return { path: dashes === '' ? parents : [...parents, item], key, word }
}

function parentsOf(lines: readonly string[], from: number): string[] {
  const path: string[] = []
  let limit = from
  for (const line of lines.toReversed()) {
    if (limit === 0) break
    if (/^\s*(#|$)/.test(line)) continue
    const [, indent = '', dashes = '', , key] = written.exec(line) ?? []
    const column = indent.length + dashes.length
    if (key !== undefined && column < limit) {
      path.unshift(key)
      limit = column
    }
    if (dashes !== '' && indent.length + 0.5 < limit) {
      path.unshift(item)
      limit = indent.length + 0.5
    }
  }
  return path
}

/** What a section at the top of a file names, such as its services. */
export function namesInSection(lines: readonly string[], section: string): string[] {
  const start = lines.findIndex((line) => line.trimEnd() === `${section}:`)
  if (start < 0) return []
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => /^[^\s#]/.test(line))
  const inside = end < 0 ? rest : rest.slice(0, end)
  const keys = inside.flatMap((line) => {
    const [, indent = '', name] = /^( +)(["']?[\w.-]+["']?):/.exec(line) ?? []
    return name === undefined ? [] : [{ indent: indent.length, name: name.replaceAll(/["']/g, '') }]
  })
  return keys.filter(({ indent }) => indent === keys[0]?.indent).map(({ name }) => name)
}
