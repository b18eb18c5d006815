import { digitalOcean } from './digital-ocean.ts'
import { hetzner } from './hetzner.ts'
import type { Provider } from './provider.ts'
import { vultr } from './vultr.ts'

/** In the order in which people see them. */
export const providers: Provider[] = [hetzner, digitalOcean, vultr]

export const findProvider = (id: string): Provider | undefined =>
  providers.find((provider) => provider.id === id)
