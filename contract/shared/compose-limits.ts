/** The oldest supported Docker Compose. */
export const minComposeVersion = '2.20'

export const isComposeSupported = (version: string | null): boolean => isAtLeast(version, minComposeVersion)

/** From version 2.40.2, Docker Compose needs buildx to build. A version is null if the program is not installed. */
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
 * Matches unprintable characters, and characters that only Docker Compose or only our parser treats as line breaks: one
 * of them could read text that the other skips as a comment. This file does not import zod, so that the console can use
 * it.
 */
export const disallowedCharacter =
  /(?!^\ufeff)(?:\r(?!\n)|[\u2028\u2029]|[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}])/u

/** Maximum number of characters, ten times the size of large projects. */
export const maxComposeLength = 200_000

/** Maximum number of characters of a template.yaml. */
export const maxTemplateLength = 100_000
