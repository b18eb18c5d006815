import { useQueryClient } from '@tanstack/react-query'
import type { Act } from '../../areas/applications/application-actions.tsx'
import { planQuery } from '../../areas/compose/plan-query.ts'
import { useDeployApproved, useDeployPlanned, useOperate } from '../../areas/deployments/changes.ts'
import { Failure } from '../../lib/http/failure.ts'
import { useDialog } from '../../lib/use-dialog.ts'

/** What can be done to an application: at once, or by a dialog that asks first. Each shows the deployment that it is. */
export function useApplicationActs(id: string) {
  const { open: show } = useDialog('deploymentId')
  const { open: ask } = useDialog()
  const operate = useOperate(id)
  const planned = useDeployPlanned(id)
  const client = useQueryClient()
  const approved = useDeployApproved(id, () => client.fetchQuery(planQuery(id)))
  /** What was asked for a moment ago. */
  const acting = (): Act | undefined => {
    if (operate.isPending) return operate.variables
    if (planned.isPending) return planned.variables.rebuild ? 'rebuild' : 'deploy'
    if (approved.isPending) return approved.variables.rebuild ? 'rebuild' : 'deploy'
    return undefined
  }
  return {
    acting: acting(),
    act: (act: Act) =>
      act === 'deploy' || act === 'rebuild'
        ? approved.mutate(
            { rebuild: act === 'rebuild' },
            { onSuccess: (deployment) => (deployment ? show(deployment.id) : ask(act)) },
          )
        : operate.mutate(act, { onSuccess: (deployment) => show(deployment.id) }),
    /** What a plan showed; `onChanged` is told when that is not what would be deployed now. */
    deployPlanned: (rebuild: boolean) => (revision: string | undefined, onChanged: () => void) =>
      planned.mutate(
        { revision, rebuild },
        {
          onSuccess: (deployment) => show(deployment.id),
          onError: (error) => {
            if (error instanceof Failure && error.code === 'changed_since') onChanged()
          },
        },
      ),
    ask,
    show,
  }
}

export type ApplicationActs = ReturnType<typeof useApplicationActs>
