import { forbidden, Invalid } from '../../errors.ts'
import { type Actor, holds } from '../../route.ts'
import { isKept, keptRefusal } from '../compose/kept-folders.ts'
import { isBind } from './instance.ts'

interface Mount {
  source: string
}

/** Of mounts that are new or another than before: folders of the server are for who may mount them, and not all of them. */
export function checkBinds<M extends Mount>(
  actor: Pick<Actor, 'workspace' | 'via'>,
  changed: readonly M[],
  prefixOf: (mount: M) => string,
): void {
  const binds = changed.filter(({ source }) => isBind(source))
  if (binds.length > 0 && !holds(actor, 'binds.manage'))
    throw forbidden(
      'Only admins may mount a folder of the server into an application. Name a volume instead, such as data, or ask an admin.',
    )
  const refused = binds.filter(({ source }) => isKept(source))
  if (refused.length > 0)
    throw new Invalid(
      Object.fromEntries(refused.map((mount) => [`${prefixOf(mount)}source`, [keptRefusal(mount.source)]])),
    )
}
