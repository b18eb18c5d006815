interface Piece {
  stream: 'stdout' | 'stderr'
  text: string
}

/** Makes lines of pieces, which may end anywhere in one: what has no end yet waits for it, each stream for itself. */
export function createLineCutter() {
  const begun = { stdout: '', stderr: '' }

  function cut({ stream, text }: Piece): Piece[] {
    const lines = (begun[stream] + text).split('\n')
    begun[stream] = lines.pop() ?? ''
    return lines.map((line) => ({ stream, text: line }))
  }

  /** What is left once nothing more comes. */
  function rest(): Piece[] {
    const streams = ['stdout', 'stderr'] as const
    return streams.flatMap((stream) => {
      const text = begun[stream]
      begun[stream] = ''
      return text === '' ? [] : [{ stream, text }]
    })
  }

  return { cut, rest }
}
