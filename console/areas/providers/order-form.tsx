import type { ComponentProps, ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { OrderSummary } from './order-summary.tsx'
import type { CatalogSource, Region } from './queries.ts'
import { TypeCard } from './type-card.tsx'
import { type Preset, useOrder } from './use-order.ts'
import { Card } from '../../ui/card.tsx'
import { ChoiceCards } from '../../ui/form/choice-cards.tsx'
import { CatalogSection } from './catalog-section.tsx'
import type { OrderFieldProps } from './order-field-props.ts'

interface OrderFormProps {
  form: ComponentProps<'form'>
  prefix?: string
  errors: Record<string, string>
  /** Undefined while no account is chosen. */
  source: (CatalogSource & { account: string; providerName: string }) | undefined
  preset?: Preset
  before?: ReactNode
  /** "Create server" */
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

/** The system that it begins with. */
const ImageCard = ({ order, name, error }: OrderFieldProps) => (
  <Card title="Image" description="The operating system. The recommended one is fine for most servers.">
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
  <Card title="Region" description="Choose one near your users. It cannot be changed later.">
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
