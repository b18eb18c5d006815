import { type QueryKey, queryOptions, useMutation } from '@tanstack/react-query'
import type { Pair } from '../../../contract/shared/entries.ts'
import { useChange } from './use-change.ts'

export interface Variable {
  id: string
  key: string
  /** Null where it was not asked for. */
  value: string | null
  updated_at: string
}

/** Variables of an application or of a project: alike but for where they are kept. */
export interface VariableList {
  /** Of whatever they belong to. */
  id: string
  /** The beginning of the query keys of what is shown of it. */
  shown: QueryKey
  read: (values: boolean, signal?: AbortSignal) => Promise<Variable[]>
  create: (pair: Pair) => Promise<unknown>
  update: (envId: string, pair: Pair) => Promise<unknown>
  replace: (pairs: Pair[]) => Promise<unknown>
  remove: (envId: string) => Promise<unknown>
}

/** Their names; the values are asked for only when somebody wants to see them. */
export const variablesQuery = ({ id, shown, read }: Pick<VariableList, 'id' | 'shown' | 'read'>) =>
  queryOptions({
    queryKey: [...shown, 'env', id],
    queryFn: ({ signal }) => read(false, signal),
    meta: { quiet: true },
  })

/** What was shown is not kept anywhere once it is out of sight. */
export const useReadVariables = ({ read }: Pick<VariableList, 'read'>) =>
  useMutation({ mutationFn: () => read(true), gcTime: 0 })

/** The values to begin an edit of all with: they stay as they are until that ends, whatever changes meanwhile. */
export const variableValuesQuery = ({ id, read }: VariableList) =>
  queryOptions({
    queryKey: ['variable-values', id],
    queryFn: ({ signal }) => read(true, signal),
    staleTime: 'static',
    gcTime: 0,
    meta: { quiet: true },
  })

/** A new one, unless it has an id. */
export const useSaveVariable = ({ shown, create, update }: VariableList) =>
  useChange(shown, ({ envId, ...pair }: Pair & { envId?: string | undefined }) =>
    envId === undefined ? create(pair) : update(envId, pair),
  )

export const useReplaceVariables = ({ shown, replace }: VariableList) =>
  useChange(shown, (pairs: readonly Pair[]) => replace([...pairs]), true)

export const useRemoveVariable = ({ shown, remove }: VariableList) => useChange(shown, remove)
