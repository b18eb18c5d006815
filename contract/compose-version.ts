/** The oldest Docker Compose that reads a file as we need it. */
export const leastCompose = '2.20'

/** Whether compose applications can be deployed with it. Null is none. */
export function isComposeFit(version: string | null): boolean {
  const [major, minor] = partsOf(version ?? '')
  const [leastMajor, leastMinor] = partsOf(leastCompose)
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
}

function partsOf(version: string): [major: number, minor: number] {
  const [, major = 0, minor = 0] = /^(\d+)\.(\d+)/.exec(version) ?? []
  return [Number(major), Number(minor)]
}
