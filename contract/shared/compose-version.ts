/** The oldest supported Docker Compose. */
export const minComposeVersion = '2.20'

/** Null means not installed. */
export const isComposeSupported = (version: string | null): boolean => isAtLeast(version, minComposeVersion)

/** From 2.40.2 on, Docker Compose needs buildx to build. Null means not installed. */
export const canComposeBuild = (compose: string | null, buildx: string | null): boolean =>
  !isAtLeast(compose, '2.40.2') || isAtLeast(buildx, '0.17')

function isAtLeast(version: string | null, wanted: string): boolean {
  const [parts, least] = [partsOf(version ?? ''), partsOf(wanted)]
  const differs = least.findIndex((part, at) => part !== parts[at])
  return differs < 0 || (parts[differs] ?? 0) > (least[differs] ?? 0)
}

function partsOf(version: string): number[] {
  const [, major = 0, minor = 0, patch = 0] = /^(\d+)\.(\d+)(?:\.(\d+))?/.exec(version) ?? []
  return [major, minor, patch].map(Number)
}
