import type { Context } from '../../context.ts'
import type { DetachedResult, OutputChunk } from '../../remote/detached.ts'
import { dockerClientMissing, markerLine } from '../../remote/container/container-command.ts'
import { findContainerLoss } from '../containers/running-container.ts'
import type { ServerRow } from '../servers/server.ts'
import { failedResult, lostResult, toCommandResult } from './command-result.ts'
import type { CommandResult, CommandRow, Offsets } from './store.ts'

const maxMessageLength = 2_000

export class ContainerOutput {
  private readonly own: Buffer
  private begun: boolean
  private ended = false
  private output = ''

  constructor(row: CommandRow, from: Offsets) {
    this.own = Buffer.from(markerLine(row.id))
    this.begun = from.stdout > 0
  }

  take(piece: OutputChunk): OutputChunk {
    const { stream, data, offset } = piece
    const index = data.indexOf(this.own)
    const isFirst = stream === 'stdout' && index === 0 && offset === data.length
    const isLast = stream === 'stderr' && index >= 0
    this.begun ||= isFirst
    this.ended ||= isLast
    if (!this.begun) this.output = (this.output + data.toString()).slice(-maxMessageLength)
    if (!isFirst && !isLast) return piece
    return {
      ...piece,
      data: Buffer.concat([data.subarray(0, index), data.subarray(index + this.own.length)]),
    }
  }

  async ending(
    ctx: Context,
    server: ServerRow,
    row: CommandRow,
    finish: DetachedResult,
  ): Promise<CommandResult> {
    if (finish.reason !== 'ended') return toCommandResult(row, finish)
    if (!this.begun) return failedResult(whyNotBegun(server, row, finish, this.output))
    const reason = this.ended ? undefined : await whyGone(ctx, server, row, finish)
    return reason === undefined ? toCommandResult(row, finish) : lostResult(reason, finish.truncated)
  }
}

/** Exit codes of the Docker CLI after it lost the connection to Docker. */
const withoutDocker: (number | null)[] = [1, 255]

async function whyGone(
  ctx: Context,
  server: ServerRow,
  row: CommandRow,
  { code, truncated }: DetachedResult,
) {
  const fate = await findContainerLoss(ctx, server, row.container_id ?? '', code)
  const reasons = {
    removed: `The container ${row.container_name} was removed`,
    stopped: `The container ${row.container_name} stopped`,
    'without Docker': `Docker on ${server.name} became unreachable`,
  }
  // Truncated output may lack the last marker, so the exit code alone proves nothing.
  const known = fate ?? (withoutDocker.includes(code) && !truncated ? 'without Docker' : undefined)
  return known && `${reasons[known]} while the command was running. Its result is unknown.`
}

function whyNotBegun(server: ServerRow, row: CommandRow, { code }: DetachedResult, output: string): string {
  const name = row.container_name
  if (code === dockerClientMissing)
    return `The docker CLI is not installed on ${server.name}; commands in containers need it. Set up the server again or install the CLI.`
  if (/executable file not found|no such file or directory/.test(output))
    return `The container ${name} has no shell: sh was not found in it.`
  if (/No such container/i.test(output))
    return `The container ${name} was removed before the command started.`
  const last = output.trim().split('\n').at(-1) || `the docker CLI exited with code ${code}`
  return `Docker could not run the command in ${name}: ${last.replace(/^Error response from daemon: /, '').replace(/\.?$/, '.')}`
}
