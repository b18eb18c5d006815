import type { ComponentProps, ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import type { CatalogSource, Region } from './queries.ts'
import { CatalogSection, TypeCard } from './type-card.tsx'
import { type OrderFieldProps, type Preset, useOrder } from './use-order.ts'
import { Card } from '../../ui/card.tsx'
import { ChoiceCards } from '../../ui/form/choice-cards.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { formatPrice } from '../../../contract/shared/money.ts'
import type { Offer } from './offers.ts'
import { formatServerSize } from './type-columns.tsx'

interface OrderFormProps {
  form: ComponentProps<'form'>
  prefix?: string
  errors: Record<string, string>
  source: (CatalogSource & { account: string; providerName: string }) | undefined
  preset?: Preset
  before?: ReactNode
  action: string
  pending: boolean
  children?: ReactNode
}

export function OrderForm(props: OrderFormProps) {
  const { form, prefix = '', errors, source, preset, before, action, pending, children } = props
  return (
    <form
      {...form}
      data-whole-page
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 min-[1280px]:grid-cols-[minmax(0,1fr)_20rem]"
    >
      <div className="flex min-w-0 flex-col gap-6">
        {before}
        {source && <Parts {...{ source, preset, prefix, errors }} />}
        {source && children}
      </div>
      {source && (
        <div className="min-[1280px]:sticky min-[1280px]:top-20">
          <OrderSummary {...{ source, preset }}>
            <Button
              type="submit"
              variant="primary"
              pending={pending && 'Ordering…'}
              className="self-end max-sm:h-10 max-sm:self-stretch min-[1280px]:self-stretch"
            >
              {action}
            </Button>
          </OrderSummary>
        </div>
      )}
    </form>
  )
}

interface PartsProps {
  source: CatalogSource
  preset: Preset | undefined
  prefix: string
  errors: Record<string, string>
}

function Parts({ source, preset, prefix, errors }: PartsProps) {
  const order = useOrder(source, preset)
  const part = (name: string) => ({ order, name: `${prefix}${name}`, error: errors[`${prefix}${name}`] })
  return (
    <>
      <RegionCard {...part('region')} />
      <TypeCard {...part('type')} />
      <ImageCard {...part('image')} />
    </>
  )
}

const ImageCard = ({ order, name, error }: OrderFieldProps) => (
  <Card title="Image" description="Operating system of the server.">
    <CatalogSection things="images" query={order.images}>
      {() => (
        <ChoiceCards
          name={name}
          legend="Operating system"
          options={order.chosen.fitting.map(({ id, name, recommended }) => ({
            value: id,
            title: name,
            ...(recommended && { text: 'Recommended' }),
          }))}
          value={order.chosen.image?.id ?? ''}
          onChange={order.setImage}
          error={error}
          short
        />
      )}
    </CatalogSection>
  </Card>
)

const RegionCard = ({ order, name, error }: OrderFieldProps) => (
  <Card title="Region" description="Choose a region near your users. You cannot change it later.">
    <CatalogSection things="regions" query={order.regions}>
      {(regions) => (
        <ChoiceCards
          name={name}
          legend="Region"
          options={regions.toSorted(byPlace).map((region) => ({
            value: region.id,
            title: region.name,
            text: about(region),
            disabled: !region.available,
          }))}
          value={order.chosen.region?.id ?? ''}
          onChange={order.setRegion}
          error={error}
          short
        />
      )}
    </CatalogSection>
  </Card>
)

const countries = new Intl.DisplayNames(['en'], { type: 'region' })
const countryOf = ({ country }: Region) => (country === null ? '' : (countries.of(country) ?? country))

const byPlace = (a: Region, b: Region) =>
  countryOf(a).localeCompare(countryOf(b)) || a.name.localeCompare(b.name)

const about = (region: Region) =>
  [countryOf(region), region.available ? region.id : 'unavailable'].filter(Boolean).join(' · ')

interface OrderSummaryProps {
  source: CatalogSource & { account: string; providerName: string }
  preset: Preset | undefined
  children: ReactNode
}

function OrderSummary({ source, preset, children }: OrderSummaryProps) {
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
              ? `${offer.price.taxed ? 'Including tax' : 'Excluding tax'}. Billed by ${source.providerName} while the server exists.`
              : 'Choose a server type to see the price.'}
          </p>
        </div>
        {children}
      </div>
    </Card>
  )
}

const NotYet = () => <span className="text-muted">Not selected</span>

const Size = ({ offer: { type } }: { offer: Offer }) => (
  <>
    {type.name}
    <span className="block text-sm text-muted">{formatServerSize(type)}</span>
  </>
)
