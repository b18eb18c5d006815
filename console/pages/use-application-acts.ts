import type { Act } from '../areas/applications/application-actions.tsx'
import { useOperate } from '../areas/deployments/changes.ts'
import { useDialog } from '../lib/use-dialog.ts'

/** What can be done to an application: at once, or by a dialog that asks first. Each shows the deployment that it is. */
export function useApplicationActs(id: string) {
  const { open: show } = useDialog('deploymentId')
  const { open: ask } = useDialog()
  const operate = useOperate(id)
  return {
    /** What was asked for a moment ago. */
    acting: operate.isPending ? operate.variables : undefined,
    act: (act: Act) => operate.mutate(act, { onSuccess: (deployment) => show(deployment.id) }),
    ask,
    show,
  }
}

export type ApplicationActs = ReturnType<typeof useApplicationActs>
