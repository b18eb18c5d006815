import type { Act } from '../areas/applications/application-actions.tsx'
import { useDeployPlanned, useOperate } from '../areas/deployments/changes.ts'
import { Failure } from '../lib/failure.ts'
import { useDialog } from '../lib/use-dialog.ts'

/** What can be done to an application: at once, or by a dialog that asks first. Each shows the deployment that it is. */
export function useApplicationActs(id: string) {
  const { open: show } = useDialog('deploymentId')
  const { open: ask } = useDialog()
  const operate = useOperate(id)
  const planned = useDeployPlanned(id)
  return {
    /** What was asked for a moment ago. */
    acting: operate.isPending ? operate.variables : planned.isPending ? 'deploy' : undefined,
    act: (act: Act) => operate.mutate(act, { onSuccess: (deployment) => show(deployment.id) }),
    /** What a plan showed; `onChanged` is told when that is not what would be deployed now. */
    deployPlanned: (revision: string | undefined, onChanged: () => void) =>
      planned.mutate(revision, {
        onSuccess: (deployment) => show(deployment.id),
        onError: (error) => {
          if (error instanceof Failure && error.code === 'changed_since') onChanged()
        },
      }),
    ask,
    show,
  }
}

export type ApplicationActs = ReturnType<typeof useApplicationActs>
