/** What Docker calls the processors that `uname -m` names. No schema here: the console reads it too. */
const processors: Record<string, string> = {
  x86_64: 'amd64',
  aarch64: 'arm64',
  armv7l: 'arm',
  armv6l: 'arm',
  i686: '386',
  i386: '386',
}

export const processorOf = (machine: string) => processors[machine] ?? machine

/** Whether a machine runs what is made for a processor: some run that of their elder too. */
export function runsOn(made: string, machine: string): boolean {
  const own = processorOf(machine)
  return made === own || (own === 'amd64' && made === '386') || (own === 'arm64' && made === 'arm')
}
