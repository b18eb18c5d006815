export interface AnsiPiece {
  text: string
  style: AnsiStyle
}

/**
 * Splits a line into styled pieces. Escape sequences without a style are dropped, and invisible characters and
 * direction marks become visible.
 */
export function parseAnsi(line: string): AnsiPiece[] {
  const text = lastWritten(line)
  const pieces: AnsiPiece[] = []
  let style = plainStyle
  let from = 0
  const take = (until: number) => {
    if (until > from) pieces.push({ text: visible(text.slice(from, until)), style })
  }
  for (const match of text.matchAll(escapes)) {
    take(match.index)
    from = match.index + match[0].length
    const [, codes] = match
    if (codes !== undefined) style = applyAnsiCodes(style, codes)
  }
  take(text.length)
  return pieces
}

/** Returns the text as it is shown, so that search and copy match the screen. */
export const stripAnsi = (text: string): string =>
  text
    .split('\n')
    .map((line) => (hasAnsi(line) ? parseAnsi(line).map((piece) => piece.text) : [line]).join(''))
    .join('\n')

// oxlint-disable-next-line no-control-regex -- a control character means that the line must be parsed
const unseen = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g

export const hasAnsi = (line: string) => line.search(unseen) !== -1

/** Pattern of escape sequences. Each part ends at a character that cannot occur in it, which prevents backtracking. */
const escapes =
  // oxlint-disable-next-line no-control-regex -- escape sequences start with a control character
  /(?:\u001b\[|\u009b)(?:([\d;:]*)m|[0-?]*[ -/]*[@-~]?)|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?/g

/** Returns the last version of a line that a progress bar has overwritten. */
function lastWritten(line: string): string {
  const text = line.replace(/\r$/, '')
  return text.slice(text.lastIndexOf('\r') + 1)
}

const visible = (text: string) =>
  text.replace(unseen, (sign) => {
    const code = sign.charCodeAt(0)
    return code < 32 ? String.fromCharCode(0x2400 + code) : code === 127 ? '\u2421' : '\ufffd'
  })

export type Color = number | `#${string}`

export interface AnsiStyle {
  bold: boolean
  dim: boolean
  italic: boolean
  underline: boolean
  strike: boolean
  inverse: boolean
  ink: Color | undefined
  ground: Color | undefined
}

export const plainStyle: AnsiStyle = {
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  strike: false,
  inverse: false,
  ink: undefined,
  ground: undefined,
}

/** Applies the codes of one escape sequence, such as `1;31`, `38;5;208` or `38:2::255:127:0`. */
function applyAnsiCodes(before: AnsiStyle, codes: string): AnsiStyle {
  let style = before
  const parts = codes.split(';')
  for (let at = 0; at < parts.length; at++) {
    const [code = 0, ...more] = (parts[at] ?? '').replace('::', ':').split(':').map(Number)
    if (code !== 38 && code !== 48) style = { ...style, ...change(code) }
    else {
      const values = more.length > 0 ? more : parts.slice(at + 1).map(Number)
      const { colour, length } = extended(values)
      if (colour !== undefined) style = { ...style, [code === 38 ? 'ink' : 'ground']: colour }
      if (more.length === 0) at += length
    }
  }
  return style
}

/** Parses `5;n` or `2;r;g;b`. Returns the color and the number of codes that were used. */
function extended([kind, ...values]: number[]): { colour?: Color; length: number } {
  const [first = 0, green = 0, blue = 0] = values.map((value) => Math.min(value || 0, 255))
  if (kind === 5) return { colour: first, length: 2 }
  if (kind !== 2) return { length: 1 }
  const hex = [first, green, blue].map((value) => value.toString(16).padStart(2, '0')).join('')
  return { colour: `#${hex}`, length: 4 }
}

const changes: Record<number, Partial<AnsiStyle>> = {
  0: plainStyle,
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { strike: false },
  39: { ink: undefined },
  49: { ground: undefined },
}

function change(code: number): Partial<AnsiStyle> {
  if (code >= 30 && code <= 37) return { ink: code - 30 }
  if (code >= 90 && code <= 97) return { ink: code - 82 }
  if (code >= 40 && code <= 47) return { ground: code - 40 }
  if (code >= 100 && code <= 107) return { ground: code - 92 }
  return changes[code] ?? {}
}
