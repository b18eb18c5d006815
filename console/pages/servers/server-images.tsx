import { useParams } from 'react-router'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { ImagesList } from '../../areas/images/images-list.tsx'
import { PruneDialog } from '../../areas/images/remove-images-dialogs.tsx'
import { PullDialog } from '../../areas/images/pull-dialog.tsx'
import { PullsCard } from '../../areas/images/pulls-card.tsx'
import { ImageField } from '../../areas/registries/image-field.tsx'
import { unreachableReason } from '../../areas/servers/server-status.tsx'
import { FreeDiskSpace } from '../../areas/servers/server-usage.tsx'
import { useServer } from '../../areas/servers/queries.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { containerPath } from '../../paths.ts'

export function ServerImagesPage() {
  const { id = '' } = useParams()
  const { role } = useWorkspace()
  const operates = roleAllows(role, 'containers.operate')
  const prunes = roleAllows(role, 'servers.root')
  const { data: server } = useServer(id)
  const away = unreachableReason(server)
  const { open } = useDialog()
  return (
    <>
      <PullsCard serverId={id} operates={operates} onOpen={open} />
      <ImagesList
        key={id}
        serverId={id}
        operates={operates}
        away={away}
        linkTo={(container) => containerPath(id, container)}
        onPull={() => open('pull-image')}
        {...(prunes && { onPrune: () => open('prune') })}
      />
      <PullDialog
        serverId={id}
        operates={operates}
        renderImage={(field) => <ImageField {...field} server={server} />}
      />
      {prunes && <PruneDialog serverId={id} free={server && <FreeDiskSpace server={server} />} />}
    </>
  )
}
