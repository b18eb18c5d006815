import * as contract from '../../../contract/projects.ts'
import { route } from '../../route.ts'
import { listProjects } from './project.ts'

export const routes = [
  route(contract.listProjects, (ctx, { caller, query }) => listProjects(ctx, caller, query)),
]
