import * as contract from '../../../contract/commands.ts'
import { route } from '../../route.ts'
import { cancelCommand } from './cancel-command.ts'
import { getCommand, listCommands, streamCommand } from './command.ts'
import { runCommand, runContainerCommand } from './run-command.ts'

export const routes = [
  route(contract.listCommands, (ctx, { caller, params, query }) =>
    listCommands(ctx, caller, params.id, query),
  ),
  route(contract.runCommand, (ctx, { caller, params, body }) => runCommand(ctx, caller, params.id, body)),
  route(contract.getCommand, async (ctx, { caller, params }) => ({
    command: await getCommand(ctx, caller, params),
  })),
  route(contract.streamCommand, (ctx, { caller, params, signal, lastEventId }) =>
    streamCommand(ctx, caller, params, { signal, lastEventId }),
  ),
  route(contract.cancelCommand, async (ctx, { caller, params }) => ({
    command: await cancelCommand(ctx, caller, params),
  })),
  route(contract.runContainerCommand, (ctx, { caller, params, body }) =>
    runContainerCommand(ctx, caller, params, body),
  ),
]
