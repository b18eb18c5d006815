/** Action that repairs a failed deployment with one click. */
export type DeploymentFix = { kind: 'port'; port: number } | { kind: 'registry' } | { kind: 'disk' }

const causes: readonly [RegExp, (port: number) => DeploymentFix][] = [
  [/listens on port (\d+), not on \d+/, (port) => ({ kind: 'port', port })],
  [/requires credentials for|rejected the credentials|or the image is private/, () => ({ kind: 'registry' })],
  [/no space left on device|not enough disk space|disk of .+ is almost full/i, () => ({ kind: 'disk' })],
]

/** Undefined if only the user can tell what to change. */
export function findFix(errors: readonly string[]): DeploymentFix | undefined {
  const text = errors.join('\n')
  for (const [cause, toFix] of causes) {
    const match = cause.exec(text)
    if (match) return toFix(Number(match[1]))
  }
  return undefined
}

/** Returns whether a line of the log is what the errors say. */
export function createFailureTest(errors: readonly string[]): (line: string) => boolean {
  const texts = new Set(errors.flatMap((error) => error.split('\n')).map((line) => line.trim()))
  texts.delete('')
  return (line) => texts.has(line.trim())
}
