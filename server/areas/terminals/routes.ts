import * as contract from '../../../contract/terminals.ts'
import { route } from '../../route.ts'
import { openTerminal } from './open-terminal.ts'

export const routes = [
  route(contract.openTerminal, (ctx, { caller, params, query: { cols, rows, session } }) =>
    openTerminal(ctx, caller, params, { cols, rows, session }),
  ),
  route(contract.openContainerTerminal, (ctx, { caller, params, query: { cols, rows, session } }) =>
    openTerminal(ctx, caller, params, { cols, rows, session }),
  ),
]
