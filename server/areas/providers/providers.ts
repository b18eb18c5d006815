import { digitalOcean } from './digital-ocean.ts'
import { hetzner } from './hetzner.ts'
import type { Provider } from './provider.ts'
import { vultr } from './vultr.ts'
import type { Config } from '../../config.ts'

export const providers: Provider[] = [hetzner, digitalOcean, vultr]

export const findProvider = (id: string): Provider | undefined =>
  providers.find((provider) => provider.id === id)

const self = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0|\[::\])$/

export function publicUrlProblem({ PUBLIC_URL: address }: Pick<Config, 'PUBLIC_URL'>): string | null {
  if (!self.test(new URL(address).hostname)) return null
  return `New cloud servers connect to Slipway at PUBLIC_URL, but only this machine can reach ${address}. Set PUBLIC_URL to an address that your servers can reach, and restart Slipway.`
}
