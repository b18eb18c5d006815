import { DockerUnsupported } from '../errors.ts'
import type { DockerEngine } from '../host.ts'

/** The oldest API version that Slipway can use: Docker 20.10. */
const oldest = '1.41'
/** The newest API version that Slipway was tested with: Docker 28.5. */
export const newestApiVersion = '1.51'

export interface EngineVersion {
  Version?: unknown
  ApiVersion?: unknown
  MinAPIVersion?: unknown
}

export function readEngine(engine: EngineVersion | undefined): DockerEngine {
  const offered = readApiVersion(engine?.ApiVersion)
  if (offered === undefined) throw new DockerUnsupported('Docker on this server reports no API version.')
  const least = readApiVersion(engine?.MinAPIVersion) ?? oldest
  const version =
    typeof engine?.Version === 'string' ? engine.Version.replace(/[^\w.+~-]/g, '').slice(0, 50) : ''
  const name = `Docker ${version}`.trim()
  if (isOlder(offered, oldest))
    throw new DockerUnsupported(
      `${name} on this server is too old. Slipway needs Docker 20.10 or newer. Upgrade Docker.`,
    )
  if (isOlder(newestApiVersion, least))
    throw new DockerUnsupported(
      `${name} on this server accepts API version ${least} and newer, but Slipway supports up to ${newestApiVersion}. Update Slipway, or set DOCKER_MIN_API_VERSION=${newestApiVersion} in the environment of dockerd and restart it.`,
    )
  return { version, apiVersion: isOlder(offered, newestApiVersion) ? offered : newestApiVersion }
}

export const isOlder = (version: string, than: string): boolean => toNumber(version) < toNumber(than)

const readApiVersion = (value: unknown) =>
  typeof value === 'string' && /^\d{1,4}\.\d{1,4}$/.test(value) ? value : undefined

function toNumber(version: string): number {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major * 10_000 + minor
}
