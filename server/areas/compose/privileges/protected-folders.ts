/** Write access to these gives control over the server, Docker or Slipway. */
const protectedFolders = [
  '/boot',
  '/dev',
  '/etc',
  '/proc',
  '/run',
  '/sys',
  '/var/lib/containerd',
  '/var/lib/docker',
  '/var/lib/slipway',
  '/var/run',
]

/** Includes parents and children of these folders. */
export const isProtectedPath = (source: string): boolean =>
  protectedFolders.some((folder) => isWithin(source, folder) || isWithin(folder, source))

export const isWithin = (path: string, folder: string): boolean =>
  `${path}/`.startsWith(`${folder.replace(/\/$/, '')}/`)

export const protectedPathMessage = (source: string) =>
  `The folder ${source} is used by the operating system, Docker or Slipway. Choose another folder, such as /srv/data.`
