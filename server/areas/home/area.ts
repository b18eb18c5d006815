import type { Area } from '../../area.ts'
import * as contract from '../../../contract/home.ts'
import { route } from '../../route.ts'
import { getHome } from './home.ts'

const routes = [route(contract.getHome, async (ctx, { caller }) => ({ home: await getHome(ctx, caller) }))]

export const homeArea: Area = {
  name: 'home',
  routes,
}
