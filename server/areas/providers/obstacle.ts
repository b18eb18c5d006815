import type { Config } from '../../config.ts'

/** Hosts by which every machine means itself. */
const self = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0|\[::\])$/

/** Why no cloud can make a server for this Slipway, whichever it is; null where nothing is in the way. */
export function obstacleOf({ PUBLIC_URL: address }: Pick<Config, 'PUBLIC_URL'>): string | null {
  if (!self.test(new URL(address).hostname)) return null
  return `A server that a cloud makes calls Slipway once it has booted, at PUBLIC_URL. That is ${address} now, where only this machine finds it. Set PUBLIC_URL to an address that your servers reach, and restart Slipway.`
}
