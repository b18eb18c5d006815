import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { fillPath } from '../../lib/http/fill-path.ts'
import { openFile } from '../../lib/http/save-file.ts'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { useSettings } from '../../lib/local-settings.ts'
import { applicationPath } from '../../paths.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { type FeedState, openLogFeed, savedLogSource } from './feed/log-feed.ts'
import { createLogStore } from './feed/log-store.ts'
import { dayAndTime, formatLineCount } from './format-line.ts'
import { LogRangeFromUrl, type LogRange } from './log-range.tsx'
import { LogView } from './log-view.tsx'

export type SavedLog = Reply<Api['GET /v1/applications/{id}/logs']>['logs'][number]

export const savedLogsQuery = (id: string) =>
  queryOptions({
    queryKey: ['applications', 'logs', id],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/applications/{id}/logs', { params: { id }, query: { limit: 200 } }, signal))
        .logs,
  })

/** Returns text such as "web, shop-14-1-k2f9: restarted 4 times, exit code 1, until 31 Jan 12:00:00". */
export function describeSavedLog({ container, service, exit_code, restarts, last_at }: SavedLog): string {
  const facts = [
    ...(restarts > 0 ? [`restarted ${formatLineCount(restarts, 'time', 'times')}`] : []),
    ...(exit_code ? [`exit code ${exit_code}`] : []),
    `until ${dayAndTime(last_at)}`,
  ]
  return `${service === null ? '' : `${service}, `}${container.name}: ${facts.join(', ')}`
}

export const savedLogPath = (
  applicationId: string,
  { id, release }: Pick<SavedLog, 'id' | 'release'>,
  since = '',
) =>
  `${applicationPath(applicationId, 'logs')}?${new URLSearchParams({
    release: String(release),
    log: id,
    ...(since === '' ? {} : { since }),
  })}`

interface SavedLogViewProps {
  applicationId: string
  log: SavedLog
}

export const SavedLogView = (props: SavedLogViewProps) => (
  <LogRangeFromUrl>{(requested) => <Opened {...props} requested={requested} />}</LogRangeFromUrl>
)

function Opened({ applicationId, log, requested }: SavedLogViewProps & { requested: LogRange }) {
  const { since, tail } = requested
  const { log_timestamps: timestamps } = useSettings()
  const [store] = useState(() => createLogStore())
  const [state, setState] = useState<FeedState>({ kind: 'connecting' })
  useEffect(
    () =>
      openLogFeed(
        { source: savedLogSource(applicationId, log.id), since: since || undefined, tail },
        store,
        setState,
      ).stop,
    [applicationId, log.id, since, tail, store],
  )
  const download = useMutation({
    mutationFn: async () => {
      const path = fillPath('/v1/applications/{id}/logs/{log_id}/download', {
        params: { id: applicationId, log_id: log.id },
      })
      const { ticket } = await callApi('POST /v1/stream-tickets', { body: { path } })
      openFile(fillPath(path, { query: { token: ticket, timestamps } }))
    },
  })
  return (
    <LogView
      {...requested}
      label={`Log of ${log.container.name}`}
      store={store}
      state={state}
      onDownload={() => download.mutate()}
    />
  )
}

const searchQuery = (id: string, q: string) =>
  queryOptions({
    queryKey: ['saved-log-search', id, q],
    queryFn: ({ signal }) =>
      callApi('GET /v1/applications/{id}/logs/search', { params: { id }, query: { q } }, signal),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })

export function SavedLogSearch({ applicationId, onClose }: { applicationId: string; onClose: () => void }) {
  const [q, setQ] = useState('')
  const query = useQuery(searchQuery(applicationId, q.trim()))
  const result = q.trim() === '' ? undefined : query.data
  return (
    <Dialog open onOpenChange={onClose} title="Search saved logs" wide>
      <div className="flex flex-col gap-3">
        <SearchInput label="Search in the output of removed containers" value={q} onChange={setQ} />
        {query.error && <QueryFallback query={query} failed="Could not search logs" skeleton={null} />}
        <output className="text-xs text-muted">{result && summarize(result)}</output>
        {result && result.matches.length > 0 && (
          <ul aria-label="Matching lines" className="flex max-h-96 flex-col overflow-auto font-mono text-xs">
            {result.matches.map(({ log, at, text }, index) => (
              // oxlint-disable-next-line no-array-index-key -- lines have no ID
              <li key={index}>
                <Link
                  to={savedLogPath(applicationId, log, at)}
                  className="flex flex-col gap-x-3 rounded-md px-2 py-1 hover:bg-hover sm:flex-row"
                >
                  <span className="shrink-0 text-muted">{`${dayAndTime(at)} · release ${log.release}`}</span>
                  <span className="min-w-0 wrap-anywhere">{text.slice(0, 500)}</span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}

function summarize({ matches, complete }: Reply<Api['GET /v1/applications/{id}/logs/search']>): string {
  if (matches.length === 0) return 'No matching lines'
  return complete
    ? formatLineCount(matches.length, 'matching line', 'matching lines')
    : `The newest ${matches.length} matching lines. Narrow the search to see older ones.`
}
