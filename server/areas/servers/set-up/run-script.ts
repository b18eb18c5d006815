import { command, type Command } from '../../../remote/command.ts'
import { type DetachedResult, runDetached } from '../../../remote/detached.ts'
import { LineAssembler } from '../../../remote/detached/line-assembler.ts'
import type { Host } from '../../../remote/host.ts'
import { proxyRevision, runArguments } from '../../../remote/proxy/container.ts'
import { initialConfig } from '../../../remote/proxy/plan.ts'
import type { ServerRow } from '../server.ts'
import { type Attempt, insist, note, SetUpFailed } from './attempt.ts'
import { type Found, LONG_PATIENCE } from './connect.ts'
import { marksIn } from './marks.ts'
import { readScript } from './read-script.ts'
import type { SetupRow } from './store.ts'

const LIMIT_MINUTES = 30
const MOST_OUTPUT = 4_194_304
/** A server that rebooted during setup gets one retry. */
const MOST_RUNS = 2

/** Runs the script on the server, detached from the connection and from this process. */
export async function runScript(attempt: Attempt, found: Found): Promise<void> {
  const script = await readScript()
  for (;;) {
    const finish = await insist(attempt, LONG_PATIENCE, (host, server, heard) =>
      follow(attempt, host, commandFor(attempt, server, script, found), heard),
    )
    if (finish.reason !== 'vanished' || attempt.setup.runs >= MOST_RUNS) return judge(attempt, finish)
    await note(
      attempt,
      { runs: attempt.setup.runs + 1, stdout_offset: 0, stderr_offset: 0, error: null, warnings: '[]' },
      'The server restarted during setup. Starting over.\n',
    )
  }
}

/** Each run has a separate ID on the server. */
export const workOf = ({ id, runs }: SetupRow) => `${id}-${runs}`

/** Passes everything variable as arguments, so that nothing is interpreted as code. */
function commandFor({ ctx }: Attempt, server: ServerRow, script: string, { ipv6 }: Found): Command {
  const { http_port: httpPort, https_port: httpsPort, username } = server
  const { PROXY_IMAGE, DOCKER_SOCKET } = ctx.config
  const socket = server.kind === 'local' ? DOCKER_SOCKET : '/var/run/docker.sock'
  const given = scriptArguments({ httpPort, httpsPort, ipv6, image: PROXY_IMAGE, username, socket })
  return { ...command('sh', '-c', script, 'set-up', ...given), asRoot: true }
}

interface Given {
  httpPort: number
  httpsPort: number
  ipv6: boolean
  image: string
  username: string
  socket: string
}

export const scriptArguments = ({ httpPort, httpsPort, ipv6, image, username, socket }: Given): string[] => [
  String(httpPort),
  String(httpsPort),
  image,
  username,
  socket,
  initialConfig(httpPort, httpsPort, ipv6),
  proxyRevision,
  ...runArguments(image),
]

async function follow(
  attempt: Attempt,
  host: Host,
  what: Command,
  heard: () => void,
): Promise<DetachedResult> {
  const { run, setup } = attempt
  const offsets = { stdout: setup.stdout_offset, stderr: setup.stderr_offset }
  const lines = new LineAssembler(offsets)
  const leave = new AbortController()
  const pieces = runDetached(
    host,
    { id: workOf(setup), command: what, limitSeconds: LIMIT_MINUTES * 60, maxBytes: MOST_OUTPUT },
    offsets,
    AbortSignal.any([run.signal, leave.signal]),
  )
  try {
    for (;;) {
      const next = await pieces.next()
      heard()
      const said = next.done ? lines.end() : lines.add(next.value)
      if (said !== '') await note(attempt, { ...marksIn(said, attempt.setup), ...lines.reached }, said)
      if (next.done) return next.value
    }
  } finally {
    leave.abort()
  }
}

function judge({ setup }: Attempt, { reason: why, code }: DetachedResult): void {
  if (why === 'ended' && code === 0) return
  if (why === 'timed_out')
    throw new SetUpFailed(
      `Setup timed out after ${LIMIT_MINUTES} minutes. See the log for the last step, fix the problem on the server, then set up again.`,
    )
  if (why === 'vanished')
    throw new SetUpFailed(
      'The server restarted twice during setup. Find out why it restarts, then set up again.',
    )
  throw new SetUpFailed(
    setup.error ?? 'Setup was interrupted on the server. See the log for the last step, then set up again.',
  )
}
