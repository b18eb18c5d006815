import { Card } from '../../ui/card.tsx'
import { Choices } from '../../ui/choices.tsx'
import { CataloguePart } from './catalogue-part.tsx'
import type { Region } from './queries.ts'
import type { OrderPart } from './order-part.ts'

/** Where in the world it stands. */
export const RegionCard = ({ order, name, error }: OrderPart) => (
  <Card title="Region" description="Near the people who use what runs there; it cannot be moved later.">
    <CataloguePart things="regions" query={order.regions}>
      {(regions) => (
        <Choices
          name={name}
          legend="In which region?"
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
    </CataloguePart>
  </Card>
)

const countries = new Intl.DisplayNames(['en'], { type: 'region' })
const countryOf = ({ country }: Region) => (country === null ? '' : (countries.of(country) ?? country))

const byPlace = (a: Region, b: Region) =>
  countryOf(a).localeCompare(countryOf(b)) || a.name.localeCompare(b.name)

const about = (region: Region) =>
  [countryOf(region), region.available ? region.id : 'takes no servers now'].filter(Boolean).join(' · ')
