import { digitalOcean } from './digital-ocean.ts'
import { hetzner } from './hetzner.ts'
import type { Provider } from './provider.ts'
import { vultr } from './vultr.ts'

export const providers: Provider[] = [hetzner, digitalOcean, vultr]

export const findProvider = (id: string): Provider | undefined =>
  providers.find((provider) => provider.id === id)
