export interface OutputPiece {
  stream: 'stdout' | 'stderr'
  text: string
}

export interface OutputLine {
  stream: 'stdout' | 'stderr'
  text: string
  /** The rest of it is still to come. */
  open: boolean
}

/** Where an event stands, by its id: a number that grows, behind the set-up that it is of. */
export const placeOf = (id: string) => Number(id.slice(id.indexOf(':') + 1))

/** The lines so far with another piece behind them. A line that the other stream broke into goes on where it began. */
export function addPiece(lines: readonly OutputLine[], { stream, text }: OutputPiece): OutputLine[] {
  const after = [...lines]
  const parts = text.replaceAll('\r\n', '\n').split('\n')
  parts.forEach((part, index) => {
    const open = index === parts.length - 1
    const at = index === 0 ? after.findLastIndex((line) => line.stream === stream && line.open) : -1
    const before = after[at]
    if (before) after[at] = { stream, text: overwritten(before.text + part), open }
    else if (part !== '' || !open) after.push({ stream, text: overwritten(part), open })
  })
  return after
}

/** Progress bars write over their own line; only what stands there last is worth reading. */
function overwritten(text: string): string {
  const plain = text.replace(escapes, '')
  const at = plain.replace(/\r$/, '').lastIndexOf('\r')
  return at === -1 ? plain : plain.slice(at + 1)
}

/** Colours and movements of a terminal, which this is not. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g
