import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'

export type ThisMachine = Reply<Api['GET /v1/instance/this-machine']>['this_machine']

export const thisMachineQuery = queryOptions({
  queryKey: ['instance', 'this-machine'],
  queryFn: async ({ signal }) =>
    (await callApi('GET /v1/instance/this-machine', undefined, signal)).this_machine,
  meta: { quiet: true },
})

export function useEnableThisMachine() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (workspace_id: string) =>
      callApi('POST /v1/instance/this-machine', { body: { workspace_id } }),
    onSuccess: async ({ this_machine }) => {
      client.setQueryData(thisMachineQuery.queryKey, this_machine)
      await Promise.all(
        ['servers', 'home', 'instance'].map((key) => client.invalidateQueries({ queryKey: [key] })),
      )
    },
  })
}
