import { command, type Command } from '../../../remote/command.ts'
import { type DetachedResult, runDetached } from '../../../remote/detached.ts'
import { LineAssembler } from '../../../remote/detached-output.ts'
import type { Host } from '../../../remote/host.ts'
import { proxyRevision, runArguments } from '../../../remote/proxy/container.ts'
import { initialConfig } from '../../../remote/proxy/plan.ts'
import type { ServerRow } from '../server.ts'
import { type SetupRun, retrySetupWhileUnreachable, saveProgress, SetUpFailed } from './setup-run.ts'
import { type SetupTarget, UNREACHABLE_LIMIT_MS } from './connect-for-setup.ts'
import { parseSetupOutput } from './parse-output.ts'
import type { SetupRow } from './store.ts'
import { readScript } from '../../../platform/read-script.ts'

export const setUpScript = readScript('set-up.sh')

const LIMIT_MINUTES = 30
const MOST_OUTPUT = 4_194_304
/** A server that rebooted during setup gets one retry. */
const MOST_RUNS = 2

export async function runScript(attempt: SetupRun, target: SetupTarget): Promise<void> {
  for (;;) {
    const finish = await retrySetupWhileUnreachable(
      attempt,
      UNREACHABLE_LIMIT_MS,
      (host, server, markResponded) =>
        follow(attempt, host, commandFor(attempt, server, target), markResponded),
    )
    if (finish.reason !== 'vanished' || attempt.setup.runs >= MOST_RUNS) return judge(attempt, finish)
    await saveProgress(
      attempt,
      { runs: attempt.setup.runs + 1, stdout_offset: 0, stderr_offset: 0, error: null, warnings: '[]' },
      'The server restarted during setup. Starting over.\n',
    )
  }
}

export const setupRunId = ({ id, runs }: SetupRow) => `${id}-${runs}`

/** Passes everything variable as arguments, so that nothing is interpreted as code. */
function commandFor({ ctx }: SetupRun, server: ServerRow, { ipv6 }: SetupTarget): Command {
  const { http_port: httpPort, https_port: httpsPort, username } = server
  const { PROXY_IMAGE, DOCKER_SOCKET } = ctx.config
  const socket = server.kind === 'local' ? DOCKER_SOCKET : '/var/run/docker.sock'
  const scriptArgs = scriptArguments({ httpPort, httpsPort, ipv6, image: PROXY_IMAGE, username, socket })
  return { ...command('sh', '-c', setUpScript, 'set-up', ...scriptArgs), asRoot: true }
}

interface ScriptInput {
  httpPort: number
  httpsPort: number
  ipv6: boolean
  image: string
  username: string
  socket: string
}

export const scriptArguments = ({
  httpPort,
  httpsPort,
  ipv6,
  image,
  username,
  socket,
}: ScriptInput): string[] => [
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
  attempt: SetupRun,
  host: Host,
  what: Command,
  markResponded: () => void,
): Promise<DetachedResult> {
  const { run, setup } = attempt
  const offsets = { stdout: setup.stdout_offset, stderr: setup.stderr_offset }
  const lines = new LineAssembler(offsets)
  const leave = new AbortController()
  const pieces = runDetached(
    host,
    { id: setupRunId(setup), command: what, limitSeconds: LIMIT_MINUTES * 60, maxBytes: MOST_OUTPUT },
    offsets,
    AbortSignal.any([run.signal, leave.signal]),
  )
  try {
    for (;;) {
      const next = await pieces.next()
      markResponded()
      const output = next.done ? lines.end() : lines.add(next.value)
      if (output !== '')
        await saveProgress(attempt, { ...parseSetupOutput(output, attempt.setup), ...lines.reached }, output)
      if (next.done) return next.value
    }
  } finally {
    leave.abort()
  }
}

function judge({ setup }: SetupRun, { reason, code }: DetachedResult): void {
  if (reason === 'ended' && code === 0) return
  if (reason === 'timed_out')
    throw new SetUpFailed(
      `Setup timed out after ${LIMIT_MINUTES} minutes. See the log for the last step, fix the problem on the server, then set up again.`,
    )
  if (reason === 'vanished')
    throw new SetUpFailed(
      'The server restarted twice during setup. Find out why it restarts, then set up again.',
    )
  throw new SetUpFailed(
    setup.error ?? 'Setup was interrupted on the server. See the log for the last step, then set up again.',
  )
}
