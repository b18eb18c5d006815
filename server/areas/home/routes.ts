import * as contract from '../../../contract/home.ts'
import { route } from '../../route.ts'
import { getHome } from './home.ts'

export const routes = [
  route(contract.getHome, async (ctx, { caller }) => ({ home: await getHome(ctx, caller) })),
]
