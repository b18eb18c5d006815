import type { Area } from '../../area.ts'
import * as contract from '../../../contract/compose.ts'
import { route } from '../../route.ts'
import { getServerRow } from '../servers/server.ts'
import { checkComposeFileInWorker } from './check/validate-compose-file.ts'

const routes = [
  route(contract.checkCompose, async (ctx, { caller, body: { compose, env, profiles, server_id } }) => {
    const server = server_id && (await getServerRow(ctx, caller, server_id))
    const apiVersion = server?.docker_api_version ?? undefined
    return checkComposeFileInWorker(caller.workspace.id, compose, { env, profiles, apiVersion })
  }),
]

export const composeArea: Area = {
  name: 'compose',
  routes,
}
