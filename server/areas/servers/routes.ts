import * as contract from '../../../contract/servers.ts'
import * as setups from '../../../contract/setups.ts'
import { notFound } from '../../errors.ts'
import { route } from '../../route.ts'
import { listServers } from './server.ts'

const later = [
  contract.createServer,
  contract.getServer,
  contract.updateServer,
  contract.deleteServer,
  contract.getServerKey,
  contract.connectServer,
  contract.trustHostKey,
  setups.startSetup,
  setups.getSetup,
  setups.streamSetup,
].map((endpoint) =>
  route(endpoint as never, () => {
    throw notFound('It')
  }),
)

export const routes = [
  route(contract.listServers, (ctx, { caller, query }) => listServers(ctx, caller, query)),
  ...later,
]
