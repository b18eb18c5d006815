export type DeploymentFix =
  | { kind: 'port'; port: number }
  | { kind: 'image'; image: string }
  /** `credentials`: name of those that the registry rejected. */
  | { kind: 'registry'; image: string; credentials?: string | undefined }
  | { kind: 'disk' }

type Cause = [RegExp, (match: RegExpExecArray) => DeploymentFix[]]

const image = String.raw`(?<image>\S+?)`
const registryFix = ({ groups }: RegExpExecArray): DeploymentFix => ({
  kind: 'registry',
  image: groups?.['image'] ?? '',
  credentials: groups?.['credentials'],
})
const imageFix = ({ groups }: RegExpExecArray): DeploymentFix => ({
  kind: 'image',
  image: groups?.['image'] ?? '',
})

const causes: readonly Cause[] = [
  [
    /listens on ports? ([\d, ]+), not on \d+/,
    ([, ports = '']) =>
      ports.split(', ').map((port): DeploymentFix => ({ kind: 'port', port: Number(port) })),
  ],
  [new RegExp(`requires credentials for ${image}, and`), (match) => [registryFix(match)]],
  [
    new RegExp(`rejected the credentials “(?<credentials>[^”]*)” for ${image}\\. `),
    (match) => [registryFix(match)],
  ],
  [
    new RegExp(`has no image ${image}, or the image is private`),
    (match) => [imageFix(match), registryFix(match)],
  ],
  [new RegExp(`has no image ${image}(?:, or the credentials|\\. )`), (match) => [imageFix(match)]],
  [new RegExp(`(?:^|\\s)${image} is not built for the architecture`), (match) => [imageFix(match)]],
  [/no space left on device|not enough disk space|disk of .+ is (?:almost )?full/i, () => [{ kind: 'disk' }]],
]

/** The first is the most likely one. Empty if only the user can tell what to change. */
export function findFixes(errors: readonly string[]): DeploymentFix[] {
  const text = errors.join('\n')
  for (const [cause, toFixes] of causes) {
    const match = cause.exec(text)
    if (match) return toFixes(match)
  }
  return []
}
