/** Who could change what is in them would own the server, or what Slipway and Docker keep there. */
const keptFolders = [
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
export const isKept = (source: string): boolean =>
  keptFolders.some((folder) => isWithin(source, folder) || isWithin(folder, source))

/** Whether it is that folder or in it. */
export const isWithin = (path: string, folder: string): boolean =>
  `${path}/`.startsWith(`${folder.replace(/\/$/, '')}/`)

export const keptRefusal = (source: string) =>
  `The folder ${source} belongs to the server itself, Docker or Slipway, or holds one that does. Choose another, such as /srv/data.`
