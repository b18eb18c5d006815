import * as contract from '../../../contract/applications.ts'
import { route } from '../../route.ts'
import { listApplications } from './application.ts'

export const routes = [
  route(contract.listApplications, (ctx, { caller, query }) => listApplications(ctx, caller, query)),
]
