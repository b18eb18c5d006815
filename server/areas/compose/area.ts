import type { Area } from '../../area.ts'
import * as contract from '../../../contract/compose.ts'
import { route } from '../../route.ts'
import { checkComposeFileInWorker } from './check/check-compose-file.ts'

const routes = [
  route(contract.checkCompose, (_ctx, { caller, body: { compose, env, profiles } }) =>
    checkComposeFileInWorker(caller.workspace.id, compose, { env, profiles }),
  ),
]

export const composeArea: Area = {
  name: 'compose',
  routes,
}
