import { useQuery } from '@tanstack/react-query'
import { RefreshCw, Server as ServerIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useParam } from '../../lib/use-param.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState, NothingFound } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { type Column, Table } from '../../ui/table/table.tsx'
import { accountServerStatusLabel, importObstacle, matchesAccountServer } from './account-server-status.ts'
import {
  type AccountServer,
  accountServersQuery,
  type SelectedToken,
  useImportAccountServers,
} from './queries.ts'
import { Address } from '../../lib/address.tsx'
import { serverPath } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { formatPrice } from '../../../contract/shared/money.ts'
import { byNumber, byText } from '../../ui/table/sort.ts'
import { TextLink } from '../../ui/text-link.tsx'

const most = 50

/** Rows per page, because accounts can have thousands of servers. */
const pageSize = 100

interface AccountServersProps {
  token: SelectedToken
  provider: string
  onImported: (ids: string[]) => void
}

/** Lists the servers of a cloud account for import. Render it with the token ID as key. */
export function AccountServers({ token, provider, onImported }: AccountServersProps) {
  const { data: servers, error, isFetching, refetch } = useQuery(accountServersQuery(token))
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const bring = useImportAccountServers(token)
  // Servers that were imported or deleted since they were selected are skipped.
  const chosen = (servers ?? []).filter(
    (server) => picked.has(server.id) && importObstacle(server) === undefined,
  )

  const choose = (id: string, isChosen: boolean) =>
    setPicked(new Set(isChosen ? [...picked, id] : [...picked].filter((pickedId) => pickedId !== id)))

  if (error && !servers)
    return (
      <Card>
        <Problem title={`Could not list servers at ${provider}`} error={error} onRetry={refetch} />
      </Card>
    )
  if (servers?.length === 0)
    return (
      <Card>
        <EmptyState
          icon={ServerIcon}
          title="This account has no servers"
          action={<Refresh isFetching={isFetching} onClick={() => void refetch()} />}
        >
          Create a server in Slipway or at {provider}.
        </EmptyState>
      </Card>
    )
  return (
    <Card
      flush
      title={`Servers at ${provider}`}
      description="Choose the servers to import. They are not changed until you connect them."
      action={<Refresh isFetching={isFetching} onClick={() => void refetch()} />}
      footer={
        <>
          <span aria-live="polite">{formatServerCount(chosen.length)}</span>
          <Button
            variant="primary"
            disabled={chosen.length === 0 || chosen.length > most}
            pending={bring.isPending && 'Importing…'}
            onClick={() =>
              bring.mutate(
                chosen.map(({ id }) => id),
                { onSuccess: onImported },
              )
            }
          >
            {chosen.length > 1 ? `Import ${chosen.length} servers` : 'Import server'}
          </Button>
        </>
      }
    >
      <Listed servers={servers} columns={accountColumns({ chosen: picked, onChoose: choose })} />
    </Card>
  )
}

interface ListedProps {
  servers: readonly AccountServer[] | undefined
  columns: ReturnType<typeof accountColumns>
}

function Listed({ servers, columns }: ListedProps) {
  const [q, setQ] = useParam('q')
  const [sort, setSort] = useParam('sort')
  const [shown, setShown] = useState(pageSize)
  const rows = servers?.filter((server) => matchesAccountServer(server, q))
  const more = {
    hasNextPage: rows !== undefined && rows.length > shown,
    isFetchingNextPage: false,
    fetchNextPage: () => setShown(shown + pageSize),
  }
  return (
    <>
      <div className="border-b border-line px-4 py-3">
        <SearchInput value={q} onChange={setQ} label="Search servers" />
      </div>
      {rows?.length === 0 ? (
        <NothingFound things="servers" q={q} onClear={() => setQ('')} />
      ) : (
        <Table
          label="Servers of the account"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          skeletonRows={3}
          sort={{ value: sort, onChange: setSort }}
          most={shown}
        />
      )}
      {more.hasNextPage && (
        <div className="border-t border-line p-2">
          <LoadMore query={more} />
        </div>
      )}
    </>
  )
}

const Refresh = ({ isFetching, onClick }: { isFetching: boolean; onClick: () => void }): ReactNode => (
  <Button pending={isFetching && 'Refreshing…'} onClick={onClick}>
    <RefreshCw aria-hidden />
    Refresh
  </Button>
)

function formatServerCount(count: number) {
  if (count > most) return `${count} selected. At most ${most} can be imported at once.`
  if (count === 0) return 'None selected'
  return `${count} selected`
}

interface Picking {
  chosen: ReadonlySet<string>
  onChoose: (id: string, chosen: boolean) => void
}

type Columns = [Column<AccountServer>, ...Column<AccountServer>[]]

const accountColumns = ({ chosen, onChoose }: Picking): Columns => [
  {
    head: 'Name',
    cell: (server) => (
      <div className="sm:py-2.5">
        <Checkbox
          label={<bdi className="wrap-anywhere">{server.name}</bdi>}
          help={<Remark server={server} />}
          checked={chosen.has(server.id)}
          disabled={importObstacle(server) !== undefined}
          onChange={({ target }) => onChoose(server.id, target.checked)}
        />
      </div>
    ),
    sort: byText(({ name }) => name),
  },
  {
    head: 'State',
    cell: ({ status }) => <State status={status} />,
    sort: byText(({ status }) => accountServerStatusLabel(status)[1]),
  },
  { head: 'Address', cell: ({ address }) => <Address address={address} />, roomy: true },
  { head: 'Region', cell: ({ region }) => region, sort: byText(({ region }) => region) },
  { head: 'Type', cell: ({ type }) => type, sort: byText(({ type }) => type) },
  {
    head: 'Monthly',
    cell: ({ price }) => price && formatPrice(price),
    align: 'right',
    narrow: true,
    sort: byNumber(({ price }) => price?.monthly ?? Infinity, ['cheapest first', 'most expensive first']),
  },
]

function State({ status }: Pick<AccountServer, 'status'>) {
  const [tone, word] = accountServerStatusLabel(status)
  return <Badge tone={tone}>{word}</Badge>
}

function Remark({ server }: { server: AccountServer }) {
  if (!server.server) return importObstacle(server)
  return (
    <>
      Imported as <TextLink to={serverPath(server.server.id)}>{server.server.name}</TextLink>
    </>
  )
}
