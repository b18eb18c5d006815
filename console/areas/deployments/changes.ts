import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { type Deployment, deploymentQuery } from './queries.ts'

const operations = {
  deploy: (id: string) => call('POST /v1/applications/{id}/deploy', { params: { id }, body: {} }),
  /** Of a repository, whatever was built of the same before. */
  rebuild: (id: string) =>
    call('POST /v1/applications/{id}/deploy', { params: { id }, body: { rebuild: true } }),
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

/** Of what a plan was about, and of nothing that was saved since then. */
export function useDeployPlanned(applicationId: string) {
  const show = useShow()
  return useMutation({
    mutationFn: async (revision: string | undefined) => {
      const given = { params: { id: applicationId }, body: { revision } }
      return (await call('POST /v1/applications/{id}/deploy', given)).deployment
    },
    onSuccess: show,
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
