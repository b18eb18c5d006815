import { createServer, request } from 'node:http'
import { urlOf } from '../programs/port.ts'

/** Stands before a server and passes calls on; those that it is told to hold wait until it is opened. */
export async function startGate(to: string) {
  const waiting: (() => void)[] = []
  let holds: (call: string) => boolean = () => false
  const gate = createServer((asked, answered) => {
    const pass = () => {
      const on = request(new URL(asked.url ?? '/', to), { method: asked.method, headers: asked.headers })
      on.on('response', (answer) => {
        answered.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(answered)
      })
      on.on('error', () => answered.destroy())
      asked.pipe(on)
    }
    if (holds(`${asked.method} ${asked.url}`)) waiting.push(pass)
    else pass()
  })
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
  return {
    url: urlOf(gate),
    /** Such calls wait from now on. */
    hold: (isSuch: (call: string) => boolean) => void (holds = isSuch),
    /** How many wait. */
    held: () => waiting.length,
    open() {
      holds = () => false
      for (const pass of waiting.splice(0)) pass()
    },
    async close() {
      gate.closeAllConnections()
      await new Promise((resolve) => gate.close(resolve))
    },
  }
}
