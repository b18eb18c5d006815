import { useQueryClient } from '@tanstack/react-query'
import type { ApplicationAction } from '../../areas/applications/application-actions.tsx'
import { planQuery } from '../../areas/compose/queries.ts'
import {
  useApplicationOperation,
  useDeployWithoutReview,
  useDeployWithPlan,
} from '../../areas/deployments/queries.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { useDialog } from '../../lib/use-dialog.ts'

export function useApplicationActions(id: string) {
  const { open: show } = useDialog('deploymentId')
  const { open: ask } = useDialog()
  const operate = useApplicationOperation(id)
  const planned = useDeployWithPlan(id)
  const client = useQueryClient()
  const approved = useDeployWithoutReview(id, () => client.fetchQuery(planQuery(id)))
  const acting = (): ApplicationAction | undefined => {
    if (operate.isPending) return operate.variables
    if (planned.isPending) return planned.variables.rebuild ? 'rebuild' : 'deploy'
    if (approved.isPending) return approved.variables.rebuild ? 'rebuild' : 'deploy'
    return undefined
  }
  return {
    acting: acting(),
    act: (act: ApplicationAction) =>
      act === 'deploy' || act === 'rebuild'
        ? approved.mutate(
            { rebuild: act === 'rebuild' },
            { onSuccess: (deployment) => (deployment ? show(deployment.id) : ask(act)) },
          )
        : operate.mutate(act, { onSuccess: (deployment) => show(deployment.id) }),
    /** Deploys the plan that the user reviewed. `onChanged` is called if the configuration has changed since. */
    deployPlanned: (rebuild: boolean) => (revision: string | undefined, onChanged: () => void) =>
      planned.mutate(
        { revision, rebuild },
        {
          onSuccess: (deployment) => show(deployment.id),
          onError: (error) => {
            if (error instanceof ApiError && error.code === 'changed_since') onChanged()
          },
        },
      ),
    ask,
    show,
  }
}

export type ApplicationActionHandlers = ReturnType<typeof useApplicationActions>
