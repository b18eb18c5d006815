/**
 * The first part of an image name is a registry only if it has a dot or a port, or is localhost. This file does not
 * import zod, so that the console can use it.
 */
export const imageNamePattern =
  /^(?:(?=[^/]*[.:]|localhost\/)[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?(?::\d{1,5})?\/)?[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*)*(?::[\w][\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$/

export const notAnImageName = 'Must be an image name, such as nginx:1.27 or ghcr.io/owner/name:2.0.'

export const maxImageNameLength = 300

/** Docker architecture names by the output of `uname -m`. */
const processors: Record<string, string> = {
  x86_64: 'amd64',
  aarch64: 'arm64',
  armv7l: 'arm',
  armv6l: 'arm',
  i686: '386',
  i386: '386',
}

export const dockerArchitecture = (machine: string) => processors[machine] ?? machine

export function runsOn(architecture: string, machine: string): boolean {
  const own = dockerArchitecture(machine)
  return (
    architecture === own ||
    (own === 'amd64' && architecture === '386') ||
    (own === 'arm64' && architecture === 'arm')
  )
}
