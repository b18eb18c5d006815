import { useDialog } from '../../lib/use-dialog.ts'
import { type ContainerVerb, useActOnContainer, useActing } from './changes.ts'
import { type ActedOn, dialogName, isAsking } from './container-dialogs.tsx'

/** What can be done to the containers of a server: at once, or by a dialog that asks first. */
export function useContainerActs(serverId: string) {
  const { open } = useDialog()
  const { mutate } = useActOnContainer(serverId)
  const acting = useActing(serverId)
  return {
    acting,
    act: (container: ActedOn, verb: ContainerVerb) => {
      if (acting.has(container.id)) return
      if (isAsking(verb, container)) open(dialogName(verb, container))
      else mutate({ cid: container.id, body: { action: verb } })
    },
  }
}
