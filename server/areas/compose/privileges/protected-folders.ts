/** Who could change what is in them would own the server, or what Slipway and Docker keep there. */
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

/** One of them, something in it, or something that holds it. */
export const isProtectedPath = (source: string): boolean =>
  protectedFolders.some((folder) => isWithin(source, folder) || isWithin(folder, source))

/** Whether it is that folder or in it. */
export const isWithin = (path: string, folder: string): boolean =>
  `${path}/`.startsWith(`${folder.replace(/\/$/, '')}/`)

export const protectedPathMessage = (source: string) =>
  `The folder ${source} is used by the operating system, Docker or Slipway. Choose another folder, such as /srv/data.`
