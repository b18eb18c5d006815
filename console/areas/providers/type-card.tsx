import { type ReactNode, useId } from 'react'
import { useSearchParams } from 'react-router'
import { matchesTerm } from '../../lib/matches-term.ts'
import { useParam } from '../../lib/use-param.ts'
import { formatBytes } from '../../../contract/shared/bytes.ts'
import { Card } from '../../ui/card.tsx'
import { NothingFound } from '../../ui/empty-state.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Table } from '../../ui/table/table.tsx'
import type { Offer } from './offers.ts'
import { processorLabel, typeColumns } from './type-columns.tsx'
import type { OrderFieldProps } from './use-order.ts'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

export const TypeCard = ({ order, name, error }: OrderFieldProps) => (
  <Card title="Type" description="CPUs, memory, disk and monthly price in this region." flush>
    <CatalogSection things="types" query={order.types}>
      {() =>
        order.chosen.region ? (
          <Types order={order} name={name} error={error} />
        ) : (
          <p className="p-4 text-muted">Choose a region first.</p>
        )
      }
    </CatalogSection>
  </Card>
)

const processors = [
  { value: '', label: 'All processors' },
  { value: 'x86_64', label: 'x86' },
  { value: 'aarch64', label: 'Arm' },
]

function Types({ order, name, error }: OrderFieldProps) {
  const { chosen, setType } = order
  const [q, setQ] = useParam('q')
  const [sort, setSort] = useParam('sort')
  const [processor, setProcessor] = useParam('processor')
  const [params, setParams] = useSearchParams()
  const faultId = useId()
  const mixed = new Set(chosen.offers.map(({ type }) => type.architecture)).size > 1
  const shown = chosen.offers.filter(
    ({ type }) => isFound(q, type) && (!mixed || processor === '' || type.architecture === processor),
  )
  const picked = chosen.offer?.type.id

  function clear() {
    const after = new URLSearchParams(params)
    after.delete('q')
    after.delete('processor')
    setParams(after, { replace: true })
  }

  return (
    <fieldset aria-describedby={error && faultId} className="min-w-0">
      <legend className="sr-only">Server type</legend>
      {/* A search can hide the selected type, which must still be submitted. */}
      {picked !== undefined && shown.every(({ type }) => type.id !== picked) && (
        <input type="hidden" name={name} value={picked} />
      )}
      <div className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-3">
        <SearchInput value={q} onChange={setQ} label="Search types" onEnter={setQ} />
        {mixed && (
          <Select
            aria-label="Processor"
            options={processors}
            value={processor}
            onValueChange={setProcessor}
            className="w-40! max-sm:w-full!"
          />
        )}
      </div>
      {error && (
        <p id={faultId} className="border-b border-line px-4 py-2 text-sm text-red-ink">
          {error}
        </p>
      )}
      {shown.length === 0 ? (
        <NothingFound things="types" q={q} onClear={clear} />
      ) : (
        <div className="max-h-112 overflow-y-auto max-sm:max-h-[70dvh] sm:scroll-pt-8 sm:[&_thead]:sticky sm:[&_thead]:top-0 sm:[&_thead]:z-10">
          <Table
            label="Types"
            columns={typeColumns({ name, chosen: picked, onChoose: setType, invalid: error !== undefined })}
            rows={shown}
            rowKey={({ type }) => type.id}
            sort={{ value: sort, onChange: setSort }}
          />
        </div>
      )}
    </fieldset>
  )
}

const isFound = (q: string, type: Offer['type']) =>
  matchesTerm(
    q,
    `${type.name} ${type.id}`,
    `${type.cpus} ${type.cpu_kind} cpus`,
    `${formatBytes(type.memory_bytes)} memory`,
    `${formatBytes(type.disk_bytes)} disk`,
    processorLabel(type),
  )

interface CatalogSectionProps<Data> {
  things: string
  query: { data: Data | undefined; error: Error | null; refetch: () => Promise<unknown> }
  children: (data: Data) => ReactNode
}

export function CatalogSection<Data>({ things, query, children }: CatalogSectionProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  return (
    <QueryFallback
      query={query}
      failed={`Could not load ${things}`}
      skeleton={<Skeleton className="h-28" />}
    />
  )
}
