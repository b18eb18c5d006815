import { queryOptions, useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import type { Api } from '../../contract/api.ts'
import type { Reply } from '../../contract/endpoint.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { callApi } from './http/call-api.ts'
import { ErrorText } from '../ui/problem.tsx'

interface SetupChangesProps {
  /** Server to set up; undefined before the server is imported. */
  serverId?: string | undefined
  local?: boolean
  /** Shows the list collapsed. */
  folded?: boolean
}

export function SetupChanges({ serverId, local = false, folded = false }: SetupChangesProps) {
  const { data: changes, error } = useQuery(setupChangesQuery(serverId, local))
  const list = (
    <>
      {error && !changes && <ErrorText error={error} />}
      {!changes && !error && <Skeleton className="h-40" />}
      {changes && (
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 max-sm:grid-cols-1 max-sm:gap-y-0.5">
          {changes.map(({ kind, name, text }) => (
            <div key={name} className="contents">
              <dt className="max-sm:mt-1.5">
                <span className="text-muted">{labels[kind]} </span>
                <span className="font-mono wrap-anywhere">{name}</span>
              </dt>
              <dd className="text-muted wrap-anywhere">{text}</dd>
            </div>
          ))}
        </dl>
      )}
      <p className="text-muted">Nothing else changes. Setup is safe to repeat.</p>
    </>
  )
  if (folded)
    return (
      <details className="group rounded-md bg-subtle text-sm">
        <summary className="flex list-none items-center gap-2 rounded-md p-3 font-medium -outline-offset-2 hover:bg-hover">
          <ChevronRight className="size-4 text-muted transition-transform group-open:rotate-90" aria-hidden />
          Changes during setup
        </summary>
        <div className="flex flex-col gap-2 p-3 pt-0">{list}</div>
      </details>
    )
  return (
    <section
      aria-label="Changes during setup"
      className="flex flex-col gap-2 rounded-md bg-subtle p-3 text-sm"
    >
      <h3 className="font-medium">Changes during setup</h3>
      {list}
    </section>
  )
}

type SetupChange = Reply<Api['GET /v1/setup-changes']>['changes'][number]

const labels: Record<SetupChange['kind'], string> = {
  package: 'Package',
  port: 'Ports',
  container: 'Container',
  file: 'File',
  user: 'User',
}

const setupChangesQuery = (serverId: string | undefined, local: boolean) =>
  queryOptions({
    queryKey: ['servers', 'setup-changes', serverId, local],
    queryFn: async ({ signal }) => {
      const query =
        serverId === undefined ? ({ kind: local ? 'local' : 'ssh' } as const) : { server_id: serverId }
      return (await callApi('GET /v1/setup-changes', { query }, signal)).changes
    },
  })
