import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../../lib/http/call-api.ts'
import { type Deployment, deploymentQuery } from './queries.ts'

const operations = {
  restart: (id: string) => callApi('POST /v1/applications/{id}/restart', { params: { id } }),
  stop: (id: string) => callApi('POST /v1/applications/{id}/stop', { params: { id } }),
  start: (id: string) => callApi('POST /v1/applications/{id}/start', { params: { id } }),
} as const
type Operation = keyof typeof operations

/** Requests a restart, stop or start; each runs as a deployment in the background. */
export function useApplicationOperation(applicationId: string) {
  const show = useShow()
  return useMutation({
    mutationFn: async (operation: Operation) => (await operations[operation](applicationId)).deployment,
    onSuccess: show,
  })
}

interface DeployOptions {
  /** The revision of the reviewed plan; the server rejects the deployment if the configuration changed since. */
  revision: string | undefined
  /** Builds the repository even if the same commit was built before. */
  rebuild: boolean
}

const requestDeployment = async (id: string, body: DeployOptions) =>
  (await callApi('POST /v1/applications/{id}/deploy', { params: { id }, body })).deployment

export function useDeployWithPlan(applicationId: string) {
  const show = useShow()
  return useMutation({
    mutationFn: (options: DeployOptions) => requestDeployment(applicationId, options),
    onSuccess: show,
  })
}

type ReadPlan = () => Promise<{ host_access: readonly string[]; revision: string | null }>

/** Deploys without a review. Returns undefined, and deploys nothing, if there is host access to approve. */
export function useDeployWithoutReview(applicationId: string, readPlan: ReadPlan) {
  const show = useShow()
  return useMutation({
    mutationFn: async ({ rebuild }: Pick<DeployOptions, 'rebuild'>) => {
      const { host_access: hostAccess, revision } = await readPlan()
      if (hostAccess.length > 0) return undefined
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
      return (await callApi('POST /v1/applications/{id}/rollback', given)).deployment
    },
    onSuccess: show,
  })
}

export function useCancelDeployment(id: string) {
  const show = useShow()
  return useMutation({
    mutationFn: async () =>
      (await callApi('POST /v1/deployments/{id}/cancel', { params: { id } })).deployment,
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
