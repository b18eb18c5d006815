/** Far more than a block has; a server that says more without an end is not one of ours. */
const MOST = 256 * 1024

/** Puts the pieces of a stream together into blocks that end with a line of one dot. */
export function createBlocks(onBlock: (block: string) => void): (piece: Buffer) => void {
  let rest = ''
  return (piece) => {
    // The figures are ASCII; what else there may be is ignored, but must not fail.
    rest += piece.toString('latin1')
    for (let end = endOf(rest); end; end = endOf(rest)) {
      onBlock(rest.slice(0, end.at))
      rest = rest.slice(end.next)
    }
    if (rest.length > MOST) throw new Error('The server says much more than its figures.')
  }
}

function endOf(text: string): { at: number; next: number } | undefined {
  if (text.startsWith('.\n')) return { at: 0, next: 2 }
  const at = text.indexOf('\n.\n')
  return at < 0 ? undefined : { at, next: at + 3 }
}
