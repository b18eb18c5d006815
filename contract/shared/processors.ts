/** Docker architecture names by `uname -m`. Free of zod, because the console imports it too. */
const processors: Record<string, string> = {
  x86_64: 'amd64',
  aarch64: 'arm64',
  armv7l: 'arm',
  armv6l: 'arm',
  i686: '386',
  i386: '386',
}

export const dockerArchitecture = (machine: string) => processors[machine] ?? machine

/** Checks whether an image architecture runs on a machine: amd64 also runs 386, arm64 also runs arm. */
export function runsOn(made: string, machine: string): boolean {
  const own = dockerArchitecture(machine)
  return made === own || (own === 'amd64' && made === '386') || (own === 'arm64' && made === 'arm')
}
