import type { Area } from '../../area.ts'
import * as contract from '../../../contract/providers.ts'
import { route } from '../../route.ts'
import { providers, publicUrlProblem } from './providers.ts'

const routes = [
  route(contract.listProviders, async (ctx) => ({
    providers: providers.map(({ id, name, tokenUrl, tokenHelp }) => ({
      id,
      name,
      token_url: tokenUrl,
      token_help: tokenHelp,
    })),
    obstacle: publicUrlProblem(ctx.config),
  })),
]

export const providersArea: Area = {
  name: 'providers',
  routes,
}
