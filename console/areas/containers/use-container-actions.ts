import { useDialog } from '../../lib/use-dialog.ts'
import { type ContainerVerb, useContainerAction, usePendingActions } from './mutations.ts'
import { type ActionTarget, dialogName, needsDialog } from './container-dialogs.tsx'

/** Runs an action, or opens its dialog first. */
export function useContainerActions(serverId: string) {
  const { open } = useDialog()
  const { mutate } = useContainerAction(serverId)
  const acting = usePendingActions(serverId)
  return {
    acting,
    act: (container: ActionTarget, verb: ContainerVerb) => {
      if (acting.has(container.id)) return
      if (needsDialog(verb, container)) open(dialogName(verb, container))
      else mutate({ cid: container.id, body: { action: verb } })
    },
  }
}
