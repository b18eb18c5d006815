import { useQueryClient } from '@tanstack/react-query'
import type { Act } from '../../areas/applications/application-actions.tsx'
import { planQuery } from '../../areas/compose/plan-query.ts'
import { useDeployApproved, useDeployPlanned, useOperate } from '../../areas/deployments/changes.ts'
import { Failure } from '../../lib/http/failure.ts'
import { useDialog } from '../../lib/use-dialog.ts'

/** Actions of an application, each of which opens its deployment or a confirmation dialog. */
export function useApplicationActions(id: string) {
  const { open: show } = useDialog('deploymentId')
  const { open: ask } = useDialog()
  const operate = useOperate(id)
  const planned = useDeployPlanned(id)
  const client = useQueryClient()
  const approved = useDeployApproved(id, () => client.fetchQuery(planQuery(id)))
  /** Actions that were requested and have not been confirmed yet. */
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
    /** Deploys the reviewed plan; calls `onChanged` if the configuration has changed since. */
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

export type ApplicationActs = ReturnType<typeof useApplicationActions>
