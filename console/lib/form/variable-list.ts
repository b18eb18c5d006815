import { type QueryKey, queryOptions, useMutation } from '@tanstack/react-query'
import type { Pair } from '../../../contract/shared/entries.ts'
import { useApiMutation } from '../http/use-api-mutation.ts'

export interface Variable {
  id: string
  key: string
  value: string | null
  updated_at: string
}

/** Variables of an application or a project. Both have the same screens but different endpoints. */
export interface VariableList {
  id: string
  shown: QueryKey
  read: (values: boolean, signal?: AbortSignal) => Promise<Variable[]>
  create: (pair: Pair) => Promise<unknown>
  update: (envId: string, pair: Pair) => Promise<unknown>
  replace: (pairs: Pair[]) => Promise<unknown>
  remove: (envId: string) => Promise<unknown>
}

/** Lists the names of variables. Values are fetched on request. */
export const variablesQuery = ({ id, shown, read }: Pick<VariableList, 'id' | 'shown' | 'read'>) =>
  queryOptions({
    queryKey: [...shown, 'env', id],
    queryFn: ({ signal }) => read(false, signal),
  })

/** Fetches the values of variables. They are not cached after they are hidden. */
export const useReadVariables = ({ read }: Pick<VariableList, 'read'>) =>
  useMutation({ mutationFn: () => read(true), gcTime: 0 })

/** Fetches the initial values of a bulk edit. A refetch would overwrite edits, so there is none. */
export const variableValuesQuery = ({ id, read }: VariableList) =>
  queryOptions({
    queryKey: ['variable-values', id],
    queryFn: ({ signal }) => read(true, signal),
    staleTime: 'static',
    gcTime: 0,
  })

/** Updates a variable, or creates it if it has no ID. */
export const useSaveVariable = ({ shown, create, update }: VariableList) =>
  useApiMutation(shown, ({ envId, ...pair }: Pair & { envId?: string | undefined }) =>
    envId === undefined ? create(pair) : update(envId, pair),
  )

export const useReplaceVariables = ({ shown, replace }: VariableList) =>
  useApiMutation(shown, (pairs: readonly Pair[]) => replace([...pairs]), true)

export const useRemoveVariable = ({ shown, remove }: VariableList) => useApiMutation(shown, remove)
