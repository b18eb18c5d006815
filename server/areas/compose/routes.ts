import * as contract from '../../../contract/compose.ts'
import { route } from '../../route.ts'
import { checkFileOffLoop } from './check/check-off-loop.ts'

export const routes = [
  route(contract.checkCompose, (_ctx, { caller, body: { compose, env, profiles } }) =>
    checkFileOffLoop(caller.workspace.id, compose, { env, profiles }),
  ),
]
