export interface OutputPiece {
  stream: 'stdout' | 'stderr'
  text: string
}

export interface OutputLine {
  stream: 'stdout' | 'stderr'
  /** Text with escape sequences, which `AnsiText` renders. */
  text: string
  open: boolean
}

/** Returns the position in an event ID of the form `run:number`. */
export const outputPosition = (id: string) => Number(id.slice(id.indexOf(':') + 1))

/**
 * Appends a piece of output. It continues an incomplete line of its stream, even if the other stream wrote in between.
 */
export function appendOutputPiece(lines: readonly OutputLine[], { stream, text }: OutputPiece): OutputLine[] {
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

/** Returns the text after the last carriage return, because progress bars overwrite their line. */
function overwritten(text: string): string {
  const at = text.replace(/\r$/, '').lastIndexOf('\r')
  return at === -1 ? text : text.slice(at + 1)
}
