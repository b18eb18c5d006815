/** Text with one entry a line, as people type it. No schema here: the console reads it too. */

export interface Pair {
  key: string
  value: string
}

export interface Mapping {
  source: string
  target: string
}

/** What a variable may be called. */
export const variableName = /^[A-Za-z_][A-Za-z0-9_.-]*$/
export const notAVariableName =
  'Must begin with a letter or _, and have only letters, digits, _, . and -, such as DATABASE_URL.'

/** Split at the first equals sign. Blank lines and those without a key are dropped. */
export const readPairs = (text: string): Pair[] =>
  linesOf(text)
    .map((line) => {
      const [key, value] = splitAt(line, '=')
      return { key, value }
    })
    .filter(({ key }) => key !== '')

export const writePairs = (pairs: readonly Pair[]) =>
  pairs.map(({ key, value }) => `${key}=${value}`).join('\n')

/** Split at the first colon. Blank lines are dropped. */
export const readMappings = (text: string): Mapping[] =>
  linesOf(text).map((line) => {
    const [source, target] = splitAt(line, ':')
    return { source, target }
  })

export const writeMappings = (mappings: readonly { source: string | number; target: string | number }[]) =>
  mappings.map(({ source, target }) => `${source}:${target}`).join('\n')

/** Those with something in them. */
export const linesOf = (text: string) => text.split(/\r?\n/).filter((line) => line.trim() !== '')

function splitAt(line: string, sign: string): [string, string] {
  const at = line.indexOf(sign)
  return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
}
