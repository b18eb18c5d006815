import type { Host } from '../../../remote/host.ts'
import { verifyMachine } from '../machine.ts'
import type { ServerRow } from '../server.ts'
import { findTakenPorts } from '../web-ports.ts'
import { type SetupRun, SetUpFailed } from './setup-run.ts'

/** Identifies the machine by its proxy, and checks that the ports of the proxy are free. */
export async function identifyMachine({ ctx, run }: SetupRun, server: ServerRow, host: Host): Promise<void> {
  const machine = await verifyMachine(ctx, server, host, run.signal)
  if (machine === undefined) return
  const { http_port, https_port } = server
  const taken = await findTakenPorts(ctx.db, { ...server, machine }, { http_port, https_port })
  const [problem] = Object.values(taken).flat()
  if (problem !== undefined) throw new SetUpFailed(`${problem} Then set up again.`)
}
