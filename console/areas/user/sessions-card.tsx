import { useQuery, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Address } from '../../lib/address.tsx'
import { useParam } from '../../lib/use-param.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ActionDialog } from '../../lib/form/action-dialog.tsx'
import { byText, byTime } from '../../ui/table/sort.ts'
import { QueryTable } from '../../ui/table/query-table.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { describeDevice } from '../../../contract/shared/user-agent.ts'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'

type Session = Reply<Api['GET /v1/user/sessions']>['sessions'][number]

const sessionsQuery = queryOptions({
  queryKey: ['user', 'sessions'],
  queryFn: async ({ signal }) => (await callApi('GET /v1/user/sessions', undefined, signal)).sessions,
  // Other sessions send no event to this page, so poll.
  staleTime: 0,
  refetchInterval: 30_000,
})

function useEndSession() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => callApi('DELETE /v1/user/sessions/{id}', { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
}

const columns: [Column<Session>, ...Column<Session>[]] = [
  {
    head: 'Device',
    cell: ({ agent, current }) => (
      <span className="flex flex-wrap items-center gap-2" title={agent}>
        {describeDevice(agent)}
        {current && <Badge tone="green">This session</Badge>}
      </span>
    ),
    sort: byText(({ agent }) => describeDevice(agent)),
  },
  {
    head: 'Address',
    cell: ({ address }) => <Address address={address} />,
    sort: byText(({ address }) => address),
  },
  {
    head: 'Logged in',
    cell: ({ created_at: at }) => <Time at={at} />,
    sort: byTime(({ created_at: at }) => at),
  },
  {
    head: 'Last seen',
    cell: ({ last_seen_at: at, current }) => (current ? 'Now' : <Time at={at} />),
    sort: byTime(({ last_seen_at: at, current }) => (current ? null : at)),
  },
]

export function SessionsCard() {
  const [sort, setSort] = useParam('sort')
  const [ended, setEnded] = useState<Session>()
  return (
    <Card
      title="Sessions"
      description="Devices that are logged in to your account. End sessions that you do not recognize."
      flush
    >
      <QueryTable
        label="Sessions"
        things="sessions"
        failed="Could not load sessions"
        query={useQuery(sessionsQuery)}
        empty={{ title: 'No sessions' }}
        columns={columns}
        rowKey={({ id }) => id}
        skeletonRows={2}
        sort={{ value: sort, onChange: setSort }}
        actions={actionsFor(setEnded)}
      />
      {ended && <EndSessionDialog session={ended} onClose={() => setEnded(undefined)} />}
    </Card>
  )
}

const actionsFor = (onEnd: (session: Session) => void) => (session: Session) =>
  !session.current && (
    <Button
      variant="ghost"
      size="small"
      aria-label={`End the session of ${describeDevice(session.agent)}`}
      onClick={() => onEnd(session)}
    >
      End
    </Button>
  )

const EndSessionDialog = ({ session, onClose }: { session: Session; onClose: () => void }) => (
  <ActionDialog
    title={`End the session of ${describeDevice(session.agent)}?`}
    action="End session"
    mutation={useEndSession()}
    input={session.id}
    pending="Ending…"
    done="Session ended"
    onClose={onClose}
  >
    The device must log in again.
  </ActionDialog>
)
