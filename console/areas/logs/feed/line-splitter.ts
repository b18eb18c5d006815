interface Piece {
  stream: 'stdout' | 'stderr'
  text: string
  at: string
}

/**
 * Chunks may end within a line: the rest waits, separately per stream. A line has the time of the chunk in which it
 * starts.
 */
export function createLineSplitter() {
  const begun: Record<Piece['stream'], Pick<Piece, 'text' | 'at'>> = {
    stdout: { text: '', at: '' },
    stderr: { text: '', at: '' },
  }

  function cut({ stream, text, at }: Piece): Piece[] {
    const { text: before, at: since } = begun[stream]
    const lines = (before + text).split('\n')
    const last = lines.pop() ?? ''
    const first = before === '' ? at : since
    begun[stream] = { text: last, at: lines.length === 0 ? first : at }
    return lines.map((line, index) => ({ stream, text: line, at: index === 0 ? first : at }))
  }

  /** Returns unfinished lines at the end. */
  function rest(): Piece[] {
    const streams = ['stdout', 'stderr'] as const
    return streams.flatMap((stream) => {
      const { text, at } = begun[stream]
      begun[stream] = { text: '', at: '' }
      return text === '' ? [] : [{ stream, text, at }]
    })
  }

  return { cut, rest }
}
