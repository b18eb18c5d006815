/** Path segment of a list entry. */
export const listItemSegment = '[]'

/** `path` leads to the parent; `key` is set while its value is typed. */
export interface CursorPosition {
  path: readonly string[]
  key: string | undefined
  /** Part of the word before the cursor. */
  word: string
}

const typing = /^(\s*)((?:- +)*)(?:(["']?)([\w.$/-]+)\3:[ \t]+)?([^\s:#"'[\]{},]*)$/
const written = /^(\s*)((?:- +)*)(?:(["']?)([\w.$/-]+)\3:(?:\s|$))?/

/**
 * Uses indentation only, because the file is mostly invalid while typing. `lines` end at the cursor. Returns undefined
 * where nothing can be offered, such as in a string.
 */
export function cursorPositionAt(lines: readonly string[]): CursorPosition | undefined {
  const match = typing.exec(lines.at(-1) ?? '')
  if (!match) return undefined
  const [, indent = '', dashes = '', , key, word = ''] = match
  // A list may be indented like its key.
  const limit = dashes === '' ? indent.length : indent.length + 0.5
  const parents = parentsOf(lines.slice(0, -1), limit)
  return { path: dashes === '' ? parents : [...parents, listItemSegment], key, word }
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
      path.unshift(listItemSegment)
      limit = indent.length + 0.5
    }
  }
  return path
}

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
