import { infiniteQueryOptions, useMutation } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { download } from '../../lib/http/download.ts'
import { firstPage, nextPage } from '../../lib/http/paging.ts'

export type AuditEntry = Reply<Api['GET /v1/audit']>['entries'][number]

/** Newest first; `q` searches users, targets and event types. */
export const auditQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['audit', 'list', q],
    queryFn: ({ pageParam, signal }) =>
      callApi('GET /v1/audit', { query: { q: q || undefined, cursor: pageParam } }, signal),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    select: (data) => data.pages.flatMap((page) => page.entries),
    meta: { quiet: true },
  })

export const useExportAudit = () =>
  useMutation({
    mutationFn: () =>
      download('GET /v1/audit/export', `audit-log-${new Date().toISOString().slice(0, 10)}.csv`),
  })
