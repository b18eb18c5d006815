import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { useApiMutation } from '../../lib/http/use-api-mutation.ts'
import type { Category } from './category-filter.tsx'
import { useMemo } from 'react'
import { ApiError } from '../../lib/http/api-error.ts'
import { useDebounced } from '../../lib/form/use-debounced.ts'
import { listQuery } from '../../lib/http/list-query.ts'

export type Template = Reply<Api['GET /v1/templates']>['templates'][number]
export type TemplateDetails = Reply<Api['GET /v1/templates/{id}']>['template']
export type TemplateInput = TemplateDetails['inputs'][number]
export type TemplateFiles = NonNullable<TemplateDetails['files']>
export type DeployTemplateBody = Input<Api['POST /v1/templates/{id}/deploy']>['body']

/** Lists templates in pages: first those of the workspace, then the catalog. */
export const templatesQuery = (q: string, category: Category | undefined) =>
  listQuery(
    ['templates', 'list', q, category],
    (page, signal) =>
      callApi(
        'GET /v1/templates',
        // A gallery shows all entries, so load large pages.
        { query: { q: q || undefined, category, ...page, limit: 200 } },
        signal,
      ),
    ({ templates }) => templates,
  )

export const templateQuery = (id: string) =>
  queryOptions({
    queryKey: ['templates', 'one', id],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/templates/{id}', { params: { id } }, signal)).template,
  })

/** Validates both files. The query key contains them, so results are not kept. */
export const checkTemplateQuery = (files: TemplateFiles) =>
  queryOptions({
    queryKey: ['template-check', files],
    queryFn: ({ signal }) => callApi('POST /v1/templates/check', { body: files }, signal),
    enabled: files.template.trim() !== '' && files.compose.trim() !== '',
    staleTime: 'static',
    gcTime: 0,
    retry: false,
    meta: { quiet: true },
  })

/** Creates template files from an application. They are fetched once, so that a refetch does not overwrite edits. */
export const draftTemplateQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['template-draft', applicationId],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/applications/{id}/template', { params: { id: applicationId } }, signal)).files,
    enabled: applicationId !== '',
    staleTime: 'static',
    gcTime: 0,
  })

/** Reviews a deployment. The result is not cached, so every review is current. */
export const reviewTemplate = async (id: string, body: DeployTemplateBody) =>
  (await callApi('POST /v1/templates/{id}/review', { params: { id }, body })).review

export type TemplateReviewResult = Awaited<ReturnType<typeof reviewTemplate>>

export const useDeployTemplate = (id: string) =>
  useApiMutation(['applications'], (body: DeployTemplateBody) =>
    callApi('POST /v1/templates/{id}/deploy', { params: { id }, body }),
  )

export const useSaveTemplate = (id: string | undefined) =>
  useApiMutation(['templates'], async (body: TemplateFiles) =>
    id === undefined
      ? (await callApi('POST /v1/templates', { body })).template
      : (await callApi('PUT /v1/templates/{id}', { params: { id }, body })).template,
  )

export const useDeleteTemplate = () =>
  useApiMutation(['templates'], (id: string) => callApi('DELETE /v1/templates/{id}', { params: { id } }))

export const notesQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['applications', 'notes', applicationId],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/applications/{id}/notes', { params: { id: applicationId } }, signal)).notes,
  })

const none = { template: [], compose: [] } as const

/** Validates both files while the user types. The previous result stays until the next one arrives. */
export function useCheckTemplate({ template, compose }: TemplateFiles) {
  const typed = useMemo(() => ({ template, compose }), [template, compose])
  const settled = useDebounced(typed, 300)
  const { data, error } = useQuery({
    ...checkTemplateQuery(settled),
    placeholderData: (before) => before,
  })
  const fields = error instanceof ApiError ? error.fields : {}
  const message = error && Object.keys(fields).length === 0 ? error.message : undefined
  return {
    problems: data?.problems ?? none,
    template: data?.template ?? undefined,
    failures: { template: fields['template'] ?? message, compose: fields['compose'] ?? message },
  }
}
