import * as contract from '../../../contract/deployments.ts'
import { route } from '../../route.ts'
import { listDeployments } from './deployment.ts'

export const routes = [
  route(contract.listDeployments, (ctx, { caller, query }) => listDeployments(ctx, caller, query)),
]
