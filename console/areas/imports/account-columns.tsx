import { Address } from '../../lib/address.tsx'
import { serverPath } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { formatPrice } from '../../ui/format/money.ts'
import { byNumber, byText } from '../../ui/table/sort.ts'
import type { Column } from '../../ui/table/table.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { accountServerStatusLabel, importObstacle } from './account-server-status.ts'
import type { AccountServer } from './queries.ts'

interface Picking {
  chosen: ReadonlySet<string>
  onChoose: (id: string, chosen: boolean) => void
}

type Columns = [Column<AccountServer>, ...Column<AccountServer>[]]

/** Columns of the import table; imported servers cannot be selected. */
export const accountColumns = ({ chosen, onChoose }: Picking): Columns => [
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
