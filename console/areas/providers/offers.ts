import type { Region, ServerImage, ServerType } from './queries.ts'

/** A type as one region has it. */
export interface Offer {
  type: ServerType
  available: boolean
  price: ServerType['regions'][number]['price']
  /** The regions that have it now, where this one is out of it. */
  elsewhere: string[]
}

/** What a region offers, cheapest first; what is sold out there says where it is not. */
function offersIn(types: readonly ServerType[], region: string, regions: readonly Region[]): Offer[] {
  const nameOf = (id: string) => regions.find((one) => one.id === id)?.name ?? id
  return types
    .flatMap((type): Offer[] => {
      const here = type.regions.find(({ id }) => id === region)
      if (!here) return []
      const others = here.available ? [] : type.regions.filter(({ available }) => available)
      const elsewhere = others.map(({ id }) => nameOf(id))
      return [{ type, available: here.available, price: here.price, elsewhere }]
    })
    .toSorted((a, b) => a.price.monthly - b.price.monthly)
}

interface Wanted {
  region: string
  type: string
  image: string
}

interface Catalogue {
  regions: readonly Region[] | undefined
  types: readonly ServerType[] | undefined
  images: readonly ServerImage[] | undefined
}

/** What of the wanted can be had: a link may name what is of another cloud, or has been sold out since. */
export function pick({ regions = [], types = [], images = [] }: Catalogue, wanted: Wanted) {
  const region = regions.find(({ id, available }) => id === wanted.region && available)
  const offers = region ? offersIn(types, region.id, regions) : []
  const offer = offers.find(({ type, available }) => type.id === wanted.type && available)
  const fitting = images.filter(
    ({ architectures }) => !offer || architectures.includes(offer.type.architecture),
  )
  const image =
    fitting.find(({ id }) => id === wanted.image) ?? fitting.find(({ recommended }) => recommended)
  return { region, offers, offer, fitting, image }
}
