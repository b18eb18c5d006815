import { may } from '../../../contract/permissions.ts'
import { forbidden, Invalid } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import { isBind } from './instance.ts'

interface Mount {
  source: string
}

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

/** Of mounts that are new or another than before: folders of the server are for who may mount them, and not all of them. */
export function checkBinds<M extends Mount>(
  actor: Pick<Actor, 'workspace'>,
  changed: readonly M[],
  prefixOf: (mount: M) => string,
): void {
  const binds = changed.filter(({ source }) => isBind(source))
  if (binds.length > 0 && !may(actor.workspace.role, 'binds.manage'))
    throw forbidden(
      'Only admins may mount a folder of the server into an application. Name a volume instead, such as data, or ask an admin.',
    )
  const refused = binds.filter(({ source }) => isKept(source))
  if (refused.length > 0)
    throw new Invalid(
      Object.fromEntries(refused.map((mount) => [`${prefixOf(mount)}source`, [refusal(mount.source)]])),
    )
}

/** One of them, something in it, or something that holds it. */
const isKept = (source: string) =>
  keptFolders.some((folder) => `${source}/`.startsWith(`${folder}/`) || `${folder}/`.startsWith(`${source}/`))

const refusal = (source: string) =>
  `The folder ${source} belongs to the server itself, Docker or Slipway, or holds one that does. Choose another, such as /srv/data.`
