import { useEffect, useState } from 'react'
import type { Api } from '../../contract/api.ts'
import type { Input, Reply } from '../../contract/endpoint.ts'
import { fillPath } from './http/fill-path.ts'
import { followStream } from './http/follow-stream.ts'
import { appendOutputPiece, type OutputLine, type OutputPiece, outputPosition } from './output-lines.ts'

type OutputKey = 'GET /v1/servers/{id}/setup/log' | 'GET /v1/servers/{id}/commands/{command_id}/output'
type OutputEvent = Reply<Api[OutputKey]>

interface Output {
  lines: readonly OutputLine[]
  over: boolean
  lost: boolean
}

const none: Output = { lines: [], over: false, lost: false }

/** Streams the output of a program from its start. The hook never restarts, so each program needs its own `key`. */
export function useOutput<K extends OutputKey>(key: K, params: Input<Api[K]>['params']): Output {
  const [output, setOutput] = useState(none)
  const path = fillPath(key.slice('GET '.length), { params })
  useEffect(() => {
    let last = 0
    let waiting: OutputPiece[] = []
    let frame = 0
    // Several pieces are rendered at once.
    const show = () => {
      frame = 0
      const pieces = waiting
      waiting = []
      setOutput((before) => ({
        ...before,
        lines: pieces.reduce<readonly OutputLine[]>(appendOutputPiece, before.lines),
      }))
    }
    const stop = followStream((token) => fillPath(path, { query: { token } }), {
      onOpen: () => setOutput((before) => ({ ...before, lost: false })),
      onLost: () => setOutput((before) => ({ ...before, lost: true })),
      onMessage: (message, id) => {
        // oxlint-disable-next-line no-unsafe-type-assertion -- the server validates its events against this schema
        const event = message as OutputEvent
        if (event.type === 'end') {
          stop()
          setOutput((before) => ({ ...before, over: true }))
        }
        // A reconnected stream starts from the beginning, so skip known pieces.
        if (event.type !== 'output' || outputPosition(id) <= last) return
        last = outputPosition(id)
        waiting.push(event)
        frame ||= requestAnimationFrame(show)
      },
    })
    return () => {
      stop()
      cancelAnimationFrame(frame)
      setOutput(none)
    }
  }, [path])
  return output
}
