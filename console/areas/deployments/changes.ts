import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/http/call.ts'
import { type Deployment, deploymentQuery } from './queries.ts'

const operations = {
  restart: (id: string) => call('POST /v1/applications/{id}/restart', { params: { id } }),
  stop: (id: string) => call('POST /v1/applications/{id}/stop', { params: { id } }),
  start: (id: string) => call('POST /v1/applications/{id}/start', { params: { id } }),
} as const
type Operation = keyof typeof operations

/** Each is a deployment, which is there at once and goes on by itself. */
export function useOperate(applicationId: string) {
  const show = useShow()
  return useMutation({
    mutationFn: async (operation: Operation) => (await operations[operation](applicationId)).deployment,
    onSuccess: show,
  })
}

interface DeployOptions {
  /** That of a plan: nothing that was saved since then is deployed. */
  revision: string | undefined
  /** Of a repository: build it even if the same was built before. */
  rebuild: boolean
}

const requestDeployment = async (id: string, body: DeployOptions) =>
  (await call('POST /v1/applications/{id}/deploy', { params: { id }, body })).deployment

/** Deploys what a person has reviewed in a plan. */
export function useDeployPlanned(applicationId: string) {
  const show = useShow()
  return useMutation({
    mutationFn: (options: DeployOptions) => requestDeployment(applicationId, options),
    onSuccess: show,
  })
}

type ReadPlan = () => Promise<{ powers: readonly string[]; revision: string | null }>

/** Deploys at once what needs no review. With host access to approve, nothing is deployed and there is no deployment. */
export function useDeployApproved(applicationId: string, readPlan: ReadPlan) {
  const show = useShow()
  return useMutation({
    mutationFn: async ({ rebuild }: Pick<DeployOptions, 'rebuild'>) => {
      const { powers, revision } = await readPlan()
      if (powers.length > 0) return undefined
      return requestDeployment(applicationId, { revision: revision ?? undefined, rebuild })
    },
    onSuccess: (deployment) => deployment && show(deployment),
  })
}

export function useRollBack(applicationId: string) {
  const show = useShow()
  return useMutation({
    mutationFn: async (releaseId: string) => {
      const given = { params: { id: applicationId }, body: { release_id: releaseId } }
      return (await call('POST /v1/applications/{id}/rollback', given)).deployment
    },
    onSuccess: show,
  })
}

export function useCancelDeployment(id: string) {
  const show = useShow()
  return useMutation({
    mutationFn: async () => (await call('POST /v1/deployments/{id}/cancel', { params: { id } })).deployment,
    onSuccess: show,
  })
}

function useShow() {
  const client = useQueryClient()
  return (deployment: Deployment) => {
    client.setQueryData(deploymentQuery(deployment.id).queryKey, deployment)
    for (const key of ['deployments', 'applications']) void client.invalidateQueries({ queryKey: [key] })
  }
}
