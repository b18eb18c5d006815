/** The oldest supported Docker Compose. */
export const minComposeVersion = '2.20'

export const isComposeSupported = (version: string | null): boolean => isAtLeast(version, minComposeVersion)

/** From 2.40.2 on, Docker Compose needs buildx to build. Null means not installed. */
export const canComposeBuild = (compose: string | null, buildx: string | null): boolean =>
  !isAtLeast(compose, '2.40.2') || isAtLeast(buildx, '0.17')

function isAtLeast(version: string | null, minimum: string): boolean {
  const [parts, least] = [parseVersion(version ?? ''), parseVersion(minimum)]
  const differs = least.findIndex((part, at) => part !== parts[at])
  return differs < 0 || (parts[differs] ?? 0) > (least[differs] ?? 0)
}

function parseVersion(version: string): number[] {
  const [, major = 0, minor = 0, patch = 0] = /^(\d+)\.(\d+)(?:\.(\d+))?/.exec(version) ?? []
  return [major, minor, patch].map(Number)
}

/**
 * Refuses unprintable characters, and those that only Docker Compose or only our parser treats as line breaks, because
 * one could read what the other skips as a comment. Without zod, so that the console can import it.
 */
export const disallowedCharacter =
  /(?!^\ufeff)(?:\r(?!\n)|[\u2028\u2029]|[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}])/u

/** Characters; ten times the size of large projects. Without zod, so that the console can import it. */
export const maxComposeLength = 200_000

/** Maximum characters of a template.yaml. Without zod, so that the console can import it. */
export const maxTemplateLength = 100_000
