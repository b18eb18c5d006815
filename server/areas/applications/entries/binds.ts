import { forbidden, Invalid } from '../../../errors.ts'
import { isKept, keptRefusal } from '../../compose/privileges/kept-folders.ts'
import { isBind } from '../instance.ts'

interface Mount {
  source: string
}

/** Of mounts that are new or changed: folders of the server are for those who may act as root there, and not all of them. */
export function checkBinds<M extends Mount>(
  asRoot: boolean,
  changed: readonly M[],
  prefixOf: (mount: M) => string,
): void {
  const binds = changed.filter(({ source }) => isBind(source))
  if (binds.length > 0 && !asRoot)
    throw forbidden(
      'Only admins may mount a folder of the server into an application, and on This machine only instance owners. Name a volume instead, such as data, or ask an admin.',
    )
  const refused = binds.filter(({ source }) => isKept(source))
  if (refused.length > 0)
    throw new Invalid(
      Object.fromEntries(refused.map((mount) => [`${prefixOf(mount)}source`, [keptRefusal(mount.source)]])),
    )
}
