import { type AnsiStyle, plainStyle, applyAnsiCodes } from './ansi-style.ts'

export interface AnsiPiece {
  text: string
  style: AnsiStyle
}

/**
 * A line with its colours told apart from its text. Whatever else escapes ask of a terminal is dropped, and what could
 * not be seen, or would turn the text around, gets a sign that can.
 */
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

/** Whether reading it would change anything. */
export const hasAnsi = (line: string) => line.search(unseen) !== -1

/** Those with codes are about colours. Each part ends at a sign that cannot stand in it, so none is read twice. */
const escapes =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /(?:\u001b\[|\u009b)(?:([\d;:]*)m|[0-?]*[ -/]*[@-~]?)|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?/g

/** Progress bars write over their own line; only what stands there last is worth reading. */
function lastWritten(line: string): string {
  const said = line.replace(/\r$/, '')
  return said.slice(said.lastIndexOf('\r') + 1)
}

/** Unicode has a picture of each of the old control characters. */
const visible = (text: string) =>
  text.replace(unseen, (sign) => {
    const code = sign.charCodeAt(0)
    return code < 32 ? String.fromCharCode(0x2400 + code) : code === 127 ? '\u2421' : '\ufffd'
  })
