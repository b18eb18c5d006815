import { jsonLines } from '../../../remote/docker/json-lines.ts'
import type { Docker } from '../../../remote/host.ts'
import { inBytes } from '../../../platform/text/bytes.ts'
import type { Inspected } from '../../containers/inspect.ts'

/** How a container ended. */
export interface Ending {
  code: number | null
  outOfMemory: boolean
}

/** As Docker shows it; one that runs again is asked after in what Docker remembers. */
export async function readEnding(docker: Docker, { Id: id, State: state }: Inspected): Promise<Ending> {
  const now = { code: state.ExitCode, outOfMemory: state.OOMKilled }
  return state.Status === 'running' ? readEndingBefore(docker, id) : now
}

interface Ended {
  Action: string
  Actor: { Attributes?: Record<string, string> | null }
}

/** Docker remembers the last few hundred things that happened. */
const secondsBack = 900

async function readEndingBefore(docker: Docker, container: string): Promise<Ending> {
  // The clock is the server's.
  const { SystemTime } = await docker.json<{ SystemTime: string }>({ path: '/info' })
  const now = Date.parse(SystemTime) / 1_000
  const filters = JSON.stringify({ container: [container], event: ['die', 'oom'] })
  const [since, until] = [now - secondsBack, now].map((seconds) => seconds.toFixed(3))
  const query = new URLSearchParams({ since: since ?? '', until: until ?? '', filters })
  const ending: Ending = { code: null, outOfMemory: false }
  const events = await docker.stream({ path: `/events?${query.toString()}` })
  for await (const { Action: action, Actor: actor } of jsonLines<Ended>(events)) {
    if (action === 'oom') ending.outOfMemory = true
    const code = actor.Attributes?.['exitCode']
    if (action === 'die' && code !== undefined) ending.code = Number(code)
  }
  return ending
}

/** As a sentence. */
export function endingInWords(container: string, ending: Ending, limit: number | null): string {
  if (ending.outOfMemory)
    return limit === null
      ? `Container ${container} ran out of memory: the server has no free memory.`
      : `Container ${container} ran out of memory (limit ${inBytes(limit)}).`
  return ending.code === null
    ? `Container ${container} exited.`
    : `Container ${container} exited with code ${ending.code}.`
}
