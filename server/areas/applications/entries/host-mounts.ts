import { forbidden, Invalid } from '../../../errors.ts'
import { isProtectedPath, protectedPathMessage } from '../../compose/privileges/host-paths.ts'
import { isBind } from '../instance.ts'

interface Mount {
  source: string
}

/** Only actors with root access to the server may add or change host mounts. */
export function checkHostMounts<M extends Mount>(
  asRoot: boolean,
  changed: readonly M[],
  prefixOf: (mount: M) => string,
): void {
  const binds = changed.filter(({ source }) => isBind(source))
  if (binds.length > 0 && !asRoot)
    throw forbidden(
      'Only admins can mount server folders, and only instance owners on This machine. Use a volume such as data, or ask an admin.',
    )
  const refused = binds.filter(({ source }) => isProtectedPath(source))
  if (refused.length > 0)
    throw new Invalid(
      Object.fromEntries(
        refused.map((mount) => [`${prefixOf(mount)}source`, [protectedPathMessage(mount.source)]]),
      ),
    )
}
