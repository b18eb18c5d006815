export type DeploymentFix =
  | { kind: 'port'; port: number }
  | { kind: 'image'; image: string }
  /** `credentials` is the name of the credentials that the registry rejected. */
  | { kind: 'registry'; image: string; credentials?: string | undefined }
  | { kind: 'disk' }

type Cause = [RegExp, (match: RegExpExecArray) => DeploymentFix[]]

const image = String.raw`(?<image>\S+?)`
const registry = String.raw`(?:Docker Hub|The registry \S+)`
const toRegistryFix = ({ groups }: RegExpExecArray): DeploymentFix[] => [
  { kind: 'registry', image: groups?.['image'] ?? '', credentials: groups?.['credentials'] },
]
const toImageFix = ({ groups }: RegExpExecArray): DeploymentFix[] => [
  { kind: 'image', image: groups?.['image'] ?? '' },
]

/** Each pattern matches from the start of an error, which Slipway writes. The rest may quote a program or registry. */
const causes: readonly Cause[] = [
  [
    /^Health check of container \S+ failed after [\d.]+ s: .*\bThe application listens on ports? ([\d, ]+), not on \d+\.$/s,
    ([, ports = '']) =>
      ports.split(', ').map((port): DeploymentFix => ({ kind: 'port', port: Number(port) })),
  ],
  [new RegExp(`^${registry} requires credentials for ${image}, and the workspace has none`), toRegistryFix],
  [
    new RegExp(`^${registry} rejected the credentials “(?<credentials>[^”]*)” for ${image}\\. `),
    toRegistryFix,
  ],
  [
    new RegExp(`^${registry} has no image ${image}, or the image is private`),
    (match) => [...toImageFix(match), ...toRegistryFix(match)],
  ],
  [new RegExp(`^${registry} has no image ${image}(?:, or the credentials|\\. )`), toImageFix],
  [new RegExp(`^${image} is not built for the architecture`), toImageFix],
]

const diskFull = /no space left on device|^Not enough disk space|\bdisk of .+ is (?:almost )?full/im

/**
 * Returns fixes, the most likely first, or none if only the user can know what to change. Only the first error is
 * written by Slipway. Others may be output of a program, which must not be able to ask for credentials.
 */
export function findFixes(errors: readonly string[]): DeploymentFix[] {
  const [sentence = ''] = errors
  for (const [cause, toFixes] of causes) {
    const match = cause.exec(sentence)
    if (match) return toFixes(match)
  }
  return diskFull.test(errors.join('\n')) ? [{ kind: 'disk' }] : []
}
