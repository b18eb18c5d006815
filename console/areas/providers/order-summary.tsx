import type { ReactNode } from 'react'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { formatPrice } from '../../ui/format/money.ts'
import type { Offer } from './offers.ts'
import type { CatalogSource } from './queries.ts'
import { formatServerSize } from './type-columns.tsx'
import { type Preset, useOrder } from './use-order.ts'

interface OrderSummaryProps {
  source: CatalogSource & { account: string; providerName: string }
  preset: Preset | undefined
  /** The button that orders it. */
  children: ReactNode
}

export function OrderSummary({ source, preset, children }: OrderSummaryProps) {
  const { region, offer, image } = useOrder(source, preset).chosen
  return (
    <Card title="Summary">
      <div className="flex flex-col gap-4 min-[1280px]:[&_dl]:grid-cols-[auto_1fr]">
        <DefinitionList
          dense
          items={[
            { term: 'Account', value: <bdi>{source.account}</bdi> },
            { term: 'Region', value: region?.name ?? <NotYet /> },
            { term: 'Type', value: offer ? <Size offer={offer} /> : <NotYet /> },
            { term: 'Image', value: image?.name ?? <NotYet /> },
          ]}
        />
        <div aria-live="polite" className="flex flex-col gap-0.5 border-t border-line pt-3">
          {offer && (
            <p>
              <span className="text-xl font-semibold tabular-nums">{formatPrice(offer.price)}</span> a month
            </p>
          )}
          <p className="text-sm text-muted">
            {offer
              ? `${offer.price.taxed ? 'With taxes' : 'Without taxes'}, while the server exists. Billed by ${source.providerName}.`
              : 'Choose a type to see the price.'}
          </p>
        </div>
        {children}
      </div>
    </Card>
  )
}

const NotYet = () => <span className="text-muted">Not chosen yet</span>

const Size = ({ offer: { type } }: { offer: Offer }) => (
  <>
    {type.name}
    <span className="block text-sm text-muted">{formatServerSize(type)}</span>
  </>
)
