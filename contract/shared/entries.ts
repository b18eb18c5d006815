/** Parses text with one entry per line. This file does not import zod, because the console uses it. */

export interface Pair {
  key: string
  value: string
}

export interface Mapping {
  source: string
  target: string
}

export const variableName = /^[A-Za-z_][A-Za-z0-9_.-]*$/
export const variableNameError =
  'Must start with a letter or _ and contain only letters, digits, _, . and -, such as DATABASE_URL.'

/** Splits lines at the first equals sign. Drops blank lines and lines without a key. */
export const readPairs = (text: string): Pair[] =>
  splitNonBlankLines(text)
    .map((line) => {
      const [key, value] = splitAt(line, '=')
      return { key, value }
    })
    .filter(({ key }) => key !== '')

export const readMappings = (text: string): Mapping[] =>
  splitNonBlankLines(text).map((line) => {
    const [source, target] = splitAt(line, ':')
    return { source, target }
  })

export const writeMappings = (mappings: readonly { source: string | number; target: string | number }[]) =>
  mappings.map(({ source, target }) => `${source}:${target}`).join('\n')

export const splitNonBlankLines = (text: string) => text.split(/\r?\n/).filter((line) => line.trim() !== '')

function splitAt(line: string, sign: string): [string, string] {
  const index = line.indexOf(sign)
  return index < 0 ? [line.trim(), ''] : [line.slice(0, index).trim(), line.slice(index + 1).trim()]
}
