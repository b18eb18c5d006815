import { type AnsiStyle, plainStyle, applyAnsiCodes } from './ansi-style.ts'

export interface AnsiPiece {
  text: string
  style: AnsiStyle
}

/** Drops other escape sequences, and replaces invisible characters and direction marks by visible ones. */
export function parseAnsi(line: string): AnsiPiece[] {
  const said = lastWritten(line)
  const pieces: AnsiPiece[] = []
  let style = plainStyle
  let from = 0
  const take = (until: number) => {
    if (until > from) pieces.push({ text: visible(said.slice(from, until)), style })
  }
  for (const found of said.matchAll(escapes)) {
    take(found.index)
    from = found.index + found[0].length
    const [, codes] = found
    if (codes !== undefined) style = applyAnsiCodes(style, codes)
  }
  take(said.length)
  return pieces
}

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const unseen = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g

export const hasAnsi = (line: string) => line.search(unseen) !== -1

/** Each part ends at a character that cannot occur in it, which prevents backtracking. */
const escapes =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /(?:\u001b\[|\u009b)(?:([\d;:]*)m|[0-?]*[ -/]*[@-~]?)|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?/g

/** Progress bars overwrite their line, so only the last version matters. */
function lastWritten(line: string): string {
  const said = line.replace(/\r$/, '')
  return said.slice(said.lastIndexOf('\r') + 1)
}

/** Unicode has a symbol for each control character. */
const visible = (text: string) =>
  text.replace(unseen, (sign) => {
    const code = sign.charCodeAt(0)
    return code < 32 ? String.fromCharCode(0x2400 + code) : code === 127 ? '\u2421' : '\ufffd'
  })
